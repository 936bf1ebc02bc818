// Figure 3 (third panel) of the paper: how far one moved token changes every layer of a model.
//
// x: hidden_states[0], [n, d].
#include "wordsway/audit/layers.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/figures/panels.h"
#include "wordsway/text/corpus/encoded_texts.h"
#include "wordsway/text/reviews/example_texts.h"

namespace wordsway {
namespace {

// Starts agree to within a percent, and further digits would be costly and show in no picture.
const SensitivityOptions kSearch = {.starts = 1, .max_iterations = 60, .tolerance = 1e-3};

constexpr double kLeastLead = 2;  // of the chosen direction over noise

// A task is a direction and a draw; its rows are the layers.
class LayersStudy final : public Study {
 public:
  LayersStudy(const FigureSetting& setting, Index noise_draws)
      : transformer_(setting.transformer), seed_(setting.seed), noise_draws_(noise_draws) {
    const Index room = transformer_->config().most_tokens();
    const Encoding encoding = setting.tokenizer->encode(kPaperSummary, {.max_tokens = room});
    if (encoding.size() <= kPaperSummaryToken)
      throw DataError(
          fmt::format("the figure 'layers' moves token {} of a text, which has only {} tokens for this model",
                      kPaperSummaryToken, encoding.size()));
    piece_ = encoding.pieces[kPaperSummaryToken];
    texts_ = std::make_shared<const EncodedTexts>("summary of the paper", setting.tokenizer,
                                                  std::vector<std::vector<int>>{encoding.ids});
    ids_ = encoding.ids;
  }

  std::string command() const override { return "layers"; }
  Record config() const override {
    return {{"model", transformer_->name()},
            {"text", "summary of the paper"},
            {"tokens", static_cast<std::int64_t>(ids_.size())},
            {"token", std::int64_t{kPaperSummaryToken}},
            {"piece", piece_},
            {"noise_draws", static_cast<std::int64_t>(noise_draws_)},
            {"seed", static_cast<std::int64_t>(seed_)}};
  }
  StudyContent content() const override {
    Record content = transformer_->content();
    content.merge(texts_->content());
    content.set("method of the moves", std::int64_t{kMoveMethod});
    return {content, {{"model"}}};
  }
  Index size() const override { return noise_draws_ + 2; }
  Record key(Index task) const override {
    Record key{{"direction", to_string(direction(task))},
               {"trial", static_cast<std::int64_t>(std::max<Index>(0, task - 2))}};
    key.merge(device_fields(*transformer_));
    return key;
  }
  Index row_count(Index /*task*/) const override { return transformer_->config().layers + 1; }
  double memory_bytes(Index /*task*/) const override {
    const double n = static_cast<double>(ids_.size()), layers = static_cast<double>(transformer_->config().layers);
    const double d = static_cast<double>(transformer_->config().hidden_size);
    return 4.0 * (static_cast<double>(transformer_->parameters()) + 2 * layers * n * (9 * d + n * 12));
  }
  double work(Index task) const override {
    const ModelConfig& config = transformer_->config();
    const double forward = config.forward_flops(static_cast<Index>(ids_.size()), config.layers);
    return (direction(task) == MoveDirection::kAscent ? 12 : 0.2) * forward;  // as in ModelStudy::work
  }
  std::string kind(Index task) const override { return to_string(direction(task)); }

  std::vector<Record> run(Index task) const override {
    const Stopwatch watch;
    const MatrixF x = transformer_->embed(ids_);
    const Stream stream = Stream(seed_).derive("move").derive(static_cast<std::uint64_t>(task));
    const Vector delta = token_move(transformer_, x, kPaperSummaryToken, direction(task), {}, stream, kSearch);
    const Vector changes = layer_changes(*transformer_, x, kPaperSummaryToken, delta);
    const double seconds = watch.seconds();
    std::vector<Record> rows;
    for (Index l = 0; l < changes.size(); ++l) {
      Record row = key(task);
      row.set("layer", std::int64_t{l});
      row.set("change", changes[l]);
      row.set("seconds", seconds);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  static MoveDirection direction(Index task) {
    return task == 0 ? MoveDirection::kAscent : task == 1 ? MoveDirection::kAttract : MoveDirection::kNoise;
  }

  std::shared_ptr<const Transformer> transformer_;
  std::uint64_t seed_;
  Index noise_draws_;
  std::vector<int> ids_;
  std::shared_ptr<const EncodedTexts> texts_;
  std::string piece_;
};

FigureStudy study(const FigureSetting& setting) {
  return {std::make_shared<LayersStudy>(setting, setting.by_profile<Index>(5, 20, 50)), {}};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return {line_panel(layers_chart(fmt::format("Token {} moves by √d: how far each layer follows", kPaperSummaryToken),
                                  curves(rows, "layer", "change", {"direction"})))};
}

// The ratio of attract to noise at the layer where it is smallest. The embedding itself changes equally for both.
Interval least_lead(const Rows& rows) {
  Interval least = mean_of({});
  for (const double layer : distinct_numbers(rows, "layer")) {
    if (layer == 0) continue;
    const Rows here = rows_where(rows, "layer", layer);
    const auto changes = [&](const char* direction) {
      return numbers_of(rows_where(here, "direction", direction), "change");
    };
    const Interval lead = ratio_of(changes("attract"), changes("noise"));
    if (!std::isfinite(lead.value)) return lead;  // a layer of zeros: nothing can be said about all layers
    if (!(lead.value >= least.value)) least = lead;
  }
  return least;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const auto at = [](const Rows& layer, const char* direction) {
    return numbers_of(rows_where(layer, "direction", direction), "change");
  };
  const Rows last = at_largest(rows, "layer");
  return {
      judge_above(
          {"The best move of one token changes the trained model's last layer far more than noise of the same length.",
           "Figure 3"},
          "change by ascent over change by noise", ratio_of(at(last, "ascent"), at(last, "noise")), kLeastLead,
          at_size(last, "layer")),
      judge_above({"A move of one token that draws the attention changes every layer of the trained model far more "
                   "than noise of the same length.",
                   "Figure 3"},
                  "least over layers of change by attract over change by noise", least_lead(rows), kLeastLead, ""),
      judge_above(
          {"What the best move of one token changes grows from the trained model's embedding to its last layer.",
           "Figure 3"},
          "change by ascent, last layer over embedding",
          ratio_of(at(last, "ascent"), at(at_smallest(rows, "layer"), "ascent")), kLeastLead, "")};
}

}  // namespace

void register_layers(FigureRegistry& registry) {
  registry.add(
      "layers",
      {32, "One moved token, layer by layer",
       "Figure 3: in a trained model, a token that moves in a chosen direction changes all layers, while noise of the "
       "same length is hardly seen.",
       "A 200-token summary of the paper, token 42. Attract is the direction that draws the first layer's attention, "
       "noise is Gaussian (band: one standard deviation), ascent maximises the change of the last layer. All three "
       "have "
       "length √d, so they start from the same change of the embedding. What ascent finds shows how much one token can "
       "do; attract looks at the first layer's scores alone, and yet is far from noise.",
       "a summary of the paper in 200 tokens, through the model", study, panels, verdicts});
}

}  // namespace wordsway
