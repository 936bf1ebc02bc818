#include "shell/field_options.h"

#include <algorithm>
#include <functional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "system/process.h"
#include "wordsway/core/error.h"
#include "wordsway/io/output_paths.h"

namespace wordsway::app {
namespace {

std::string with_dashes(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string flags_of(const FieldInfo& field) {
  if (!field.argument.empty()) return field.argument;
  const std::string flag = "--" + with_dashes(field.name);
  return field.short_flag.empty() ? flag : fmt::format("-{},{}", field.short_flag, flag);
}

// The help's word for a value. Its range is mentioned when a value is refused.
std::string value_name(const FieldInfo& field) {
  if (!field.value_name.empty()) return field.value_name;
  switch (field.kind) {
    case FieldKind::kWhole:
      return "INT";
    case FieldKind::kNumber:
      return "FLOAT";
    default:
      return "TEXT";
  }
}

// Names that shells complete (reference/reference.h).
CLI::Validator offered(const std::vector<std::string>& names) {
  return CLI::Validator(fmt::format("{{{}}}", fmt::join(names, ",")));
}

// Checks outputs before anything is computed. Only the first process writes.
void check_output(const FieldInfo& field, const std::string& path) {
  if (path.empty() || !is_first_process()) return;
  if (field.kind == FieldKind::kOutput) check_output_file(path);
  if (field.kind == FieldKind::kJournal) check_output_file(path, WriteMode::kInPlace);
  if (field.kind == FieldKind::kArrays) check_output_arrays(path);
}

CLI::Option* add_value(CLI::App& command, const FieldInfo& field, const std::string& help, WrittenFields& written) {
  const std::string name = field.name;
  if (field.kind == FieldKind::kTexts && (!field.argument.empty() || !field.names_file)) {
    // Each argument is one text: never split, whatever commas or brackets it holds.
    CLI::Option* option = command.add_option_function<std::vector<std::string>>(
        flags_of(field), [&written, name](const std::vector<std::string>& texts) { written[name] = texts; }, help);
    option->delimiter('\0');
    if (field.argument.empty()) option->allow_extra_args(false);
    return option;
  }
  return command.add_option_function<std::string>(
      flags_of(field), [&written, name](const std::string& text) { written[name] = {text}; }, help);
}

void add_field(CLI::App& command, const AnyField& field, const void* defaults, WrittenFields& written) {
  const FieldInfo& info = field.info;
  std::string help = info.help;
  if (!info.default_text.empty()) help += fmt::format(" (default: {})", info.default_text);
  if (info.kind == FieldKind::kFlag) {
    command.add_flag_function(
        "--" + with_dashes(info.name), [&written, name = info.name](std::int64_t) { written[name]; }, help);
    return;
  }
  CLI::Option* option = add_value(command, info, help, written);
  option->type_name(value_name(info));
  if (info.default_text.empty())
    option->default_str(info.has_shown_default ? info.shown_default : field.show(defaults));
  if (!info.choices.empty()) option->check(offered(info.choices));
  if (info.hidden) option->group("");
  option->each([info](const std::string& text) { check_output(info, text); });
}

}  // namespace

void add_field_options(CLI::App& command, const FieldTable& table, const void* defaults, WrittenFields& written) {
  for (const AnyField& field : table.fields)
    if (field.info.is_for(FrontEnd::kShell)) add_field(command, field, defaults, written);
}

std::string shell_name(const FieldInfo& field) {
  if (!field.argument.empty()) return field.argument;
  return field.known_by_letter ? "-" + field.short_flag : "--" + with_dashes(field.name);
}

std::string in_shell(std::string_view sentence, const FieldTable& table) {
  return spelled(sentence, table.infos(), shell_name);
}

void with_shell_names(const FieldTable& table, const std::function<void()>& work) {
  try {
    work();
  } catch (const UsageError& error) {
    throw UsageError(in_shell(error.what(), table));
  } catch (const DataError& error) {
    throw DataError(in_shell(error.what(), table));
  }
}

}  // namespace wordsway::app
