// Programs built on questions: commands that have fields like a question and print for themselves.
#pragma once

#include <functional>
#include <memory>

#include "options/common.h"
#include "shell/field_options.h"
#include "wordsway/ask/question.h"

namespace wordsway::app {

/// The request with the values that were written.
AnyRequest filled(AnyRequest request, const FieldTable& table, const WrittenFields& written);

/// Adds a command whose request has the fields of `table`; `run` gets it filled and checked.
void add_program_command(CLI::App& app, const std::string& name, const Guide& guide, FieldTable table,
                         const std::function<std::shared_ptr<void>()>& defaults,
                         const std::function<void(const void* request, const CommonOptions& common)>& run);

/// Adds the command for a request type with a static describe(Fields<Request>&).
template <typename Request>
void add_program_command(CLI::App& app, const std::string& name, const Guide& guide,
                         void (*run)(const Request&, const CommonOptions&)) {
  FieldTable table;
  Fields<Request> fields(table);
  Request::describe(fields);
  add_program_command(
      app, name, guide, std::move(table), [] { return std::make_shared<Request>(); },
      [run](const void* request, const CommonOptions& common) { run(*static_cast<const Request*>(request), common); });
}

}  // namespace wordsway::app
