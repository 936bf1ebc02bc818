// Every question as an endpoint: its keys are the fields that a page has, its answer is the JSON of the command.
#include <algorithm>

#include <fmt/format.h>

#include "serve/endpoints.h"
#include "serve/page_context.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

std::string page_name(const FieldInfo& field) {
  return field.name_in(FrontEnd::kPage);
}

std::string on_page(std::string_view sentence, const FieldTable& table) {
  return spelled(sentence, table.infos(), page_name);
}

// The page takes less than a shell, and reads no files.
FieldInfo as_page_takes(FieldInfo field) {
  if (field.page_range) field.range = *field.page_range;
  if (field.names_file) field.strict = true;
  return field;
}

void set_field(AnyRequest& request, const AnyField& field, const RequestArguments& arguments,
               const ServedModels& models) {
  const std::string name = field.info.name_in(FrontEnd::kPage);
  const std::optional<Given> given = arguments.value(name);
  if (!given) return;
  AnyField here = field;
  here.info = as_page_takes(field.info);
  if (here.info.kind == FieldKind::kModel) models.check(take_text(here.info, *given));
  if (here.info.names_file) take_choice(here.info, *given);
  request.set(here, *given);
}

AnyRequest read_request(const Question& question, const ServedModels& models, RequestArguments& arguments) {
  AnyRequest request = question.request();
  for (const AnyField& field : question.fields().fields)
    if (field.info.is_for(FrontEnd::kPage)) set_field(request, field, arguments, models);
  arguments.finish();
  return request;
}

// An object may say more for a page that draws by itself.
std::string with_details(std::string json, const Record& details) {
  if (details.fields().empty() || !json.ends_with('}')) return json;
  json.pop_back();
  return json + ", " + to_json(details).substr(1);
}

std::string answered(const Question& question, const AnyRequest& request, const ServedModels& models, Job& job) {
  const FieldTable& table = question.fields();
  try {
    PageContext context(models, job, [&](std::string_view sentence) { return on_page(sentence, table); });
    const Answer answer = question.answer(request, context);
    if (answer.shape == Answer::Shape::kParts) return one_line_json(context.json());
    return with_details(one_line_json(format_answer(question, answer, "json", 100)), answer.details);
  } catch (const UsageError& error) {
    throw UsageError(on_page(error.what(), table));
  } catch (const DataError& error) {
    throw DataError(on_page(error.what(), table));
  }
}

Prepared prepare(const Question& question, const ServedModels& models, RequestArguments& arguments) {
  const FieldTable& table = question.fields();
  try {
    const AnyRequest request = read_request(question, models, arguments);
    request.check();
    return {question.guide().summary,
            [&question, &models, request](Job& job) { return answered(question, request, models, job); }};
  } catch (const UsageError& error) {
    throw UsageError(on_page(error.what(), table));
  }
}

}  // namespace

std::vector<Endpoint> question_endpoints(const ServedModels& models) {
  std::vector<Endpoint> all;
  for (const std::string& name : question_names()) {
    const Question& question = *question_registry().get(name);
    all.push_back({name,
                   [&question, &models](RequestArguments& arguments) { return prepare(question, models, arguments); },
                   question.guide().quick});
  }
  return all;
}

}  // namespace wordsway::serve
