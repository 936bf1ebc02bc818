#include "wordsway/ask/fields.h"

#include <algorithm>

#include <fmt/format.h>

namespace wordsway {

ModelChoice take_model(const FieldInfo& field, const Given& given) {
  if (const auto* loaded = std::get_if<std::shared_ptr<const Model>>(&given)) return {{}, *loaded};
  return {take_text(field, given), {}};
}

ArrayChoice take_array(const FieldInfo& field, const Given& given) {
  if (const auto* array = std::get_if<NpyArray>(&given)) return {{}, *array};
  return {take_text(field, given), {}};
}

const AnyField* FieldTable::find(std::string_view name) const {
  const auto found = std::ranges::find_if(fields, [&](const AnyField& field) { return field.info.name == name; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<const FieldInfo*> FieldTable::infos() const {
  std::vector<const FieldInfo*> result;
  result.reserve(fields.size());
  for (const AnyField& field : fields) result.push_back(&field.info);
  return result;
}

Record settings_of(const FieldTable& fields, const void* request) {
  Record settings;
  for (const AnyField& field : fields.fields)
    if (field.info.role == FieldRole::kDecides) settings.set(field.info.name, field.show(request));
  return settings;
}

}  // namespace wordsway
