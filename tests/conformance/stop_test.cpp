// Long computations end with Stopped when their thread is asked to stop, and may be begun again.
#include "wordsway/core/stop.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/places.h"
#include "support/samples.h"
#include "support/small_study.h"
#include "wordsway/data/data_source.h"
#include "wordsway/learning/generalization.h"
#include "wordsway/model/model_map.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/run/run_study.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway::test {
namespace {

constexpr Index kStopTokens = 6, kStopD = 4;

Matrix stop_sample() {
  return sphere_sample(Stream(1), kStopTokens, kStopD);
}

// f of another function, asking for a stop at its third evaluation.
class StoppingFunction final : public LiftedFunction {
 public:
  StoppingFunction(const LiftedFunction& f, std::stop_source& source) : f_(f), source_(source) {}
  Index dimension() const override { return f_.dimension(); }
  Index lifted_size() const override { return f_.lifted_size(); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { f_.lift(delta, lifted); }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override {
    f_.pull_back(lifted_gradient, gradient);
  }
  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override {
    if (++evaluations == 3) source_.request_stop();
    return f_.evaluate(lifted, lifted_gradient);
  }

  mutable int evaluations = 0;

 private:
  const LiftedFunction& f_;
  std::stop_source& source_;
};

TEST(StoppedWork, AnAscentEndsBeforeItsNextEvaluation) {
  const auto change = draw_map("raf", kStopTokens, kStopD, 1)->at(stop_sample())->token(0)->change();
  std::stop_source source;
  const StoppingFunction stopping(*change, source);
  {
    const StopScope scope(source.get_token());
    EXPECT_THROW(ascend(stopping, Vector::Ones(kStopD), {.radius = 2}), Stopped);
  }
  EXPECT_EQ(stopping.evaluations, 3);
  EXPECT_EQ(ascend(stopping, Vector::Ones(kStopD), {.radius = 2}).value,
            ascend(*change, Vector::Ones(kStopD), {.radius = 2}).value);
}

TEST(StoppedWork, AScopeThatIsNotStoppedChangesNothing) {
  const auto at = draw_map("raf", kStopTokens, kStopD, 1)->at(stop_sample());
  const auto expected = measure_tokens(*at, {.radius = Radius::absolute(2)}, Stream(1));
  std::stop_source source;
  const StopScope scope(source.get_token());
  EXPECT_EQ(measure_tokens(*at, {.radius = Radius::absolute(2)}, Stream(1)).sensitivities, expected.sensitivities);
}

TEST(StoppedWork, EveryMeasurementAndLearnerIsStopped) {
  std::stop_source source;
  source.request_stop();
  for (const std::string& name : map_registry().names()) {
    const auto at = draw_map(name, kStopTokens, kStopD, 1)->at(stop_sample());
    const Matrix training = gaussian_matrix(Stream(2), 5, kStopTokens * kStopD), X = stop_sample();
    const auto view = whole_learner_view(draw_map(name, kStopTokens, kStopD, 1), {training, X, 0});
    const StopScope scope(source.get_token());
    EXPECT_THROW(measure_token(*at, 0, {.radius = Radius::absolute(1)}, Stream(1)), Stopped) << name;
    EXPECT_THROW(measure_tokens(*at, {.radius = Radius::absolute(1)}, Stream(1)), Stopped) << name;
    EXPECT_THROW(estimate_token_by_power(*at, 0, 1, 3, Stream(1)), Stopped) << name;
    EXPECT_THROW(train(*view, Vector::Ones(5)), Stopped) << name;
    EXPECT_THROW(generalize(*view, Vector::Ones(5), 1, {}, Stream(1)), Stopped) << name;
  }
}

TEST(StoppedWork, AModelStopsInForwardsAndVjps) {
  const std::shared_ptr<const Transformer> model = Transformer::load(source_folder() / "tests/golden/models/bert");
  const MatrixF x = MatrixF::Random(5, model->config().hidden_size);
  TransformerTrace base, trace;
  const MatrixF expected = model->forward(x, 2, {}, base);
  const MatrixF gradient = model->vjp(base, x);
  std::stop_source source;
  {
    const StopScope scope(source.get_token());
    EXPECT_EQ(model->forward(x, 2), expected);
    source.request_stop();
    EXPECT_THROW(model->forward(x, 2), Stopped);
    EXPECT_THROW(model->forward(x, 2, {}, trace), Stopped);
    EXPECT_THROW(model->hidden_states(x), Stopped);
    EXPECT_THROW(model->forward_changed_row(x, 0, base, trace), Stopped);
    EXPECT_THROW(model->vjp(base, x), Stopped);
    EXPECT_THROW(model->vjp_row(base, x, 0), Stopped);
  }
  EXPECT_EQ(model->forward(x, 2, {}, trace), expected);
  EXPECT_EQ(model->vjp(trace, x), gradient);
}

TEST(StoppedWork, ATaskThatWasStoppedIsNoFailedRow) {
  std::stop_source source;
  SmallStudy study;
  study.during = [&](Index) {
    source.request_stop();
    throw_if_stopped();
  };
  const StopScope scope(source.get_token());
  EXPECT_THROW(run_task(study, 0), Stopped);
  EXPECT_THROW(run_study(study), Stopped);
}

}  // namespace
}  // namespace wordsway::test
