#include "wordsway/ask/choices/text_question.h"

#include <fmt/format.h>

#include "wordsway/audit/candidates.h"
#include "wordsway/run/study.h"

namespace wordsway {
namespace {

// Adds the number of the text in front if there are several texts.
Record numbered(size_t text, bool several, const Record& row) {
  Record result;
  if (several) result.set("text", static_cast<std::int64_t>(text));
  for (const auto& [name, value] : row.fields())
    if (name != "text") result.set(name, value);
  return result;
}

}  // namespace

void TextQuestion::describe(Fields<TextQuestion>& fields) {
  fields.include(&TextQuestion::texts, TextInput::Parts{});
  fields.include(&TextQuestion::model);
  fields.include(&TextQuestion::output);
  fields.include(&TextQuestion::prompt);
  fields.include(&TextQuestion::run);
}

StudiedTexts read_text_question(const TextQuestion& question, CandidateSource source, std::uint64_t seed,
                                Context& context) {
  StudiedTexts result;
  result.model = question.model.open(context);
  const Model& model = *result.model;
  const PromptedOutput ask = prompted_output(model, question.output, question.prompt, context);
  result.texts =
      question.texts.selects() ? read_texts(question.texts, *model.tokenizer, seed) : read_texts(question.texts);
  result.name = question.texts.name();
  result.encodings = encode_with_warnings(model, result.texts, context, {.prompt = ask.prompt});
  result.layer = question.output.layer;
  result.change = {ask.output, ask.prompt};
  warn_if_causal(model, context);
  const bool needs_head = source == CandidateSource::kAll || source == CandidateSource::kPlausible;
  if (needs_head && !predicts_masked_words(model)) {
    result.head = context.model({});
    context.warn(fmt::format("{} predicts no masked words: the built-in model says which words fit a place",
                             model.transformer->name()));
  }
  if (result.texts.size() == 1) {
    result.progress = context.progress();
    result.partial = [&context](const Record& row) { context.preview(row); };
  }
  return result;
}

Answer answer_by_text(const TextStudy& study, const StudiedTexts& texts, const TextQuestion& question, Context& context,
                      const std::function<void(size_t, const std::vector<Record>&, Part&)>& finish,
                      const std::function<PartsEnd()>& end) {
  const size_t count = texts.texts.size();
  if (!question.run.dry_run) context.begin_parts({.count = count});
  const auto add = [&](size_t text, const std::vector<Record>& rows) {
    std::vector<Record> shown;
    shown.reserve(rows.size());
    for (const Record& row : rows) shown.push_back(numbered(text, count > 1, row));
    Part part;
    if (finish) finish(text, shown, part);
    part.rows = [shown = std::move(shown)] { return shown; };
    context.add_part(text, std::move(part));
  };
  std::vector<bool> has_task(count, false);
  for (Index task = 0; task < study.size(); ++task) has_task[static_cast<size_t>(study.text_of(task))] = true;
  for (size_t text = 0; text < count && !question.run.dry_run; ++text)
    if (!has_task[text]) add(text, {});
  Answer answer = parts_answer();
  answer.config = study.config();
  if (study.size() > 0) {
    RunHooks hooks;
    hooks.tells_progress = count == 1;
    // A failed text is reported as a warning and in the journal.
    hooks.see = [&](Index task, const std::vector<Record>& rows) {
      const bool failed = !rows.empty() && is_failed(rows.front());
      add(static_cast<size_t>(study.text_of(task)), failed ? std::vector<Record>() : rows);
    };
    if (!context.run(study, question.run, hooks)) return {};
  }
  context.finish_parts(end ? end() : PartsEnd());
  return answer;
}

}  // namespace wordsway
