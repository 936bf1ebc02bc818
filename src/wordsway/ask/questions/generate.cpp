// generate: what does a decoder write after a prompt?
#include "wordsway/audit/generate.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "wordsway/ask/choices/generation_choice.h"
#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/question.h"
#include "wordsway/audit/answers.h"
#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway {
namespace {

struct GenerateRequest {
  TextInput prompts;
  ModelInput model;
  GenerationChoice generation;
  RunChoice run;

  static void describe(Fields<GenerateRequest>& fields) {
    fields.include(&GenerateRequest::prompts,
                   TextInput::Parts{.selection = false,
                                    .argument_help = "Prompts, each in quotes as one argument (without them: those of "
                                                     "-i, else a built-in question about a film)",
                                    .argument = "PROMPT"});
    fields.field("texts").on_page("prompt");
    fields.include(&GenerateRequest::model, ModelInput::Usual{.is_decoder = true});
    fields.include(&GenerateRequest::generation);
    fields.include(&GenerateRequest::run);
  }
};

std::vector<LabelledText> prompts_of(const GenerateRequest& request) {
  if (!request.prompts.has_any()) return {{builtin_prompts().first, std::nullopt, "0"}};
  return read_texts(request.prompts);
}

Record without_number(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name != "number") result.set(name, value);
  return result;
}

// A row for people: the number of tokens instead of their ids.
Record for_reading(const Record& row) {
  const auto* ids = std::get_if<std::vector<std::int64_t>>(row.find("ids"));
  return {{"prompt", row.text("prompt")},
          {"text", row.text("text")},
          {"tokens", static_cast<std::int64_t>(ids == nullptr ? 0 : ids->size())},
          {"finished", *row.find("finished")},
          {"seconds", row.number("seconds")},
          {"tokens_per_second", *row.find("tokens_per_second")}};
}

Part part_of(const Record& row) {
  Part part;
  part.rows = [row] { return std::vector{row}; };
  part.object = [row] { return to_json(row); };
  part.people = [row] { return std::vector{for_reading(row)}; };
  return part;
}

// A task is one prompt. Rows begin with its number. The context gets the text while it grows.
class GenerateStudy final : public Study {
 public:
  GenerateStudy(const GenerateRequest& request, std::shared_ptr<const Model> model, std::vector<LabelledText> prompts,
                Context& context)
      : request_(request), model_(std::move(model)), prompts_(std::move(prompts)), context_(context) {}

  std::string command() const override { return "generate"; }
  Record config() const override {
    const GenerateOptions& options = request_.generation.options;
    return {{"model", model_->transformer->name()},
            {"prompts", static_cast<std::int64_t>(prompts_.size())},
            {"max_new_tokens", std::int64_t{options.max_new_tokens}},
            {"temperature", options.temperature},
            {"top_p", options.top_p},
            {"seed", static_cast<std::int64_t>(options.seed)},
            {"stop", options.stop},
            {"template", describe_chat_template(options.chat_template)}};
  }
  StudyContent content() const override {
    Record content = content_of(*model_);
    Digest digest;
    for (const LabelledText& prompt : prompts_) digest.add(prompt.text);
    content.set("prompts", digest.text());
    return {content, {{"model"}}};
  }
  Index size() const override { return static_cast<Index>(prompts_.size()); }
  Record key(Index task) const override {
    return {{"number", std::int64_t{task}}, {"prompt", prompts_[static_cast<size_t>(task)].text}};
  }
  // Keys and values of the text.
  double memory_bytes(Index /*task*/) const override {
    const ModelConfig& config = model_->transformer->config();
    return 2.0 * sizeof(float) * static_cast<double>(request_.generation.options.max_new_tokens + 256) *
           static_cast<double>(config.layers * config.hidden_size);
  }
  double work(Index /*task*/) const override {
    const ModelConfig& config = model_->transformer->config();
    return config.forward_flops(request_.generation.options.max_new_tokens + 16, std::max<Index>(1, config.layers));
  }
  int most_at_once() const override { return 1; }  // people watch one text grow

  // Throws Stopped if the text was ended early: a journal must not keep it.
  std::vector<Record> run(Index task) const override {
    const std::string& prompt = prompts_[static_cast<size_t>(task)].text;
    GenerateOptions options = request_.generation.options;
    const bool in_template = options.chat_template != ChatTemplate::kNone;
    if (context_.shows_text()) context_.text("a", (task > 0 ? "\n" : "") + prompt + (in_template ? "\n\n" : ""));
    options.on_text = [this](std::string_view more) {
      context_.text("a", more);
      return !context_.stopped();
    };
    const Generation found = generate(*model_, prompt, options);
    if (found.prompt_cut)
      context_.warn(fmt::format("prompt {} (counted from 0) was cut to the {} tokens that {} has positions for", task,
                                found.prompt_ids.size(), model_->transformer->name()));
    if (context_.shows_text()) context_.text("a", "\n");
    if (context_.shows_text() && found.tokens_per_second)
      context_.warn(fmt::format("{} tokens, {:.3g} tokens per second{}", found.ids.size(), *found.tokens_per_second,
                                found.finished ? "; the text ended" : ""));
    Record row = key(task);
    row.merge(row_of(found));
    row.merge(device_fields(*model_->transformer));
    shown_.insert(task);
    if (found.stopped) {
      add(task, row);
      throw Stopped(fmt::format("interrupted at prompt {} of {}", task + 1, size()));
    }
    return {row};
  }

  // Hands the row of a task on, unless people watched its text grow.
  void add(Index task, const Record& row) const {
    if (!context_.shows_text()) return context_.add_part(static_cast<size_t>(task), part_of(without_number(row)));
    if (!shown_.contains(task)) context_.text("a", row.text("prompt") + row.text("text") + "\n");
  }

 private:
  const GenerateRequest& request_;
  std::shared_ptr<const Model> model_;
  std::vector<LabelledText> prompts_;
  Context& context_;
  mutable std::set<Index> shown_;  // one task runs at a time
};

Answer answer(const GenerateRequest& request, Context& context) {
  std::vector<LabelledText> prompts = prompts_of(request);
  const auto model = request.model.open_decoder(context);
  const GenerateStudy study(request, model, std::move(prompts), context);
  if (!request.run.dry_run)
    context.begin_parts({.count = static_cast<size_t>(study.size()), .as_objects = true, .one_table = true});
  RunHooks hooks;
  hooks.tells_progress = true;
  hooks.on_interrupt = "ending the text after the next token";
  hooks.see = [&](Index task, const std::vector<Record>& rows) {
    if (!is_failed(rows.front())) study.add(task, rows.front());
  };
  Answer answer = parts_answer();
  answer.config = study.config();
  try {
    if (study.size() > 0 && !context.run(study, request.run, hooks)) return {};
  } catch (const Stopped& stopped) {
    answer.interrupted = stopped.what();
  }
  context.finish_parts();
  return answer;
}

Guide guide() {
  Guide guide;
  guide.order = 90;
  guide.summary = "What a decoder writes after a prompt";
  guide.examples =
      "  wordsway generate\n"
      "  wordsway generate \"The film was\" --max-new-tokens 20\n"
      "  wordsway generate \"Was the film good?\" -m MODEL --template chatml --stop $'\\n'\n"
      "  wordsway generate -i prompts.txt -m MODEL --temperature 0.8 --top-p 0.9 \\\n"
      "      --format jsonl > texts.jsonl";
  guide.columns =
      "The text ends at the model's end-of-text token (generation_config.json, else\n"
      "config.json, else the tokenizer), at a --stop text, or after --max-new-tokens;\n"
      "`finished` is true for the first two. tokens_per_second counts the tokens after\n"
      "the first, from when that was chosen: reading the prompt is not in it. The same\n"
      "seed gives the same text with any number of threads. On a terminal the text\n"
      "appears as it is made; Ctrl-C ends it and keeps what there is.";
  guide.row_keys = {"prompt", "prompt_ids", "ids", "text", "finished", "seconds", "tokens_per_second"};
  return guide;
}

}  // namespace

void register_generate(QuestionRegistry& registry) {
  add_question(registry, "generate", guide(), answer);
}

}  // namespace wordsway
