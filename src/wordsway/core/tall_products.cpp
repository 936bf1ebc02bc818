#include "wordsway/core/tall_products.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

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

namespace {

// Column by column. In a semidefinite matrix a pivot that is 0 has only zeros below it, so the column is left out.
Matrix factor_with_gaps(const Matrix& M) {
  const Index N = M.rows();
  const double rounding = 4 * static_cast<double>(N) * std::numeric_limits<double>::epsilon();
  Matrix C = Matrix::Zero(N, N);
  for (Index j = 0; j < N; ++j) {
    const double pivot = M(j, j) - C.row(j).head(j).squaredNorm();
    if (!(pivot > rounding * M(j, j))) continue;
    C(j, j) = std::sqrt(pivot);
    const Index below = N - j - 1;
    C.col(j).tail(below) =
        (M.col(j).tail(below) - C.bottomLeftCorner(below, j) * C.row(j).head(j).transpose()) / C(j, j);
  }
  return C;
}

}  // namespace

Matrix semidefinite_factor(const Matrix& M) {
  const Eigen::LLT<Matrix> regular(M);
  if (regular.info() == Eigen::Success) return regular.matrixL();
  return factor_with_gaps(M);
}

namespace {

// Rows are taken four at a time and columns eight: a load of a row's lanes serves every product asked for, and a load
// of a vector's lanes serves four rows. More of either spills registers (tried with eight rows: 1.6 times slower).
constexpr Index kRows = 4;
constexpr Index kLanes = 8;
using Lanes = Eigen::Array<double, kLanes, 1>;
using ConstLanes = Eigen::Map<const Lanes>;
using MutableLanes = Eigen::Map<Lanes>;

template <size_t Count>
using Inputs = std::array<const double*, Count>;
template <size_t Count>
using Outputs = std::array<double*, Count>;

// For Rows rows of M from `first` on: dots[k][row] = row·x[k], and sums[k] += Σ_row weights[k][row]·row.
template <Index Rows, size_t Dots, size_t Sums>
void run_rows(ConstMatrixRef M, Index first, const Inputs<Dots>& x, const Outputs<Dots>& dots,
              const Inputs<Sums>& weights, const Outputs<Sums>& sums) {
  const double* const base = M.data() + first * M.outerStride();
  const Index stride = M.outerStride(), columns = M.cols(), whole = columns - columns % kLanes;
  Lanes partial[Dots + 1][Rows];
  for (size_t k = 0; k < Dots; ++k)
    for (Index r = 0; r < Rows; ++r) partial[k][r].setZero();
  for (Index c = 0; c < whole; c += kLanes) {
    Lanes row[Rows];
    for (Index r = 0; r < Rows; ++r) row[r] = ConstLanes(base + r * stride + c);
    for (size_t k = 0; k < Dots; ++k) {
      const Lanes lanes = ConstLanes(x[k] + c);
      for (Index r = 0; r < Rows; ++r) partial[k][r] += row[r] * lanes;
    }
    for (size_t k = 0; k < Sums; ++k) {
      Lanes lanes = ConstLanes(sums[k] + c);
      for (Index r = 0; r < Rows; ++r) lanes += row[r] * weights[k][first + r];
      MutableLanes(sums[k] + c) = lanes;
    }
  }
  for (Index r = 0; r < Rows; ++r) {
    const double* const row = base + r * stride;
    for (size_t k = 0; k < Dots; ++k) {
      double dot = partial[k][r].sum();
      for (Index c = whole; c < columns; ++c) dot += row[c] * x[k][c];
      dots[k][first + r] = dot;
    }
    for (size_t k = 0; k < Sums; ++k)
      for (Index c = whole; c < columns; ++c) sums[k][c] += weights[k][first + r] * row[c];
  }
}

template <size_t Dots, size_t Sums>
void run(ConstMatrixRef M, const Inputs<Dots>& x, const Outputs<Dots>& dots, const Inputs<Sums>& weights,
         const Outputs<Sums>& sums) {
  Index first = 0;
  for (; first + kRows <= M.rows(); first += kRows) run_rows<kRows, Dots, Sums>(M, first, x, dots, weights, sums);
  for (; first < M.rows(); ++first) run_rows<1, Dots, Sums>(M, first, x, dots, weights, sums);
}

}  // namespace

void multiply_both_ways(ConstMatrixRef M, ConstVectorRef x, VectorRef Mx, VectorRef Mtx) {
  ensure(M.rows() == M.cols() && x.size() == M.cols() && Mx.size() == x.size() && Mtx.size() == x.size(), "shapes");
  Mtx.setZero();
  run<1, 1>(M, {x.data()}, {Mx.data()}, {x.data()}, {Mtx.data()});
}

void multiply_both_ways_adjoint(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef result) {
  ensure(M.rows() == M.cols() && u.size() == M.rows() && v.size() == M.cols() && result.size() == M.rows(), "shapes");
  Vector Mv(M.rows());
  result.setZero();
  run<1, 1>(M, {v.data()}, {Mv.data()}, {u.data()}, {result.data()});
  result += Mv;
}

void multiply_pair(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef Mu, VectorRef Mv) {
  ensure(u.size() == M.cols() && v.size() == M.cols() && Mu.size() == M.rows() && Mv.size() == M.rows(), "shapes");
  run<2, 0>(M, {u.data(), v.data()}, {Mu.data(), Mv.data()}, {}, {});
}

void multiply_pair_transposed(ConstMatrixRef M, ConstVectorRef u, ConstVectorRef v, VectorRef Mtu, VectorRef Mtv) {
  ensure(u.size() == M.rows() && v.size() == M.rows() && Mtu.size() == M.cols() && Mtv.size() == M.cols(), "shapes");
  Mtu.setZero();
  Mtv.setZero();
  run<0, 2>(M, {}, {}, {u.data(), v.data()}, {Mtu.data(), Mtv.data()});
}

}  // namespace wordsway
