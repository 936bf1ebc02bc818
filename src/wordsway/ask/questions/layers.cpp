// layers: how far does one moved token, or a changed text, change every layer of a model?
#include "wordsway/audit/layers.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/text/reviews/example_texts.h"

namespace wordsway {
namespace {

struct LayersRequest {
  std::optional<std::string> text;  // without a value: the built-in text; an empty text is a text
  std::optional<std::string> changed;
  ModelInput model;
  OutputInput output;
  PromptInput prompt;
  std::optional<Index> token;
  std::vector<std::string> directions = {"attract", "noise", "ascent"};
  int draws = 10;
  RadiusChoice radius;
  SeedChoice seed;
  RunChoice run;

  static void describe(Fields<LayersRequest>& fields) {
    fields.text("text", &LayersRequest::text, "The text (default: a summary of the paper, with token 42)")
        .argument("TEXT");
    fields.text("changed", &LayersRequest::changed,
                "Compare the text with this one instead of moving a token (without it: a token moves)");
    fields.include(&LayersRequest::model);
    fields.include(&LayersRequest::output);
    fields.field("layer")
        .choices(layer_choices())
        .help(
            "last; pooled: show the vector of the text too (the model's whole sentence chain), and let ascent change "
            "that most; logits: the same with the logits of the next word, of decoders");
    fields.field("rows").help("Which rows of every layer count: all, or last for the last token's alone");
    fields.include(&LayersRequest::prompt);
    fields.whole("token", &LayersRequest::token, {0, 100'000'000}, "The token that moves, counted from 0")
        .by_default("1; 42 in the summary of the paper");
    fields
        .names("direction", &LayersRequest::directions, {"attract", "noise", "ascent"},
               "How it moves: attract, noise, ascent; one or several, comma-separated")
        .on_page("move");
    fields.whole("draws", &LayersRequest::draws, {1, 1'000'000}, "How many random moves noise is the mean of")
        .page_takes({1, 1000});
    fields.include(&LayersRequest::radius);
    fields.include(&LayersRequest::seed, "For noise and ascent");
    fields.include(&LayersRequest::run);
    fields.check([](const LayersRequest& request, const GivenNames& given) {
      if (!request.changed) return;
      for (const char* name : {"direction", "token", "draws", "radius", "radius_unit"})
        if (given.contains(name))
          throw UsageError(fmt::format("give {{{}}} or {{changed}}, not both: a changed text moves no token", name));
    });
  }
};

// A text in which a token moves, or which is compared with another text.
struct ReadText {
  std::shared_ptr<const Model> model;
  std::string text;
  PromptedOutput output;
  Encoding encoding;
  std::optional<Encoding> changed;
  Index token = 0;

  std::optional<ModelOutput> vector() const {
    return output.output.is_vector() ? std::optional(output.output) : std::nullopt;
  }
  const std::string& piece() const { return encoding.pieces[static_cast<size_t>(token)]; }
};

Encoding encode(const Model& model, const std::string& text, const std::string& prompt, Context& context) {
  return encode_with_warnings(model, {{text, std::nullopt, "0"}}, context, {.prompt = prompt}).front();
}

ReadText read_text(const LayersRequest& request, Context& context) {
  ReadText read;
  read.model = request.model.open(context);
  read.text = request.text.value_or(std::string(kPaperSummary));
  read.output = prompted_output(*read.model, request.output, request.prompt, context);
  read.encoding = encode(*read.model, read.text, read.output.prompt, context);
  if (request.changed) {
    read.changed = encode(*read.model, *request.changed, read.output.prompt, context);
    read.token = std::min(shared_begin(read.encoding.ids, read.changed->ids), read.encoding.size() - 1);
    return read;
  }
  read.token = request.token.value_or(request.text ? 1 : kPaperSummaryToken);
  if (read.token < 0 || read.token >= read.encoding.size())
    throw UsageError(
        fmt::format("{{token}} {} is out of range; the text has tokens 0 to {}", read.token, read.encoding.size() - 1));
  return read;
}

// A task is one direction, or the changed text. Rows: direction, layer, token, piece, change, deviation.
class LayersStudy final : public Study {
 public:
  LayersStudy(const LayersRequest& request, const ReadText& text) : request_(request), text_(text) {
    if (text_.changed) directions_ = {"changed"};
    for (const std::string& name : text_.changed ? std::vector<std::string>() : request_.directions)
      if (std::ranges::find(directions_, name) == directions_.end()) directions_.push_back(name);
  }

  std::string command() const override { return "layers"; }
  Record config() const override {
    Record config{{"model", text_.model->transformer->name()},
                  {"layer", request_.output.layer},
                  {"text", text_.text},
                  {"prompt", text_.output.prompt},
                  {"token", std::int64_t{text_.token}},
                  {"directions", directions_}};
    if (request_.output.rows == "last") config.set("rows", "last");
    if (request_.changed) config.set("changed", *request_.changed);
    if (!request_.changed)
      config.merge({{"radius", request_.radius.radius},
                    {"radius_unit", request_.radius.radius_unit},
                    {"draws", std::int64_t{request_.draws}},
                    {"seed", static_cast<std::int64_t>(request_.seed.seed)}});
    return config;
  }
  StudyContent content() const override {
    Record content = content_of(*text_.model);
    content.set("method of the moves", std::int64_t{kMoveMethod});
    content.set("method of the search", std::int64_t{kSearchMethod});
    content.set("method of the search in models", std::int64_t{kModelSearchMethod});
    return {content, {{"model"}}};
  }
  Index size() const override { return static_cast<Index>(directions_.size()); }
  Record key(Index task) const override { return {{"direction", directions_[static_cast<size_t>(task)]}}; }
  double memory_bytes(Index /*task*/) const override {
    const Transformer& transformer = *text_.model->transformer;
    return ModelMap(text_.model->transformer, last_layer(transformer))
        .sample_bytes(text_.encoding.size(), transformer.config().hidden_size);
  }
  Index row_count(Index /*task*/) const override {
    const bool beyond = !text_.output.output.readout->is_of_every_layer();
    return text_.model->transformer->config().layers + (beyond ? 2 : 1);
  }
  double work(Index task) const override {
    constexpr double kAscent = 100;  // forwards
    const std::string& direction = directions_[static_cast<size_t>(task)];
    const ModelConfig& config = text_.model->transformer->config();
    const double forwards = direction == "noise" ? request_.draws : direction == "ascent" ? kAscent : 2;
    return forwards * config.forward_flops(text_.encoding.size(), std::max<Index>(1, config.layers));
  }
  std::string kind(Index task) const override { return directions_[static_cast<size_t>(task)]; }

  std::vector<Record> run(Index task) const override {
    const auto& transformer = text_.model->transformer;
    const Index layers = transformer->config().layers;
    if (text_.changed) {
      const Vector changes = text_changes(*transformer, text_.encoding.ids, text_.changed->ids, text_.vector());
      return rows_of("changed", changes, Vector::Zero(changes.size()), layers, request_.output.layer, text_.token,
                     text_.piece());
    }
    const LayerChanges found =
        measure_layers(transformer, transformer->embed(text_.encoding.ids), text_.token,
                       parse_direction(directions_[static_cast<size_t>(task)]),
                       {text_.vector(), request_.radius.value(), request_.draws, request_.seed.seed});
    return rows_of(found, layers, request_.output.layer, text_.token, text_.piece());
  }

 private:
  const LayersRequest& request_;
  const ReadText& text_;
  std::vector<std::string> directions_;
};

void warn_of_move(const LayersRequest& request, const ReadText& text, Context& context) {
  const MatrixF x = text.model->transformer->embed(text.encoding.ids);
  context.warn(fmt::format("token {} is '{}', its embedding has norm {:.3g}, the move {:.3g}", text.token, text.piece(),
                           x.row(text.token).norm(), request.radius.value().of(x.row(text.token).cast<double>())));
  warn_if_causal(*text.model, context);
}

std::vector<Series> curves_of(const std::vector<Record>& rows) {
  std::vector<Series> curves;
  for (const Record& row : rows) {
    if (curves.empty() || curves.back().label != row.text("direction"))
      curves.push_back({row.text("direction"), {}, {}, {}});
    Series& curve = curves.back();
    curve.x.push_back(static_cast<double>(curve.x.size()));
    curve.y.push_back(row.missing("change") ? std::numeric_limits<double>::quiet_NaN() : row.number("change"));
    curve.deviation.push_back(row.missing("deviation") ? 0 : row.number("deviation"));
  }
  return curves;
}

LineChart line_chart(const std::vector<Record>& rows, const ReadText& text) {
  const Readout& readout = *text.output.output.readout;
  LineChart chart =
      layers_chart(fmt::format("Token {} (\"{}\") moves: relative change of every layer", text.token, text.piece()),
                   curves_of(rows));
  if (!readout.is_of_every_layer())
    chart.x_label = fmt::format("layer (0: embedding, rightmost: {})", readout.description());
  else if (!readout.description().empty())
    chart.x_label += ", " + readout.description();
  return chart;
}

Answer answer(const LayersRequest& request, Context& context) {
  const auto text = std::make_shared<const ReadText>(read_text(request, context));
  if (!request.changed) warn_of_move(request, *text, context);
  const LayersStudy study(request, *text);
  const auto result = context.run(study, request.run);
  if (!result) return {};
  Answer answer = rows_answer(result->rows);
  answer.config = study.config();
  answer.details = {{"text", text->text}, {"token", std::int64_t{text->token}}, {"pieces", text->encoding.pieces}};
  answer.chart = [rows = result->rows, text](Bands bands) { return chart_of(line_chart(rows, *text), bands); };
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 110;
  guide.summary = "How far one moved token changes every layer of a model";
  guide.examples =
      "  wordsway layers --chart layers.svg\n"
      "  wordsway layers \"I love her smile\" --token 4 --direction attract,noise";
  guide.chart = "Draw the layers";
  guide.row_keys = {"direction", "layer", "token", "piece", "change", "deviation"};
  return guide;
}

}  // namespace

void register_layers(QuestionRegistry& registry) {
  add_question(registry, "layers", guide(), answer);
}

}  // namespace wordsway
