// Searches whose moves are evaluated elsewhere, in groups that take turns.
#include <mutex>
#include <set>

#include <gtest/gtest.h>

#include "wordsway/core/device_function.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

// change_t(Δ) = ‖A_t·Δ‖², evaluated elsewhere; remembers which tokens were asked about together.
class SampleOnDevice final : public MappedSample {
 public:
  SampleOnDevice(Index n, Index groups) : groups_(groups), X_(gaussian_matrix(Stream(1), n, kD)) {
    for (Index t = 0; t < n; ++t)
      A_.push_back(gaussian_matrix(Stream(2).derive(static_cast<std::uint64_t>(t)), kD, kD));
    answer_ = handle_move_matrices<Index>(
        kD, [this](std::span<const Index> tokens, const Matrix& deltas, Vector& values, Matrix* gradients) {
          {
            const std::lock_guard lock(mutex_);
            batches_.emplace_back(tokens.begin(), tokens.end());
          }
          for (Index k = 0; k < deltas.rows(); ++k) {
            const Matrix& A = A_[static_cast<size_t>(tokens[static_cast<size_t>(k)])];
            const Vector image = A * deltas.row(k).transpose();
            values[k] = image.squaredNorm();
            if (gradients != nullptr) gradients->row(k) = 2 * (A.transpose() * image).transpose();
          }
        });
  }

  const Matrix& X() const override { return X_; }
  const Matrix& features() const override { return X_; }
  Index moves_at_once() const override { return 64; }
  LockstepGroups search_groups(Index) const override { return {groups_, 0}; }
  std::unique_ptr<TokenView> token(Index i) const override { return std::make_unique<View>(*this, i); }

  const std::vector<std::set<Index>>& batches() const { return batches_; }

 private:
  static constexpr Index kD = 6;

  struct View final : TokenView {
    View(const SampleOnDevice& of, Index its_token) : sample(of), token(its_token) {}
    std::unique_ptr<LiftedFunction> change() const override {
      return std::make_unique<DeviceFunction<Index>>(nullptr, sample.answer_, token, kD);
    }
    std::unique_ptr<LiftedFunction> inner(const Matrix&) const override { return nullptr; }

    const SampleOnDevice& sample;
    Index token;
  };

  Index groups_;
  Matrix X_;
  std::vector<Matrix> A_;
  BatchHandler answer_;
  mutable std::mutex mutex_;
  mutable std::vector<std::set<Index>> batches_;
};

TEST(SearchGroups, FindWhatOneGroupFinds) {
  constexpr Index kN = 11;
  const SampleOnDevice together(kN, 1);
  const auto expected = measure_tokens(together, {}, Stream(3));
  for (const Index groups : {2, 3}) {
    const SampleOnDevice apart(kN, groups);
    const auto got = measure_tokens(apart, {}, Stream(3));
    EXPECT_EQ(got.sensitivities, expected.sensitivities);
    EXPECT_EQ(got.most.evaluations, expected.most.evaluations);
    EXPECT_EQ(got.most.delta, expected.most.delta);
    std::set<Index> seen;
    for (const auto& batch : apart.batches()) {
      for (const Index token : batch) EXPECT_EQ(token % groups, *batch.begin() % groups);
      seen.insert(batch.begin(), batch.end());
    }
    EXPECT_EQ(seen.size(), static_cast<size_t>(kN));
    EXPECT_GT(apart.batches().size(), together.batches().size());
  }
}

}  // namespace
}  // namespace wordsway
