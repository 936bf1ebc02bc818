// attention: where do the tokens of a text look, before and after one of them moves or the text changes?
#include "wordsway/audit/attention.h"

#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/io/json.h"
#include "wordsway/io/output_paths.h"
#include "wordsway/io/row_text.h"
#include "wordsway/study/attention_array_study.h"

namespace wordsway {
namespace {

constexpr Index kMostReducedTokens = 1024;  // a layer of all heads is in memory at once
constexpr Index kPageSize = 64;             // the squares of a page, unless it asks for others
constexpr Index kMostNumbers = 1'000'000;   // of a reduced answer

struct AttentionRequest {
  TextInput texts;
  std::optional<std::string> changed;
  ModelInput model;
  std::string layer = "1", head = "mean";
  std::optional<Index> token, size;
  std::optional<std::string> direction;
  RadiusChoice radius;
  SeedChoice seed;
  std::string out;

  bool takes_all() const { return layer == "all" || head == "all"; }

  static void describe(Fields<AttentionRequest>& fields);
  void check() const;
};

void AttentionRequest::describe(Fields<AttentionRequest>& fields) {
  fields.include(&AttentionRequest::texts, TextInput::Parts{});
  fields.text("changed", &AttentionRequest::changed,
              "Show the attention of this text beside that of the only TEXT; with --size (without it: no other text)");
  fields.include(&AttentionRequest::model);
  fields.label("layer", &AttentionRequest::layer, {"last"}, "The layer, from 1, or last; all with --out or --size");
  fields.label("head", &AttentionRequest::head, {"mean"},
               "mean of all heads, or one head, counted from 0; all with --out or --size");
  fields.whole("token", &AttentionRequest::token, {0, 100'000'000},
               "Move this token, counted from 0, and show the attention after it too; not with --out (without it: no "
               "token moves)");
  fields
      .choice("direction", &AttentionRequest::direction, {"attract", "noise", "ascent"},
              "How the token moves: attract, noise or ascent")
      .by_default("attract")
      .on_page("move");
  fields.whole("size", &AttentionRequest::size, {2, 256},
               "Show squares of at most this many rows, the largest of every block, with four digits: what a page "
               "draws (without it: every number)");
  fields.include(&AttentionRequest::radius);
  fields.include(&AttentionRequest::seed, "For noise, ascent and --select");
  fields
      .path(
          "out", &AttentionRequest::out, FieldKind::kArrays,
          "Write layers x heads x n x n numbers, float32: A.npy for one text, else a folder with 000000.npy and so on, "
          "and a journal from which the same command goes on (without it: they are printed)")
      .short_flag("o");
  fields.check([](const AttentionRequest& request) { request.check(); });
}

void AttentionRequest::check() const {
  if (direction && !token) throw UsageError("{direction} says how a token moves: give its number as {token}");
  if (changed && token) throw UsageError("give {token} or {changed}, not both");
  if (changed && texts.texts.size() != 1) throw UsageError("{changed} is compared with one text");
  if (size && !out.empty())
    throw UsageError("{size} reduces what is shown, and {out} writes all of it: give one of them");
  if (!out.empty() && token)
    throw UsageError("{out} writes the attention of texts as they are, and {token} moves a token: give one of them");
}

AttentionOptions options_of(const AttentionRequest& request, const AttentionPart& part) {
  AttentionOptions options;
  options.layer = part.range.first_layer;
  if (!part.mean) options.head = part.range.first_head;
  options.token = request.token;
  if (request.direction) options.direction = parse_direction(*request.direction);
  options.radius = request.radius.value();
  options.seed = request.seed.seed;
  return options;
}

// Every number, of one layer and head.

std::string to_json(const Matrix& matrix) {
  std::string rows;
  for (Index r = 0; r < matrix.rows(); ++r) {
    const double* row = matrix.row(r).data();
    rows += (r == 0 ? "" : ", ") + value_to_json(std::vector<double>(row, row + matrix.cols()));
  }
  return "[" + rows + "]";
}

// The move of a token as an object in JSON.
Record move_of(const AttentionRequest& request) {
  if (!request.token) return {};
  return {{"token", static_cast<std::int64_t>(*request.token)}, {"direction", request.direction.value_or("attract")}};
}

std::string as_object(const TextAttention& result, const AttentionRequest& request, const AttentionPart& part) {
  std::string object = fmt::format("{{\"text\": {}, \"layer\": {}, \"head\": {}, \"pieces\": {}, \"attention\": {}",
                                   value_to_json(result.text), part.range.first_layer, value_to_json(request.head),
                                   value_to_json(result.pieces), to_json(result.before));
  const Record move = move_of(request);
  for (const auto& [name, value] : move.fields()) object += fmt::format(", \"{}\": {}", name, value_to_json(value));
  if (result.after) object += ", \"attention_after\": " + to_json(*result.after);
  return object + "}";
}

// One row for every pair of tokens.
std::vector<Record> as_rows(const TextAttention& result, size_t text) {
  std::vector<Record> rows;
  for (Index j = 0; j < result.before.rows(); ++j)
    for (Index m = 0; m < result.before.cols(); ++m) {
      rows.push_back({{"text", static_cast<std::int64_t>(text)},
                      {"query", static_cast<std::int64_t>(j)},
                      {"query_piece", result.pieces[static_cast<size_t>(j)]},
                      {"key", static_cast<std::int64_t>(m)},
                      {"key_piece", result.pieces[static_cast<size_t>(m)]},
                      {"attention", result.before(j, m)}});
      if (result.after) rows.back().set("attention_after", (*result.after)(j, m));
    }
  return rows;
}

std::string as_square(const std::vector<std::string>& pieces, const Matrix& weights) {
  std::vector<Record> rows;
  for (Index j = 0; j < weights.rows(); ++j) {
    Record row{{"looks at →", pieces[static_cast<size_t>(j)]}};
    for (Index m = 0; m < weights.cols(); ++m)
      row.set(fmt::format("{} {}", m, pieces[static_cast<size_t>(m)]), std::round(weights(j, m) * 1000) / 1000);
    rows.push_back(std::move(row));
  }
  return to_table(rows);
}

std::string as_table(const TextAttention& result, const AttentionRequest& request) {
  std::string table = fmt::format("{}\n{}\n", result.text, as_square(result.pieces, result.before));
  if (result.after)
    table += fmt::format("token {} moved\n{}\n", *request.token, as_square(result.pieces, *result.after));
  return table;
}

NpyArray array_of(const Matrix& matrix) {
  return {{matrix.rows(), matrix.cols()}, {matrix.data(), matrix.data() + matrix.size()}};
}

Chart chart_of(const std::vector<std::shared_ptr<const TextAttention>>& results, const AttentionRequest& request,
               const AttentionPart& part) {
  if (results.empty()) throw DataError("there is no text to draw a chart of");
  std::vector<TextAttention> shown;
  for (const auto& result : results) shown.push_back(*result);
  const std::string title = fmt::format("attention of layer {}, head {}", part.range.first_layer, request.head);
  return chart_of(attention_chart(title, shown, request.token), 520, 480);
}

// The first layers of an array [layers, heads, tokens, tokens], each the mean of its heads.
Chart chart_of_layers(const NpyArray& array, const std::vector<std::string>& pieces) {
  constexpr Index kMostLayers = 4;
  const auto layers = static_cast<Index>(array.shape.at(0)), heads = static_cast<Index>(array.shape.at(1)),
             tokens = static_cast<Index>(array.shape.at(2));
  HeatMap map{"attention of layers, mean of heads", "token", "looks at", {}};
  for (Index layer = 0; layer < std::min(layers, kMostLayers); ++layer) {
    Matrix mean = Matrix::Zero(tokens, tokens);
    for (Index head = 0; head < heads; ++head)
      mean += Eigen::Map<const Matrix>(array.values.data() + (layer * heads + head) * tokens * tokens, tokens, tokens);
    map.panels.push_back({fmt::format("layer {}", layer + 1), pieces, pieces, mean / static_cast<double>(heads)});
  }
  return chart_of(map, 420, 420);
}

Part part_of(const std::shared_ptr<const TextAttention>& result, size_t text, const AttentionRequest& request,
             const AttentionPart& range, Context& context) {
  Part part;
  part.rows = [result, text] { return as_rows(*result, text); };
  part.object = [result, request, range] { return as_object(*result, request, range); };
  part.table = [result, request] { return as_table(*result, request); };
  part.chart = [result, request, range] { return chart_of({result}, request, range); };
  if (context.wants_arrays()) part.arrays.emplace("attention", array_of(result->before));
  if (context.wants_arrays() && result->after) part.arrays.emplace("attention_after", array_of(*result->after));
  return part;
}

// Arrays of all layers or heads, for callers that take arrays.
Answer show_all(const AttentionRequest& request, const Model& model, Context& context) {
  if (request.token) throw UsageError("all layers or heads are shown of texts in which no token moves");
  if (!context.wants_arrays())
    throw UsageError(
        "all layers or heads are too many numbers to print: write them with {out} A.npy, or with {out} FOLDER for "
        "several texts");
  const AttentionPart part = parse_attention(request.layer, request.head, *model.transformer);
  const auto texts = read_texts(request.texts, *model.tokenizer, request.seed.seed);
  const auto encodings = encode_with_warnings(model, texts, context);
  context.begin_parts({.count = texts.size(), .as_objects = true});
  for (size_t t = 0; t < texts.size(); ++t) {
    NpyArray array{part.shape(encodings[t].size()), {}};
    for_each_attention_layer(
        *model.transformer, model.transformer->embed(encodings[t].ids), part,
        [&](std::span<const float> values) { array.values.insert(array.values.end(), values.begin(), values.end()); });
    Part found;
    found.rows = [] { return std::vector<Record>(); };
    found.object = [object = to_json(Record{{"text", texts[t].text},
                                            {"layer", request.layer},
                                            {"head", request.head},
                                            {"pieces", encodings[t].pieces}})] { return object; };
    if (array.shape.size() == 4)
      found.chart = [array, pieces = encodings[t].pieces] { return chart_of_layers(array, pieces); };
    found.arrays.emplace("attention", std::move(array));
    context.add_part(t, std::move(found));
  }
  context.finish_parts();
  return parts_answer();
}

// Text by text, so that memory does not grow with the corpus unless a picture shows all of them.
Answer show(const AttentionRequest& request, const Model& model, Context& context) {
  const AttentionPart part = parse_attention(request.layer, request.head, *model.transformer);
  const AttentionOptions options = options_of(request, part);
  warn_if_causal(model, context);
  const bool drawn = context.wants_chart();
  const TextBatches texts(
      request.texts, *model.tokenizer, request.seed.seed, [](const LabelledText&) {},
      drawn ? TextBatches::NoText::kIsRefused : TextBatches::NoText::kIsFine);
  std::vector<std::shared_ptr<const TextAttention>> kept;
  context.begin_parts({.as_objects = true});
  const Progress progress = context.progress();
  ProgressCounter counter(progress, "attention", static_cast<double>(texts.count().value_or(0)));
  EncodingWarnings warnings;
  size_t number = 0;
  texts.for_each(64, [&](const std::vector<LabelledText>& batch) {
    const auto encodings = encode_texts(model, batch);
    warnings.add(encodings);
    for (size_t t = 0; t < batch.size(); ++t) {
      const MatrixF x = model.transformer->embed(encodings[t].ids);
      const auto result = std::make_shared<const TextAttention>(
          TextAttention{attention_change(model.transformer, x, options), batch[t].text, encodings[t].pieces});
      if (drawn) kept.push_back(result);
      context.add_part(number, part_of(result, number, request, part, context));
      ++number;
      counter.step();
    }
  });
  context.finish_parts();
  warnings.tell(context, model.most_tokens());
  Answer answer = parts_answer();
  answer.chart = [kept, request, part](Bands) { return chart_of(kept, request, part); };
  return answer;
}

// Squares that a page can draw.

// The largest of every block of `block` rows and columns, as a JSON list of lists.
void append_reduced(std::string& json, std::span<const float> square, Index n, Index block) {
  const Blocks blocks{n, block};
  const Eigen::Map<const MatrixF> values(square.data(), n, n);
  for (Index r = 0; r < blocks.count(); ++r) {
    json += r == 0 ? "[[" : ", [";
    for (Index c = 0; c < blocks.count(); ++c) {
      const float largest =
          values.block(blocks.begin(r), blocks.begin(c), blocks.length(r), blocks.length(c)).maxCoeff();
      fmt::format_to(std::back_inserter(json), "{}{:.4g}", c == 0 ? "" : ", ", largest);
    }
    json += "]";
  }
  json += "]";
}

// [n, n] for one layer and head; a list over heads if all are requested, and over layers in the same way.
std::string reduced(const Transformer& transformer, const MatrixF& x, const AttentionRequest& request,
                    const AttentionPart& part, Index block) {
  const Index n = x.rows();
  std::string json;
  Index layers = 0;
  for_each_attention_layer(transformer, x, part, [&](std::span<const float> values) {
    const auto square = static_cast<size_t>(n * n);
    const auto heads = values.size() / square;
    if (layers++ > 0) json += ", ";
    if (request.head == "all") json += "[";
    for (size_t head = 0; head < heads; ++head) {
      if (head > 0) json += ", ";
      append_reduced(json, values.subspan(head * square, square), n, block);
    }
    if (request.head == "all") json += "]";
  });
  return request.layer == "all" ? "[" + json + "]" : json;
}

Encoding encode_reduced(const Model& model, const std::string& text, Context& context) {
  Encoding encoding = encode_with_warnings(model, {{text, std::nullopt, "0"}}, context).front();
  if (encoding.size() > kMostReducedTokens)
    throw UsageError(fmt::format("the text has {} tokens; the attention of at most {} is shown", encoding.size(),
                                 kMostReducedTokens));
  return encoding;
}

// How many tokens share a row, so that a square has at most `size` rows and all of them few enough numbers.
Index block_of(Index n, Index size, Index squares) {
  const auto fits = static_cast<Index>(std::sqrt(static_cast<double>(kMostNumbers) / static_cast<double>(squares)));
  const Index rows = std::max<Index>(1, std::min(size, fits));
  return (n + rows - 1) / rows;
}

std::string reduced_object(const AttentionRequest& request, const Model& model, Context& context) {
  const Transformer& transformer = *model.transformer;
  const AttentionPart part = parse_attention(request.layer, request.head, transformer);
  const std::string& text = request.texts.texts.front();
  const Encoding encoding = encode_reduced(model, text, context);
  const MatrixF x = transformer.embed(encoding.ids);
  Index longest = encoding.size();
  std::optional<MatrixF> after;
  std::optional<Encoding> changed;
  if (request.token) {
    after = with_move(model.transformer, x, options_of(request, part));
  } else if (request.changed) {
    changed = encode_reduced(model, *request.changed, context);
    after = transformer.embed(changed->ids);
    longest = std::max(longest, changed->size());
  }
  const Index squares = part.range.layers * (part.mean ? 1 : part.range.heads) * (after ? 2 : 1);
  const Index block = block_of(longest, *request.size, squares);
  std::string json = fmt::format(
      "{{\"text\": {}, \"layer\": {}, \"head\": {}, \"pieces\": {}, \"attention\": {}", value_to_json(text),
      request.layer == "all" ? value_to_json(request.layer) : value_to_json(std::int64_t{part.range.first_layer}),
      value_to_json(request.head), value_to_json(encoding.pieces), reduced(transformer, x, request, part, block));
  const Record move = move_of(request);
  for (const auto& [name, value] : move.fields()) json += fmt::format(", \"{}\": {}", name, value_to_json(value));
  if (changed)
    json += fmt::format(", \"changed\": {}, \"pieces_after\": {}", value_to_json(*request.changed),
                        value_to_json(changed->pieces));
  if (after) json += ", \"attention_after\": " + reduced(transformer, *after, request, part, block);
  return json + fmt::format(", \"reduced\": {}, \"block\": {}}}", block > 1, block);
}

Answer show_reduced(AttentionRequest request, const Model& model, Context& context) {
  if (request.texts.texts.size() != 1) throw UsageError("{size} is for one text");
  request.size = request.size.value_or(kPageSize);
  const std::string json = reduced_object(request, model, context);
  Answer answer;
  answer.shape = Answer::Shape::kDocument;
  answer.json = [json] { return json + "\n"; };
  answer.table = [json](int) { return json + "\n"; };
  return answer;
}

// Arrays in files.

Answer write_file(const AttentionRequest& request, const Model& model, const EncodedTexts& texts) {
  if (texts.size() != 1)
    throw UsageError(
        fmt::format("{{out}} {} is one array, and there are {} texts: name a folder", request.out, texts.size()));
  const AttentionPart part = parse_attention(request.layer, request.head, *model.transformer);
  write_attention(request.out, *model.transformer, model.transformer->embed(texts.ids(0)), part);
  const std::vector<Index> shape = part.shape(texts.length(0));
  return rows_answer({{{"out", request.out},
                       {"shape", std::vector<std::int64_t>(shape.begin(), shape.end())},
                       {"layer", request.layer},
                       {"head", request.head},
                       {"model", model.transformer->name()}}});
}

Answer write_folder(const AttentionRequest& request, const Model& model, EncodedTexts texts, Context& context) {
  const AttentionArrayStudy study({model.transformer, std::move(texts), request.layer, request.head, request.out});
  make_folder(request.out);
  RunChoice run;
  run.out = (std::filesystem::path(request.out) / "journal.jsonl").string();
  const auto result = context.run(study, run);
  if (!result) return {};
  const Index restored = result->resumed > 0 ? study.restore(result->rows, context.progress()) : 0;
  if (restored > 0) context.warn(fmt::format("files written again because they were missing or changed: {}", restored));
  return rows_answer(result->rows);
}

// Processes of a group share the texts of a folder, and nothing else.
Answer answer(const AttentionRequest& request, Context& context) {
  const bool to_file = std::filesystem::path(request.out).extension() == ".npy";
  if (!request.out.empty() && context.wants_chart())
    throw UsageError("{out} writes arrays, and a chart draws what is printed: give one of them");
  if (!context.leads() && (request.out.empty() || to_file)) return {};
  const auto model = request.model.open(context);
  if (request.size || context.is_page()) return show_reduced(request, *model, context);
  if (request.changed) throw UsageError("{changed} is shown in squares of a {size}");
  if (request.out.empty() && request.takes_all()) return show_all(request, *model, context);
  if (request.out.empty()) return show(request, *model, context);
  EncodedTexts texts = encode_corpus(*model, request.texts.input.empty() ? "arguments" : request.texts.input,
                                     read_texts(request.texts, *model->tokenizer, request.seed.seed), context);
  if (to_file) return write_file(request, *model, texts);
  return write_folder(request, *model, std::move(texts), context);
}

Guide guide() {
  Guide guide;
  guide.order = 140;
  guide.summary = "Where the tokens of a text look, before and after one moves";
  guide.examples =
      "  wordsway attention -m MODEL \"I love her much\" \"I love her smile\" --chart attention.svg\n"
      "  wordsway attention -m MODEL \"a text\" --layer 1 --head 0 --token 2 --direction attract --format json\n"
      "  wordsway attention -m MODEL -i corpus.jsonl --layer all --head all --out attention";
  guide.chart = "Draw the attention";
  guide.shared = true;
  guide.row_keys = {"text", "layer", "head", "pieces", "attention"};
  return guide;
}

}  // namespace

void register_attention(QuestionRegistry& registry) {
  add_question(registry, "attention", guide(), answer);
}

}  // namespace wordsway
