#include "wordsway/core/record.h"

#include <algorithm>

#include "wordsway/core/error.h"

namespace wordsway {

Record::Record() = default;
Record::Record(std::initializer_list<Field> fields) : fields_(fields) {}
Record::Record(const Record& other) = default;
Record::Record(Record&& other) noexcept = default;
Record& Record::operator=(const Record& other) = default;
Record& Record::operator=(Record&& other) noexcept = default;
Record::~Record() = default;

void Record::set(std::string_view name, Value value) {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.first == name; });
  if (found != fields_.end()) {
    found->second = std::move(value);
  } else {
    fields_.emplace_back(name, std::move(value));
  }
}

void Record::merge(const Record& other) {
  for (const auto& [name, value] : other.fields()) set(name, value);
}

const Value* Record::find(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.first == name; });
  return found == fields_.end() ? nullptr : &found->second;
}

double Record::number(std::string_view name) const {
  const Value* value = find(name);
  if (value != nullptr && std::holds_alternative<double>(*value)) return std::get<double>(*value);
  if (value != nullptr && std::holds_alternative<std::int64_t>(*value))
    return static_cast<double>(std::get<std::int64_t>(*value));
  throw DataError("a row has no number '" + std::string(name) + "'");
}

const std::string& Record::text(std::string_view name) const {
  const Value* value = find(name);
  if (value == nullptr || !std::holds_alternative<std::string>(*value))
    throw DataError("a row has no text '" + std::string(name) + "'");
  return std::get<std::string>(*value);
}

std::vector<double> Record::numbers(std::string_view name) const {
  const Value* value = find(name);
  if (value == nullptr) return {};
  if (const auto* doubles = std::get_if<std::vector<double>>(value)) return *doubles;
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(value)) return {integers->begin(), integers->end()};
  return {};
}

bool Record::missing(std::string_view name) const {
  const Value* value = find(name);
  return value == nullptr || std::holds_alternative<Missing>(*value);
}

}  // namespace wordsway
