#include "wordsway/ask/question.h"

#include <algorithm>

#include "wordsway/audit/model.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway {

template class Registry<std::shared_ptr<const Question>>;

void register_all_questions(QuestionRegistry& registry);  // written by the build

void RunChoice::describe(Fields<RunChoice>& fields, const std::string& out) {
  auto journal = fields.path(out.c_str(), &RunChoice::out, FieldKind::kJournal,
                             "Journal, FILE.jsonl: every finished trial is written to it at once, and the same command "
                             "continues it after an interruption (without it: no journal)");
  journal.in_python("journal");
  if (out == "out") journal.short_flag("o");
  fields
      .flag("dry_run", &RunChoice::dry_run,
            "Compute nothing: only say how many points and trials, and the expected time and memory")
      .role(FieldRole::kDisplay)
      .only_for({FrontEnd::kShell});
  fields.bytes("memory", &RunChoice::memory, "Memory that all trials together may use on a machine, such as 8G")
      .by_default("most of what it has")
      .not_on_page();
}

std::shared_ptr<const Model> Context::model(const ModelChoice& choice, const Device& device, const std::string& usual) {
  if (choice.loaded != nullptr) return choice.loaded;
  return open(choice.name.empty() ? usual : choice.name, device);
}

std::shared_ptr<const Tokenizer> Context::tokenizer(const ModelChoice& choice) {
  if (choice.loaded != nullptr) return choice.loaded->tokenizer;
  return open_tokenizer(choice.name.empty() ? "builtin" : choice.name);
}

std::shared_ptr<const Tokenizer> Context::open_tokenizer(const std::string& name) {
  return open(name, {})->tokenizer;
}

void AnyRequest::set(const AnyField& field, const Given& given) {
  field.set(field.info, request_.get(), given);
  given_.insert(field.info.name);
}

void AnyRequest::check() const {
  for (const auto& note : table_->notes) note(request_.get(), given_);
  for (const auto& check : table_->checks) check(request_.get(), given_);
}

const QuestionRegistry& question_registry() {
  static const QuestionRegistry registry = [] {
    QuestionRegistry all("question");
    register_all_questions(all);
    return all;
  }();
  return registry;
}

std::vector<std::string> question_names() {
  std::vector<std::string> names = question_registry().names();
  std::ranges::stable_sort(names, {},
                           [](const std::string& name) { return question_registry().get(name)->guide().order; });
  return names;
}

Answer rows_answer(std::vector<Record> rows) {
  Answer answer;
  answer.shape = Answer::Shape::kRows;
  answer.rows = std::move(rows);
  return answer;
}

Answer row_answer(Record row) {
  Answer answer = rows_answer({std::move(row)});
  answer.shape = Answer::Shape::kRow;
  return answer;
}

Answer parts_answer() {
  Answer answer;
  answer.shape = Answer::Shape::kParts;
  return answer;
}

std::vector<Record> for_people(const Question& question, std::vector<Record> rows) {
  const std::vector<std::string>& left_out = question.guide().data_columns;
  for (Record& row : rows) {
    Record shown;
    for (const auto& [name, value] : row.fields())
      if (std::ranges::find(left_out, name) == left_out.end()) shown.set(name, value);
    row = std::move(shown);
  }
  return rows;
}

std::string format_answer(const Question& question, const Answer& answer, const std::string& format, int width) {
  if (format == "table") return answer.table ? answer.table(width) : to_table(for_people(question, answer.rows));
  if (format == "json") {
    if (answer.json) return answer.json();
    return answer.shape == Answer::Shape::kRow ? to_json(answer.rows.front()) + "\n" : format_rows(answer.rows, format);
  }
  if (format == "jsonl" && answer.json && answer.shape == Answer::Shape::kRow) return answer.json();
  return format_rows(format == "csv" && answer.csv ? answer.csv() : answer.rows, format);
}

}  // namespace wordsway
