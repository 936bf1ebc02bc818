#include "wordsway/core/gram.h"

#include <utility>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

constexpr Index kTile = 256;  // large enough for a product at full speed, small enough to share out

}  // namespace

void add_gram_lower(ConstMatrixRef B, MatrixRef K) {
  ensure(K.rows() == B.rows() && K.cols() == B.rows(), "a square K of B's rows");
  const Blocks tiles{B.rows(), kTile};
  std::vector<std::pair<Index, Index>> pairs;
  for (Index a = 0; a < tiles.count(); ++a)
    for (Index b = 0; b <= a; ++b) pairs.emplace_back(a, b);
  parallel_for(static_cast<Index>(pairs.size()), [&](Index item) {
    const auto [a, b] = pairs[static_cast<size_t>(item)];
    K.block(tiles.begin(a), tiles.begin(b), tiles.length(a), tiles.length(b)).noalias() +=
        B.middleRows(tiles.begin(a), tiles.length(a)) * B.middleRows(tiles.begin(b), tiles.length(b)).transpose();
  });
}

void mirror_lower(Matrix& K) {
  K.triangularView<Eigen::StrictlyUpper>() = K.transpose();
}

}  // namespace wordsway
