#include "shell/question_commands.h"

#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "options/chart.h"
#include "options/common.h"
#include "options/names.h"
#include "shell/field_options.h"
#include "shell/program_command.h"
#include "shell/shell_context.h"
#include "system/check_failed.h"
#include "system/streams.h"
#include "system/terminal.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

struct QuestionCommand {
  std::shared_ptr<const Question> question;
  WrittenFields written;
  CommonOptions common;
  ChartOptions chart;
  std::string columns = "people";
};

// The columns of tables: those for people, all, or the ones that are named.
std::vector<Record> chosen_columns(const QuestionCommand& command, std::vector<Record> rows) {
  if (command.columns == "people") return for_people(*command.question, std::move(rows));
  if (command.columns == "all") return rows;
  const std::vector<std::string> names = parse_names(command.columns, "--columns");
  for (Record& row : rows) {
    std::vector<std::string> known;
    for (const auto& [name, value] : row.fields()) known.push_back(name);
    Record chosen;
    for (const std::string& name : names) {
      const Value* value = row.find(name);
      if (value == nullptr) throw UsageError("--columns: " + unknown_name("column", name, known));
      chosen.set(name, *value);
    }
    row = std::move(chosen);
  }
  return rows;
}

void print(const QuestionCommand& command, Answer answer) {
  if (answer.chart && !command.chart.empty())
    write_picture(answer.chart(parse_bands(command.chart.bands)), command.chart.canvas());
  if (answer.shape != Answer::Shape::kNothing && answer.shape != Answer::Shape::kParts) {
    if (!answer.table) {
      answer.table = [&command, rows = answer.rows](int) { return to_table(chosen_columns(command, rows)); };
    }
    print_out(format_answer(*command.question, answer, command.common.format, line_width(STDOUT_FILENO)));
  }
  if (!answer.annotations.empty()) write_error({answer.annotations});
  if (!answer.interrupted.empty()) throw Stopped(answer.interrupted);
  if (!answer.failure.empty()) throw CheckFailed(answer.failure);
}

void ask(const QuestionCommand& command) {
  const FieldTable& table = command.question->fields();
  ShellContext context({command.common, !command.chart.empty(),
                        [&](std::string_view sentence) { return in_shell(sentence, table); },
                        [&](std::vector<Record> rows) { return chosen_columns(command, std::move(rows)); }});
  with_shell_names(table, [&] {
    const AnyRequest request = filled(command.question->request(), table, command.written);
    Answer answer = command.question->answer(request, context);
    if (context.leads()) print(command, std::move(answer));
  });
}

}  // namespace

void add_question_command(CLI::App& app, const std::string& name) {
  auto state = std::make_shared<QuestionCommand>();
  state->question = question_registry().get(name);
  const Question& question = *state->question;
  const Guide& guide = question.guide();
  CLI::App* command = app.add_subcommand(name, guide.summary);
  const AnyRequest defaults = question.request();
  add_field_options(*command, question.fields(), defaults.get(), state->written);
  if (!guide.chart.empty()) {
    add_chart_option(*command, state->chart, guide.chart + ": .svg, .pdf, .png or .tex (without it: no picture)");
    if (guide.chart_has_bands) add_bands_option(*command, state->chart.bands);
  }
  command
      ->add_option("--columns", state->columns,
                   "Which columns a table has: people (those that answer the question), all, or names, comma-separated")
      ->check(such_as({"people", "all"}))
      ->capture_default_str();
  add_common_options(*command, state->common);
  add_examples(*command, guide.examples, guide.columns);
  command->callback([state] { ask(*state); });
}

}  // namespace wordsway::app
