#include "shell/program_command.h"

#include <CLI/CLI.hpp>

namespace wordsway::app {

AnyRequest filled(AnyRequest request, const FieldTable& table, const WrittenFields& written) {
  for (const AnyField& field : table.fields) {
    const auto given = written.find(field.info.name);
    if (given == written.end()) continue;
    request.set(field, field.info.kind == FieldKind::kFlag ? Given(true) : Given(Written{given->second}));
  }
  return request;
}

void add_program_command(CLI::App& app, const std::string& name, const Guide& guide, FieldTable table,
                         const std::function<std::shared_ptr<void>()>& defaults,
                         const std::function<void(const void* request, const CommonOptions& common)>& run) {
  struct Program {
    FieldTable table;
    WrittenFields written;
    CommonOptions common;
  };
  auto program = std::make_shared<Program>();
  program->table = std::move(table);
  CLI::App* command = app.add_subcommand(name, guide.summary);
  add_field_options(*command, program->table, defaults().get(), program->written);
  add_common_options(*command, program->common);
  add_examples(*command, guide.examples, guide.columns);
  command->callback([program, defaults, run] {
    with_shell_names(program->table, [&] {
      const AnyRequest request = filled({program->table, defaults()}, program->table, program->written);
      request.check();
      run(request.get(), program->common);
    });
  });
}

}  // namespace wordsway::app
