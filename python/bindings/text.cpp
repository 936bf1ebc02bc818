// What one asks of a model and texts: words, substitute, layers, measure; and of a decoder: generate, answers.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "model_handle.h"
#include "wordsway/audit/answers.h"
#include "wordsway/audit/layers.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/run/run_study.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/model_study.h"
#include "wordsway/study/word_studies.h"
#include "wordsway/text/reviews/example_texts.h"

namespace wordsway::python {
namespace {

using Texts = std::vector<std::string>;
using OptionalText = std::optional<std::string>;

// Which output, and what goes before the texts.
struct Asked {
  std::string layer, rows;
  PromptChoice prompt;
};

std::vector<LabelledText> labelled(const Texts& texts) {
  std::vector<LabelledText> result;
  result.reserve(texts.size());
  for (size_t k = 0; k < texts.size(); ++k) result.push_back({texts[k], std::nullopt, std::to_string(k)});
  return result;
}

std::string joined(const Texts& texts) {
  std::string name;
  for (size_t k = 0; k < texts.size(); ++k) name += (k == 0 ? "" : " | ") + texts[k];
  return name;
}

struct Remarks {
  std::vector<std::string> sentences;

  void cut(const Model& model, const std::vector<Encoding>& encodings) {
    const auto count = std::count_if(encodings.begin(), encodings.end(), [](const Encoding& text) { return text.cut; });
    if (count > 0)
      sentences.push_back(std::to_string(count) + " of " + std::to_string(encodings.size()) +
                          " texts were cut to the " + std::to_string(model.most_tokens()) + " tokens the model takes");
  }
};

StudiedTexts studied(const ModelHandle& handle, const ModelHandle* head, const Texts& texts, const Asked& asked,
                     Remarks& remarks) {
  const PromptedOutput ask = prompted_output(*handle, asked.layer, asked.rows, asked.prompt);
  StudiedTexts result;
  result.model = handle.model;
  if (head != nullptr) {
    result.head = head->model;
    remarks.sentences.push_back(handle->transformer->name() +
                                " predicts no masked words: the built-in model says which words fit a place");
  }
  result.name = joined(texts);
  result.texts = labelled(texts);
  result.encodings = encode_texts(*handle, result.texts, {.prompt = ask.prompt});
  remarks.cut(*handle, result.encodings);
  result.layer = asked.layer;
  result.change = {ask.output, ask.prompt};
  return result;
}

// Runs a study of texts; rows of every text by themselves.
nb::dict run_texts(const std::function<std::unique_ptr<TextStudy>(const Progress&)>& make, size_t texts,
                   const std::string& journal, Remarks& remarks, nb::handle progress) {
  Record config;
  std::vector<std::vector<Record>> rows(texts);
  call_released(progress, [&](const Progress& tell) {
    const std::unique_ptr<TextStudy> study = make(tell);
    config = study->config();
    RunOptions run;
    if (study->size() > 1) run.progress = tell;
    run.journal = journal;
    run.remark = [&](const std::string& remark) { remarks.sentences.push_back(remark); };
    run.rows = [&](Index task, const std::vector<Record>& of_task) {
      rows[static_cast<size_t>(study->text_of(task))] = of_task;
    };
    if (study->size() == 0) return;
    if (const auto remark = remark_on_failures(run_study(*study, run))) remarks.sentences.push_back(*remark);
  });
  nb::list of_texts;
  for (const std::vector<Record>& of_text : rows) of_texts.append(to_python(of_text));
  nb::dict result;
  result["config"] = to_python(config);
  result["texts"] = of_texts;
  result["remarks"] = nb::cast(remarks.sentences);
  return result;
}

nb::dict words(const ModelHandle& handle, const ModelHandle* head, const Texts& texts, const std::string& layer,
               const std::string& rows, const OptionalText& prompt_name, const OptionalText& prompt, bool ball,
               bool fast, bool builtin, int average, double radius, const std::string& radius_unit,
               std::optional<int> starts, int steps, std::optional<double> tolerance, std::uint64_t seed,
               const std::string& journal, nb::handle progress) {
  WordOptions options;
  options.search = {{radius, parse_radius_unit(radius_unit)}, starts, steps, tolerance};
  options.average = average;
  options.seed = seed;
  choose_ball(options, {ball, fast, builtin});
  Remarks remarks;
  const auto make = [&](const Progress& tell) -> std::unique_ptr<TextStudy> {
    StudiedTexts asked = studied(handle, head, texts, {layer, rows, {prompt_name, prompt}}, remarks);
    if (texts.size() == 1) asked.progress = tell;
    return std::make_unique<WordsStudy>(std::move(asked), options);
  };
  return run_texts(make, texts.size(), journal, remarks, progress);
}

nb::dict substitute(const ModelHandle& handle, const ModelHandle* head, const Texts& texts, const std::string& layer,
                    const std::string& rows, const OptionalText& prompt_name, const OptionalText& prompt,
                    const OptionalText& word, std::optional<Index> token, Index top, const std::string& candidates,
                    const std::vector<std::string>& given, std::optional<Index> evaluations, bool exhaustive,
                    std::optional<double> threshold, const OptionalText& unit, std::uint64_t seed,
                    const std::string& journal, nb::handle progress) {
  SubstituteStudyOptions options;
  options.search.source = !given.empty()              ? CandidateSource::kGiven
                          : candidates == "plausible" ? CandidateSource::kPlausible
                                                      : CandidateSource::kAll;
  options.search.given = given;
  options.search.evaluations = evaluations;
  options.search.exhaustive = exhaustive;
  options.search.seed = seed;
  options.choice = {word, token};
  options.top = top;
  if (threshold) options.threshold = cosine_of_threshold(*threshold, parse_similarity_unit(unit.value_or("")));
  Remarks remarks;
  const auto make = [&](const Progress& tell) -> std::unique_ptr<TextStudy> {
    StudiedTexts asked = studied(handle, head, texts, {layer, rows, {prompt_name, prompt}}, remarks);
    if (texts.size() == 1) asked.progress = tell;
    return std::make_unique<SubstituteStudy>(std::move(asked), options);
  };
  return run_texts(make, texts.size(), journal, remarks, progress);
}

nb::dict layers(const ModelHandle& handle, const OptionalText& given, std::optional<Index> given_token,
                const std::vector<std::string>& directions, const std::string& layer, const std::string& rows,
                const OptionalText& prompt_name, const OptionalText& prompt, double radius,
                const std::string& radius_unit, int draws, std::uint64_t seed, nb::handle progress) {
  const Model& model = *handle;
  const std::string text = given.value_or(std::string(kPaperSummary));
  const Index token = given_token.value_or(given ? 1 : kPaperSummaryToken);
  const PromptedOutput ask = prompted_output(model, layer, rows, {prompt_name, prompt});
  std::vector<MoveDirection> moves;
  moves.reserve(directions.size());
  for (const std::string& name : directions) moves.push_back(parse_direction(name));
  LayerOptions options{std::nullopt, {radius, parse_radius_unit(radius_unit)}, draws, seed};
  if (ask.output.is_vector()) options.vector = ask.output;
  Remarks remarks;
  Encoding encoding;
  std::vector<Record> found;
  call_released(progress, [&](const Progress& tell) {
    std::vector<Encoding> encodings = encode_texts(model, labelled({text}), {.prompt = ask.prompt});
    remarks.cut(model, encodings);
    encoding = std::move(encodings.front());
    if (token < 0 || token >= encoding.size())
      throw UsageError("token " + std::to_string(token) + " is out of range; the text has tokens 0 to " +
                       std::to_string(encoding.size() - 1));
    const MatrixF x = model.transformer->embed(encoding.ids);
    StepCounter counter(tell, "layers", static_cast<double>(moves.size()));
    for (const MoveDirection move : moves) {
      const LayerChanges changes = measure_layers(model.transformer, x, token, move, options);
      for (Record& row : rows_of(changes, model.transformer->config().layers, layer, token,
                                 encoding.pieces[static_cast<size_t>(token)]))
        found.push_back(std::move(row));
      counter.step();
    }
  });
  nb::dict result;
  result["text"] = text;
  result["token"] = token;
  result["pieces"] = nb::cast(encoding.pieces);
  result["rows"] = to_python(found);
  result["remarks"] = nb::cast(remarks.sentences);
  return result;
}

nb::dict measure(const ModelHandle& handle, const Texts& texts, const std::vector<Index>& n, const std::string& layer,
                 const std::string& rows, const OptionalText& prompt_name, const OptionalText& prompt,
                 std::optional<Index> token, Index typical, double radius, const std::string& radius_unit,
                 std::optional<int> starts, int steps, std::optional<double> tolerance, std::uint64_t seed,
                 std::optional<Index> trials, const std::string& journal, double memory, nb::handle progress) {
  const Model& model = *handle;
  const PromptedOutput ask = prompted_output(model, layer, rows, {prompt_name, prompt});
  Remarks remarks;
  std::optional<Vector> delta;
  Record settings;
  StudyResult found;
  std::vector<Record> fits;
  call_released(progress, [&](const Progress& tell) {
    std::vector<Encoding> encodings = encode_texts(model, labelled(texts), {.prompt = ask.prompt});
    remarks.cut(model, encodings);
    ModelStudyConfig config{model.transformer, ids_of(model, joined(texts), std::move(encodings))};
    config.layer = layer;
    config.output = ask.output;
    config.n = n;
    config.trials = trials;
    config.token = token;
    config.typical = typical;
    config.search = {{radius, parse_radius_unit(radius_unit)}, starts, steps, tolerance};
    config.seed = seed;
    if (ModelStudy(config).size() == 1) config.observe = [&](const Vector& move) { delta = move; };
    const ModelStudy study(config);
    RunOptions run;
    run.progress = tell;
    run.journal = journal;
    run.memory_limit = memory;
    run.remark = [&](const std::string& remark) { remarks.sentences.push_back(remark); };
    found = run_study(study, run);
    if (const auto remark = remark_on_failures(found)) remarks.sentences.push_back(*remark);
    settings = study.config();
    fits = fit_curves(found.rows);
  });
  nb::dict result;
  result["config"] = to_python(settings);
  result["rows"] = to_python(found.rows);
  result["fits"] = to_python(fits);
  result["delta"] = delta ? nb::cast(array_of(*delta)) : nb::none();
  result["remarks"] = nb::cast(remarks.sentences);
  return result;
}

// Of decoders.

GenerateOptions generate_options(Index max_new_tokens, double temperature, double top_p, std::uint64_t seed,
                                 const std::vector<std::string>& stop, const std::string& chat_template) {
  GenerateOptions options;
  options.max_new_tokens = max_new_tokens;
  options.temperature = temperature;
  options.top_p = top_p;
  options.seed = seed;
  options.stop = stop;
  options.chat_template = parse_chat_template(chat_template);
  options.check();
  return options;
}

// A text that grows on a thread of its own, and is taken away piece by piece.
class TextInTheMaking {
 public:
  TextInTheMaking(const ModelHandle& handle, const std::string& prompt, GenerateOptions options) {
    options.on_text = [this](std::string_view piece) {
      const std::lock_guard lock(mutex_);
      if (!piece.empty()) pieces_.emplace_back(piece);
      changed_.notify_one();
      return true;
    };
    worker_ = std::jthread([this, model = handle.model, prompt, options = std::move(options)](std::stop_token token) {
      const StopScope scope(std::move(token));
      try {
        result_ = generate(*model, prompt, options);
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_one();
    });
  }
  ~TextInTheMaking() { close(); }
  TextInTheMaking(const TextInTheMaking&) = delete;
  TextInTheMaking& operator=(const TextInTheMaking&) = delete;

  // Nothing when the text has ended.
  std::optional<std::string> next() {
    std::optional<std::string> piece;
    wait_released([&](int milliseconds) {
      std::unique_lock lock(mutex_);
      const auto come = [&] { return ended_ || !pieces_.empty(); };
      if (!changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), come)) return false;
      if (!pieces_.empty()) {
        piece = std::move(pieces_.front());
        pieces_.pop_front();
      }
      return true;
    });
    if (!piece && failure_) {
      const std::exception_ptr failure = std::exchange(failure_, nullptr);
      std::rethrow_exception(failure);
    }
    return piece;
  }

  void close() {
    const nb::gil_scoped_release without_gil;
    worker_.request_stop();
    if (worker_.joinable()) worker_.join();
  }

  // None until it has ended.
  nb::object row() {
    const std::lock_guard lock(mutex_);
    return ended_ && result_ ? nb::object(to_python(row_of(*result_))) : nb::none();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> pieces_;
  bool ended_ = false;
  std::optional<Generation> result_;
  std::exception_ptr failure_;
  std::jthread worker_;  // last: it uses the others
};

nb::dict compare(const ModelHandle& handle, const OptionalText& prompt_a, const OptionalText& prompt_b,
                 Index max_new_tokens, double temperature, double top_p, std::uint64_t seed,
                 const std::vector<std::string>& stop, const std::string& chat_template, nb::handle progress) {
  GenerateOptions options = generate_options(max_new_tokens, temperature, top_p, seed, stop, chat_template);
  std::pair<std::string, std::string> prompts = builtin_prompts();
  if (prompt_a && prompt_b) prompts = {*prompt_a, *prompt_b};
  const Answers answers = released(progress, [&](const Progress& tell) {
    StepCounter counter(tell, "answers", 2 * static_cast<double>(max_new_tokens));
    options.on_text = [&](std::string_view) {
      counter.step();
      return true;
    };
    return compare_answers(*handle, prompts.first, prompts.second, options);
  });
  nb::dict result;
  result["prompts"] = nb::make_tuple(prompts.first, prompts.second);
  result["json"] = to_json(answers);
  result["tokens_a"] = nb::cast(token_texts(*handle->tokenizer, answers.a.ids));
  result["tokens_b"] = nb::cast(token_texts(*handle->tokenizer, answers.b.ids));
  return result;
}

}  // namespace

void bind_text(nb::module_& module) {
  using namespace nb::literals;
  module.def("words", &words, nb::kw_only(), "model"_a, "head"_a.none(), "texts"_a, "layer"_a, "rows"_a,
             "prompt_name"_a.none(), "prompt"_a.none(), "ball"_a, "fast"_a, "builtin"_a, "average"_a, "radius"_a,
             "radius_unit"_a, "starts"_a.none(), "steps"_a, "tolerance"_a.none(), "seed"_a, "journal"_a,
             "progress"_a.none());
  module.def("substitute", &substitute, nb::kw_only(), "model"_a, "head"_a.none(), "texts"_a, "layer"_a, "rows"_a,
             "prompt_name"_a.none(), "prompt"_a.none(), "word"_a.none(), "token"_a.none(), "top"_a, "candidates"_a,
             "given"_a, "evaluations"_a.none(), "exhaustive"_a, "threshold"_a.none(), "unit"_a.none(), "seed"_a,
             "journal"_a, "progress"_a.none());
  module.def("layers", &layers, nb::kw_only(), "model"_a, "text"_a.none(), "token"_a.none(), "directions"_a, "layer"_a,
             "rows"_a, "prompt_name"_a.none(), "prompt"_a.none(), "radius"_a, "radius_unit"_a, "draws"_a, "seed"_a,
             "progress"_a.none());
  module.def("measure_model", &measure, nb::kw_only(), "model"_a, "texts"_a, "n"_a, "layer"_a, "rows"_a,
             "prompt_name"_a.none(), "prompt"_a.none(), "token"_a.none(), "typical"_a, "radius"_a, "radius_unit"_a,
             "starts"_a.none(), "steps"_a, "tolerance"_a.none(), "seed"_a, "trials"_a.none(), "journal"_a, "memory"_a,
             "progress"_a.none());
  nb::class_<TextInTheMaking>(module, "TextInTheMaking")
      .def("next", &TextInTheMaking::next)
      .def("close", &TextInTheMaking::close)
      .def("row", &TextInTheMaking::row);
  module.def(
      "generate",
      [](const ModelHandle& handle, const std::string& prompt, Index max_new_tokens, double temperature, double top_p,
         std::uint64_t seed, const std::vector<std::string>& stop, const std::string& chat_template) {
        return new TextInTheMaking(handle, prompt,
                                   generate_options(max_new_tokens, temperature, top_p, seed, stop, chat_template));
      },
      nb::rv_policy::take_ownership, nb::kw_only(), "model"_a, "prompt"_a, "max_new_tokens"_a, "temperature"_a,
      "top_p"_a, "seed"_a, "stop"_a, "template"_a);
  module.def("answers", &compare, nb::kw_only(), "model"_a, "prompt_a"_a.none(), "prompt_b"_a.none(),
             "max_new_tokens"_a, "temperature"_a, "top_p"_a, "seed"_a, "stop"_a, "template"_a, "progress"_a.none());
}

}  // namespace wordsway::python
