// What one asks of a model and a text: tokenize, words, substitute, layers, attention.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "serve/endpoints.h"
#include "wordsway/audit/attention.h"
#include "wordsway/audit/layers.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/run/run_study.h"
#include "wordsway/study/word_studies.h"
#include "wordsway/text/tokenizer/encoding_json.h"

namespace wordsway::serve {
namespace {

// A model, a text, and which output counts.
struct TextRequest {
  std::string model, text, layer, rows;
  PromptChoice prompt;
};

TextRequest read_text_request(const ServedModels& models, RequestArguments& ask) {
  TextRequest request;
  request.model = read_model_name(models, ask);
  request.text = ask.required_text("text");
  request.layer = ask.text_or_number("layer").value_or("last");
  request.rows = ask.one_of("rows", {"all", "last"});
  request.prompt = {ask.text("prompt_name"), ask.text("prompt")};
  return request;
}

std::vector<LabelledText> labelled(const std::string& text) {
  return {{text, std::nullopt, "0"}};
}

// The tokens of a text, with a remark where it was cut. Throws UsageError when there are more than a page can wait for.
Encoding encode(const Model& model, const std::string& text, const std::string& prompt, Job& job) {
  std::vector<Encoding> encodings = encode_texts(model, labelled(text), {.prompt = prompt});
  Encoding encoding = std::move(encodings.front());
  if (encoding.size() > kMostTokens)
    throw UsageError(fmt::format("the text has {} tokens; the page takes at most {}", encoding.size(), kMostTokens));
  if (encoding.cut)
    tell_remark(job, fmt::format("the text was cut to the {} tokens the model takes", model.most_tokens()));
  return encoding;
}

StudiedTexts studied(const ServedModels& models, const TextRequest& request, Job& job) {
  StudiedTexts result;
  result.model = open_model(models, request.model, job);
  const Model& model = *result.model;
  const PromptedOutput ask = prompted_output(model, request.layer, request.rows, request.prompt);
  if (!predicts_masked_words(model)) {
    result.head = open_model(models, kBuiltin, job);
    tell_remark(
        job, model.transformer->name() + " predicts no masked words: the built-in model says which words fit a place");
  }
  result.name = request.text;
  result.texts = labelled(request.text);
  result.encodings = {encode(model, request.text, ask.prompt, job)};
  result.layer = request.layer;
  result.change = {ask.output, ask.prompt};
  result.progress = job.progress();
  return result;
}

// A text by itself has no number.
Record without_text(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name != "text") result.set(name, value);
  return result;
}

// The rows of the only text. Throws DataError where it failed.
std::vector<Record> run_single(const TextStudy& study, Job& job) {
  if (study.size() == 0) {
    tell_remark(job, "the text has no word");
    return {};
  }
  RunOptions run;
  run.remark = [&](const std::string& remark) { tell_remark(job, remark); };
  const StudyResult found = run_study(study, run);
  remark_on_failures(found);
  std::vector<Record> rows;
  for (const Record& row : found.rows) rows.push_back(without_text(row));
  return rows;
}

Prepared tokenize(const ServedModels& models, RequestArguments& ask) {
  const std::string model = read_model_name(models, ask), text = ask.required_text("text");
  ask.finish();
  return {"tokens", [&models, model, text](Job& job) {
            std::string json;
            append_json(json, open_model(models, model, job)->tokenizer->encode(text));
            return json;
          }};
}

Prepared words(const ServedModels& models, RequestArguments& ask) {
  const TextRequest request = read_text_request(models, ask);
  WordOptions options;
  options.seed = ask.seed();
  const bool decides = !ask.has("ball");
  const std::string ball = ask.one_of("ball", {"none", "fast", "full"});
  ask.finish();
  choose_ball(options, {ball == "full", ball == "fast", decides && request.model == kBuiltin});
  return {"words of the text", [&models, request, options](Job& job) {
            StudiedTexts texts = studied(models, request, job);
            texts.partial = [&](const Record& row) { job.tell("row", to_json(row)); };
            const WordsStudy study(std::move(texts), options);
            const std::vector<Record> rows = run_single(study, job);
            for (const Record& row : rows) job.tell("row", to_json(row));
            return one_line_json(format_rows(rows, "json"));
          }};
}

Prepared substitute(const ServedModels& models, RequestArguments& ask) {
  const TextRequest request = read_text_request(models, ask);
  SubstituteStudyOptions options;
  options.search.source =
      ask.one_of("candidates", {"all", "plausible"}) == "all" ? CandidateSource::kAll : CandidateSource::kPlausible;
  options.search.evaluations = ask.whole("evaluations", 1, 100'000);
  options.search.exhaustive = ask.flag("exhaustive");
  options.search.seed = ask.seed();
  options.choice = {ask.text("word"), ask.whole("token", 0, kMostTokens)};
  options.top = ask.whole("top", 1, 1000).value_or(options.top);
  ask.finish();
  if (options.choice.word && options.choice.token) throw UsageError("give word or token, not both");
  if (options.search.exhaustive && !options.choice.word && !options.choice.token)
    throw UsageError("exhaustive evaluates the whole vocabulary for a word: say which with word or token");
  return {"replacements", [&models, request, options](Job& job) {
            const SubstituteStudy study(studied(models, request, job), options);
            const std::vector<Record> rows = run_single(study, job);
            for (const Record& row : rows) job.tell("row", to_json(row));
            return one_line_json(format_rows(rows, "json"));
          }};
}

void check_token(Index token, const Encoding& encoding) {
  if (token < 0 || token >= encoding.size())
    throw UsageError(fmt::format("token {} is out of range; the text has tokens 0 to {}", token, encoding.size() - 1));
}

// A token that moves, or another text.
struct LayersRequest {
  TextRequest text;
  std::optional<std::string> changed;
  Index token = 1;
  std::vector<MoveDirection> moves;
  LayerOptions options;
};

LayersRequest read_layers_request(const ServedModels& models, RequestArguments& ask) {
  LayersRequest request;
  request.text = read_text_request(models, ask);
  request.changed = ask.text("changed");
  request.token = ask.whole("token", 0, kMostTokens).value_or(request.token);
  for (const std::string& name : ask.texts("move", 3)) request.moves.push_back(parse_direction(name));
  request.options.radius = read_radius(ask);
  request.options.draws = static_cast<int>(ask.whole("draws", 1, 1000).value_or(request.options.draws));
  request.options.seed = ask.seed();
  if (request.changed && ask.has("move")) throw UsageError("give move or changed, not both");
  ask.finish();
  if (request.moves.empty()) request.moves = {MoveDirection::kAttract, MoveDirection::kNoise, MoveDirection::kAscent};
  return request;
}

std::vector<Record> moved_layers(const Model& model, const LayersRequest& request, const Encoding& encoding, Job& job) {
  check_token(request.token, encoding);
  const MatrixF x = model.transformer->embed(encoding.ids);
  const std::string& piece = encoding.pieces[static_cast<size_t>(request.token)];
  const Progress progress = job.progress();
  StepCounter counter(progress, "moves", static_cast<double>(request.moves.size()));
  std::vector<Record> rows;
  for (const MoveDirection move : request.moves) {
    const LayerChanges found = measure_layers(model.transformer, x, request.token, move, request.options);
    for (Record& row : rows_of(found, model.transformer->config().layers, request.text.layer, request.token, piece)) {
      job.tell("row", to_json(row));
      rows.push_back(std::move(row));
    }
    counter.step();
  }
  return rows;
}

std::vector<Record> changed_layers(const Model& model, const LayersRequest& request, const Encoding& before,
                                   const Encoding& after) {
  const Vector changes = text_changes(*model.transformer, before.ids, after.ids, request.options.vector);
  const Index token = std::min(shared_begin(before.ids, after.ids), before.size() - 1);
  return rows_of("changed", changes, Vector::Zero(changes.size()), model.transformer->config().layers,
                 request.text.layer, token, before.pieces[static_cast<size_t>(token)]);
}

Prepared layers(const ServedModels& models, RequestArguments& ask) {
  const LayersRequest asked = read_layers_request(models, ask);
  return {"changes of every layer", [&models, asked](Job& job) {
            LayersRequest request = asked;
            const auto model = open_model(models, request.text.model, job);
            const PromptedOutput output =
                prompted_output(*model, request.text.layer, request.text.rows, request.text.prompt);
            if (output.output.is_vector()) request.options.vector = output.output;
            const Encoding encoding = encode(*model, request.text.text, output.prompt, job);
            const std::vector<Record> rows =
                request.changed
                    ? changed_layers(*model, request, encoding, encode(*model, *request.changed, output.prompt, job))
                    : moved_layers(*model, request, encoding, job);
            return one_line_json(format_rows(rows, "json"));
          }};
}

// Attention of a page: squares of at most so many rows, with four digits.

constexpr Index kMostAttentionTokens = 1024;  // a layer of all heads is in memory at once
constexpr Index kMostNumbers = 1'000'000;     // that go to the page

struct AttentionRequest {
  TextRequest text;
  std::string layer, head;
  std::optional<std::string> changed;
  AttentionOptions move;
  Index size = 64;
};

AttentionRequest read_attention_request(const ServedModels& models, RequestArguments& ask) {
  AttentionRequest request;
  request.text.model = read_model_name(models, ask);
  request.text.text = ask.required_text("text");
  request.layer = ask.text_or_number("layer").value_or("1");
  request.head = ask.text_or_number("head").value_or("mean");
  request.changed = ask.text("changed");
  request.move.token = ask.whole("token", 0, kMostTokens);
  request.move.direction = parse_direction(ask.text_or("move", "attract"));
  request.move.radius = read_radius(ask);
  request.move.seed = ask.seed();
  request.size = ask.whole("size", 2, 256).value_or(request.size);
  if (request.changed && request.move.token) throw UsageError("give token or changed, not both");
  if (ask.has("move") && !request.move.token) throw UsageError("move says how a token moves: give its number as token");
  ask.finish();
  return request;
}

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

// [n, n] of one layer and head; a list of heads where they are all asked for, and of layers likewise.
std::string attention_json(const Transformer& transformer, const MatrixF& x, const AttentionRequest& request,
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

void check_attention_length(const Encoding& encoding) {
  if (encoding.size() > kMostAttentionTokens)
    throw UsageError(fmt::format("the text has {} tokens; the attention of at most {} is shown", encoding.size(),
                                 kMostAttentionTokens));
}

// How many tokens share a row, so that a square has at most `size` rows and all of them few enough numbers.
Index block_of(Index n, Index size, Index squares) {
  const auto fits = static_cast<Index>(std::sqrt(static_cast<double>(kMostNumbers) / static_cast<double>(squares)));
  const Index rows = std::max<Index>(1, std::min(size, fits));
  return (n + rows - 1) / rows;
}

std::string attention_result(const ServedModels& models, const AttentionRequest& request, Job& job) {
  const auto model = open_model(models, request.text.model, job);
  const Transformer& transformer = *model->transformer;
  const AttentionPart part = parse_attention(request.layer, request.head, transformer);
  const Encoding encoding = encode(*model, request.text.text, "", job);
  check_attention_length(encoding);
  const MatrixF x = transformer.embed(encoding.ids);
  Index longest = encoding.size();
  std::optional<MatrixF> after;
  std::optional<Encoding> changed;
  if (request.move.token) {
    check_token(*request.move.token, encoding);
    after = with_move(model->transformer, x, request.move);
  } else if (request.changed) {
    changed = encode(*model, *request.changed, "", job);
    check_attention_length(*changed);
    after = transformer.embed(changed->ids);
    longest = std::max(longest, changed->size());
  }
  const Index squares = part.range.layers * (part.mean ? 1 : part.range.heads) * (after ? 2 : 1);
  const Index block = block_of(longest, request.size, squares);
  std::string json = fmt::format(
      "{{\"text\": {}, \"layer\": {}, \"head\": {}, \"pieces\": {}, \"attention\": {}",
      value_to_json(request.text.text),
      request.layer == "all" ? value_to_json(request.layer) : value_to_json(std::int64_t{part.range.first_layer}),
      value_to_json(request.head), value_to_json(encoding.pieces),
      attention_json(transformer, x, request, part, block));
  if (request.move.token)
    json +=
        fmt::format(", \"token\": {}, \"direction\": \"{}\"", *request.move.token, to_string(request.move.direction));
  if (changed)
    json += fmt::format(", \"changed\": {}, \"pieces_after\": {}", value_to_json(*request.changed),
                        value_to_json(changed->pieces));
  if (after) json += ", \"attention_after\": " + attention_json(transformer, *after, request, part, block);
  return json + fmt::format(", \"reduced\": {}, \"block\": {}}}", block > 1, block);
}

Prepared attention(const ServedModels& models, RequestArguments& ask) {
  const AttentionRequest request = read_attention_request(models, ask);
  return {"attention", [&models, request](Job& job) { return attention_result(models, request, job); }};
}

}  // namespace

std::vector<Endpoint> text_endpoints(const ServedModels& models) {
  return {{"tokenize", [&models](RequestArguments& ask) { return tokenize(models, ask); }, true},
          {"words", [&models](RequestArguments& ask) { return words(models, ask); }},
          {"substitute", [&models](RequestArguments& ask) { return substitute(models, ask); }},
          {"layers", [&models](RequestArguments& ask) { return layers(models, ask); }},
          {"attention", [&models](RequestArguments& ask) { return attention(models, ask); }}};
}

}  // namespace wordsway::serve
