// generalize: can a model on these features learn that one changed word flips the label?
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "wordsway/ask/choices/map_choice.h"
#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/sample_choice.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/io/row_text.h"
#include "wordsway/run/schedule.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/study_tables.h"

namespace wordsway {
namespace {

struct GeneralizeRequest {
  MapChoice map;
  LabelledChoice samples;
  ModelInput model;
  TextInput texts;
  std::vector<std::string> training = {"fine-tune", "retrain"}, objective = {"align", "error"};
  std::vector<double> penalty = {0};
  Index token = 0;
  double radius = 1;
  SearchChoice search;
  ArrayChoice weights;
  std::string delta_out;
  RunChoice run;

  static void describe(Fields<GeneralizeRequest>& fields);
};

void GeneralizeRequest::describe(Fields<GeneralizeRequest>& fields) {
  fields.include(&GeneralizeRequest::map, MapChoice::Takes::kOne);
  fields.include(&GeneralizeRequest::samples);
  fields.include(&GeneralizeRequest::model, ModelInput::Usual{.model = "builtin for texts and reviews"});
  fields.include(&GeneralizeRequest::texts, TextInput::Parts{.arguments = false});
  fields.number("radius", &GeneralizeRequest::radius, {0, kLargestRadius},
                "How far the token may move, in units of sqrt(d)");
  fields.names("training", &GeneralizeRequest::training, {"fine-tune", "retrain"},
               "How the new sample is learnt: fine-tune, retrain or both");
  fields.names("objective", &GeneralizeRequest::objective, {"align", "error"},
               "What the move is chosen for: align, error or both");
  fields.numbers("penalty", &GeneralizeRequest::penalty, {-1e308, 1e308},
                 "Weight of gamma squared in the error objective; one or several, comma-separated");
  fields.whole("token", &GeneralizeRequest::token, {-1e15, 1e15}, "Which token moves, counted from 0");
  fields.include(
      &GeneralizeRequest::search,
      SearchChoice::Defaults{.trials = "10; 1 with --x-train or --delta-out", .starts = "4", .tolerance = "1e-6"});
  fields
      .array("weights", &GeneralizeRequest::weights,
             "Use these weights: W (d x d) or V (k x nd) as .npy (without it: random weights)")
      .in_python("W");
  fields.path("delta_out", &GeneralizeRequest::delta_out, FieldKind::kOutput,
              "Write the move that was found (d numbers), .npy (without it: it is not written)");
  fields.include(&GeneralizeRequest::run);
  fields.field("memory")
      .help("Memory for training features, such as 800M; less costs time, not accuracy")
      .by_default("half of what the machine has free");
}

GeneralizationPlan plan_of(const GeneralizeRequest& request) {
  GeneralizationPlan plan;
  plan.trainings.clear();
  for (const std::string& name : request.training) plan.trainings.push_back(parse_training(name));
  plan.objectives.clear();
  for (const std::string& name : request.objective) plan.objectives.push_back(parse_objective(name));
  plan.penalties = request.penalty;
  plan.token = request.token;
  plan.features.bytes = request.run.memory.value_or(0.5 * default_memory_limit());
  plan.descent.starts = request.search.starts.value_or(plan.descent.starts);
  plan.descent.max_iterations = request.search.steps;
  plan.descent.tolerance = request.search.tolerance.value_or(plan.descent.tolerance);
  return plan;
}

struct Plan {
  GeneralizeConfig config;
  std::string remark;  // about samples chosen by default
};

Plan plan_simulations(const GeneralizeRequest& request, Context& context) {
  GeneralizeConfig config;
  config.maps = request.map.maps;
  config.map.given = request.map.values();
  config.map.random = request.map.random;
  config.device = request.model.device;
  config.plan = plan_of(request);
  config.radius = request.radius;
  config.seed = request.search.seed.seed;
  ChosenLabelled samples = choose_labelled(request.samples, request.model.model, request.texts, config.seed, context);
  config.data = std::move(samples.source);
  config.n = std::move(samples.n);
  config.d = std::move(samples.d);
  config.training_sizes = std::move(samples.training_sizes);
  const bool single = request.samples.is_explicit() || !request.delta_out.empty();
  config.trials = request.search.trials.value_or(single ? 1 : 10);
  if (!request.weights.empty()) config.weights = read_matrix(request.weights, "W");
  config.remark = [&context](const std::string& sentence) { context.warn(sentence); };
  return {std::move(config), std::move(samples.remark)};
}

// Keeps the move, whichever thread finds it.
struct Kept {
  std::mutex mutex;
  Vector delta;
};

void require_single(const GeneralizeStudy& study) {
  const Index results = study.size() * study.row_count(0);
  if (results != 1)
    throw UsageError(fmt::format(
        "{{delta_out}} needs a single result; this asks for {} (name one {{training}}, one {{objective}} and one "
        "{{penalty}})",
        results));
}

Answer answer(const GeneralizeRequest& request, Context& context) {
  auto [config, remark] = plan_simulations(request, context);
  Kept kept;
  const bool writes = !request.delta_out.empty();
  if (writes || context.wants_arrays())
    config.observe = [&](const Simulation& found) {
      const std::lock_guard lock(kept.mutex);
      kept.delta = found.result.outcomes.front().delta;
    };
  const GeneralizeStudy study(std::move(config));
  if (writes) require_single(study);
  if (!remark.empty()) context.warn(remark);
  context.check_results(study.size());
  // {memory} limits the features, which need little; simulations share the whole machine.
  RunChoice run = request.run;
  run.memory.reset();
  const auto result =
      writes ? context.run_for(study, run, [&] { return kept.delta.size() > 0; }) : context.run(study, run);
  if (!result) return {};
  const auto output =
      std::make_shared<StudyOutput>(StudyOutput{study.config(), result->rows, {}, request.samples.is_explicit()});
  Answer answer = rows_answer(result->rows);
  answer.shape = Answer::Shape::kDocument;
  answer.config = output->config;
  answer.json = [output] { return format_generalization(*output, "json"); };
  answer.table = [output](int) { return format_generalization(*output, "table"); };
  answer.chart = [output](Bands) { return generalization_chart(output->rows); };
  if (kept.delta.size() > 0 && study.size() == 1 && study.row_count(0) == 1) {
    answer.arrays["delta"] = {{kept.delta.size()}, {kept.delta.data(), kept.delta.data() + kept.delta.size()}};
    if (writes) write_npy(request.delta_out, kept.delta);
  }
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 20;
  guide.summary = "Learning that one changed word flips the label: error of fine-tuned and re-trained models";
  guide.examples =
      "  wordsway generalize --map raf,rf --n 40 --train-size 100,400\n"
      "      error and gamma of both trainings and both objectives, ten simulations for each point\n"
      "  wordsway generalize -m MODEL -i aclImdb --select 4000 --n 40,120 --train-size 100,700,1300 --chart error.svg\n"
      "      the paper's Figure 4 with your model and the IMDb reviews\n"
      "  wordsway generalize --map raf,rf --n 120 --d 768 --train-size 1300 --device cuda\n"
      "      features, kernels and searches on an NVIDIA GPU, in a build that has it\n"
      "  wordsway generalize --x-train X.npy --y-train y.npy --x x.npy --y 1 --training retrain \\\n"
      "      --objective error --delta-out delta.npy --format json\n"
      "      your own samples: the move that a re-trained model answers best";
  guide.chart = "Draw error against gamma";
  guide.row_keys = {"map",
                    "n",
                    "d",
                    "train_size",
                    "trial",
                    "seed",
                    "token",
                    "training",
                    "objective",
                    "penalty",
                    "gamma",
                    "error",
                    "alignment",
                    "output_before",
                    "output_after",
                    "perturbed_before",
                    "perturbed_after",
                    "condition",
                    "delta_norm",
                    "evaluations",
                    "converged",
                    "seconds"};
  return guide;
}

}  // namespace

void register_generalize(QuestionRegistry& registry) {
  add_question(registry, "generalize", guide(), answer);
}

}  // namespace wordsway
