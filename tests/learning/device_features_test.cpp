// A learner whose training features are held elsewhere, and whose moves are evaluated there: what a device is to it.
#include <algorithm>
#include <mutex>

#include <gtest/gtest.h>

#include "learning/small_problem.h"
#include "wordsway/core/error.h"
#include "wordsway/learning/generalization.h"
#include "wordsway/learning/readout.h"
#include "wordsway/maps/device_composition.h"

namespace wordsway::test {
namespace {

// The requests so far.
struct Asked {
  int kernels = 0, combinations = 0;
  std::vector<Index> moves;  // evaluated together, one call after the other
  std::mutex mutex;
};

class FeaturesOnDevice final : public TrainingFeatures {
 public:
  FeaturesOnDevice(Matrix Phi, Asked& asked)
      : TrainingFeatures(Phi.rows(), Phi.cols()), Phi_(std::move(Phi)), asked_(asked) {}

  bool keeps() const override { return false; }
  double seconds() const override { return 0.25; }

 private:
  KernelParts kernel_of(ConstVectorRef phi) override {
    ++asked_.kernels;
    return {Phi_ * Phi_.transpose(), Phi_ * phi};
  }
  CombinedPair combination_of(ConstVectorRef u, ConstVectorRef v) override {
    ++asked_.combinations;
    return {Phi_.transpose() * u, Phi_.transpose() * v};
  }

  Matrix Phi_;
  Asked& asked_;
};

using Function = std::shared_ptr<const LiftedFunction>;

// Inner products are the processor's, answered together.
class TokenOnDevice final : public TokenView {
 public:
  TokenOnDevice(std::unique_ptr<TokenView> here, Asked& asked) : host_(std::move(here)), asked_(asked) {}

  std::unique_ptr<LiftedFunction> change() const override { return host_->change(); }
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override { return outer({psi}, identity_outer()); }
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override {
    auto inners = std::make_shared<std::vector<Function>>();
    std::vector<const LiftedFunction*> tokens;
    for (const Matrix& psi : psis) {
      inners->push_back(host_->inner(psi));
      tokens.push_back(inners->back().get());
    }
    return std::make_unique<DeviceComposition<const LiftedFunction*>>(inners, answer_, tokens, std::move(g),
                                                                      SmallProblem::kD);
  }
  std::vector<Vector> starts() const override { return host_->starts(); }

 private:
  std::unique_ptr<TokenView> host_;
  Asked& asked_;
  BatchHandler answer_ = handle_move_matrices<const LiftedFunction*>(
      SmallProblem::kD,
      [this](std::span<const LiftedFunction* const> inners, const Matrix& deltas, Vector& values, Matrix* gradients) {
        {
          const std::lock_guard lock(asked_.mutex);
          asked_.moves.push_back(deltas.rows());
        }
        Vector gradient;
        for (Index k = 0; k < deltas.rows(); ++k) {
          values[k] = (*inners[static_cast<size_t>(k)])(deltas.row(k).transpose(), gradients ? &gradient : nullptr);
          if (gradients != nullptr) gradients->row(k) = gradient.transpose();
        }
      });
};

class SampleOnDevice final : public MappedSample {
 public:
  SampleOnDevice(const MappedSample& here, Asked& asked) : host_(here), asked_(asked) {}

  const Matrix& X() const override { return host_.X(); }
  const Matrix& features() const override { return host_.features(); }
  std::unique_ptr<TokenView> token(Index i) const override {
    return std::make_unique<TokenOnDevice>(host_.token(i), asked_);
  }
  Index moves_at_once() const override { return 1; }

 private:
  const MappedSample& host_;
  Asked& asked_;
};

class ViewOnDevice final : public LearnerView {
 public:
  explicit ViewOnDevice(const SmallProblem& problem) : problem_(problem), sample_(problem.view->sample(), asked_) {}

  const MappedSample& sample() const override { return sample_; }
  Index training_size() const override { return SmallProblem::kN; }
  void training_rows(Index, Index, MatrixRef) const override { throw UsageError("nobody should ask for rows"); }
  std::unique_ptr<TrainingFeatures> device_features() const override {
    return std::make_unique<FeaturesOnDevice>(problem_.reference_features(), asked_);
  }

  Asked& asked() const { return asked_; }

 private:
  const SmallProblem& problem_;
  mutable Asked asked_;
  SampleOnDevice sample_;
};

TEST(LearnerOnDevice, TrainsInOnePassForTheKernelAndOneForTheCombinations) {
  const SmallProblem problem("raf");
  const ViewOnDevice view(problem);
  const Learner learner = train(view, problem.labels), expected = train(*problem.view, problem.labels);
  EXPECT_EQ(view.asked().kernels, 1);
  EXPECT_EQ(view.asked().combinations, 1);
  EXPECT_FALSE(learner.kept_features);
  EXPECT_EQ(learner.times.features, 0.25);
  EXPECT_LE((learner.theta - expected.theta).norm(), 1e-10 * expected.theta.norm());
  EXPECT_LE((learner.projected - expected.projected).norm(), 1e-10 * expected.phi.norm());
  EXPECT_LE((kernel_of(view) - kernel_of(*problem.view)).norm(), 1e-12 * kernel_of(view).norm());
}

TEST(LearnerOnDevice, ChecksTheSizesOfWhatItIsAsked) {
  const SmallProblem problem("raf");
  const auto features = ViewOnDevice(problem).device_features();
  EXPECT_THROW(features->make_kernel(Vector::Ones(2)), DataError);
  EXPECT_THROW(features->combine(Vector::Ones(SmallProblem::kN), Vector::Ones(2)), DataError);
}

TEST(LearnerOnDevice, SearchesForAllOutcomesTogetherAndFindsTheSame) {
  const SmallProblem problem("rf");
  const ViewOnDevice view(problem);
  GeneralizationPlan plan;
  plan.penalties = {0, 1};
  plan.token = SmallProblem::kToken;
  plan.descent.radius = std::sqrt(static_cast<double>(SmallProblem::kD));
  const auto run = [&](const LearnerView& at) {
    return generalize(at, problem.labels, SmallProblem::kLabel, plan, Stream(7));
  };
  const Generalization there = run(view), here = run(*problem.view);
  ASSERT_EQ(there.outcomes.size(), 6U);
  for (size_t k = 0; k < here.outcomes.size(); ++k) {
    EXPECT_NEAR(there.outcomes[k].error, here.outcomes[k].error, 1e-3 * (1 + here.outcomes[k].error));
    EXPECT_NEAR(there.outcomes[k].output_before, here.outcomes[k].output_before, 1e-9);
  }
  // Two trainings of three objectives, the last of which has two inner products, from four starts each.
  EXPECT_EQ(*std::ranges::max_element(view.asked().moves), 2 * 4 * (1 + 1 + 2));
  const std::vector<Index> moves = view.asked().moves;
  view.asked().moves.clear();
  const Generalization again = run(view);
  EXPECT_EQ(view.asked().moves, moves);
  for (size_t k = 0; k < here.outcomes.size(); ++k) EXPECT_EQ(again.outcomes[k].delta, there.outcomes[k].delta);
}

}  // namespace
}  // namespace wordsway::test
