#include "wordsway/ask/list_questions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/ask/question.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

const char* type_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kFlag:
      return "flag";
    case FieldKind::kWhole:
      return "whole number";
    case FieldKind::kNumber:
      return "number";
    case FieldKind::kText:
      return "text";
    case FieldKind::kChoice:
      return "choice";
    case FieldKind::kLabel:
      return "name or whole number";
    case FieldKind::kBytes:
      return "bytes";
    case FieldKind::kWholes:
      return "whole numbers";
    case FieldKind::kNumbers:
      return "numbers";
    case FieldKind::kNames:
      return "names";
    case FieldKind::kTexts:
      return "texts";
    case FieldKind::kModel:
      return "model";
    case FieldKind::kArray:
      return "array";
    case FieldKind::kInput:
      return "file to read";
    case FieldKind::kOutput:
    case FieldKind::kJournal:
    case FieldKind::kArrays:
      return "file to write";
  }
  return "";
}

// Missing if the front end does not have the field.
Value name_of(const FieldInfo& field, FrontEnd front_end) {
  return field.is_for(front_end) ? Value(field.name_in(front_end)) : Value();
}

std::string as_json(const AnyField& field, const void* defaults) {
  const FieldInfo& info = field.info;
  std::string by_default = info.default_text;
  if (by_default.empty()) by_default = info.has_shown_default ? info.shown_default : field.show(defaults);
  const Record record{{"name", info.name},
                      {"type", type_of(info.kind)},
                      {"default", by_default.empty() ? Value() : Value(by_default)},
                      {"choices", info.choices},
                      {"help", info.help},
                      {"python", name_of(info, FrontEnd::kPython)},
                      {"page", name_of(info, FrontEnd::kPage)}};
  return to_json(record);
}

std::string as_json(const std::string& name, const Question& question) {
  const AnyRequest defaults = question.request();
  std::vector<std::string> fields;
  for (const AnyField& field : question.fields().fields)
    if (!field.info.hidden) fields.push_back(as_json(field, defaults.get()));
  return fmt::format("{{\"name\": {}, \"summary\": {}, \"fields\": [{}], \"row_keys\": {}}}", value_to_json(name),
                     value_to_json(question.guide().summary), fmt::join(fields, ", "),
                     value_to_json(question.guide().row_keys));
}

}  // namespace

std::string list_questions() {
  std::vector<std::string> rows;
  for (const std::string& name : question_names()) rows.push_back(as_json(name, *question_registry().get(name)));
  return fmt::format("{{\"rows\": [{}]}}\n", fmt::join(rows, ",\n"));
}

}  // namespace wordsway
