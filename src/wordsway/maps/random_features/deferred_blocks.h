// Token blocks that are never formed: each V_j is a deferred matrix that knows its token's image z_j = V_j x_j.
//
// The z_j are independent N(0, scale²‖x_j‖² I). A sample needs only their sum, and a measured token its own z_i, so
// only these are drawn: the sum first, then down a binary tree over the tokens. Given the sum s of both halves, the sum
// of the left one is N(a/(a+b)·s, scale²·ab/(a+b)·I) with a, b the halves' Σ‖x_j‖². Fresh numbers are keyed by the
// node, so z_i does not depend on which other tokens were asked for: all tokens and starts of a trial see one V, a
// token costs O(k log n), and the sum O(k).
//
// The first X becomes the anchor; another X differs from it by rows, each of which costs one query of its block.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "wordsway/maps/random_features/token_blocks.h"
#include "wordsway/random/deferred_matrix.h"

namespace wordsway {

/// Makes a deferred matrix; the tests put broken ones in here.
using DeferredMaker =
    std::function<std::shared_ptr<DeferredMatrix>(const Stream&, Index rows, Index columns, double scale)>;
std::shared_ptr<DeferredMatrix> make_deferred(const Stream& stream, Index rows, Index columns, double scale);

class DeferredBlocks final : public TokenBlocks {
 public:
  /// With `keep`, blocks live as long as this object; otherwise, as long as somebody holds them. A released block must
  /// not be asked for again (throws UsageError), because it would come back as another matrix.
  DeferredBlocks(const Stream& stream, Index n, Index d, Index k, double scale, bool keep,
                 DeferredMaker make = make_deferred);

  Vector image(const Matrix& X) override;
  std::shared_ptr<GaussianMatrix> block(Index i) override;
  double memory_bytes() const override;

 private:
  std::shared_ptr<DeferredMatrix> find_or_make(Index i);
  std::shared_ptr<DeferredMatrix> make_block(Index i) const;
  void set_anchor(const Matrix& X);
  Vector token_image(Index i) const;
  double squares(Index first, Index last) const;

  Stream stream_;
  double scale_;
  bool keep_;
  DeferredMaker make_;
  mutable std::mutex mutex_;
  Matrix anchor_;          // [n, d], empty until the first sample
  Vector anchor_image_;    // [k]
  Vector squares_before_;  // [n + 1] Σ‖x_j‖² of the tokens before
  std::vector<std::weak_ptr<DeferredMatrix>> blocks_;
  std::vector<std::shared_ptr<DeferredMatrix>> kept_;
  std::vector<bool> made_;
  std::shared_ptr<std::atomic<double>> largest_let_go_ = std::make_shared<std::atomic<double>>(0);  // bytes
};

}  // namespace wordsway
