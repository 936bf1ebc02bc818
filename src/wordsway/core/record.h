// A row of results: named values in a fixed order. What journals, tables, JSON and CSV are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wordsway {

/// No value: null in JSON, empty in CSV. Not std::monostate, because libstdc++ 12 would then believe that a Value
/// cannot be without a value, and crash where memory ends while one is copied.
struct Missing {
  Missing() = default;
  Missing(const Missing&) noexcept {}
  Missing& operator=(const Missing&) noexcept { return *this; }
  bool operator==(const Missing&) const { return true; }
};

/// A double that is not finite is written as missing.
using Value = std::variant<Missing, bool, std::int64_t, double, std::string, std::vector<double>,
                           std::vector<std::int64_t>, std::vector<std::string>>;

class Record {
 public:
  using Field = std::pair<std::string, Value>;

  // Not inline: every file that holds rows would compile them again.
  Record();
  Record(std::initializer_list<Field> fields);
  Record(const Record& other);
  Record(Record&& other) noexcept;
  Record& operator=(const Record& other);
  Record& operator=(Record&& other) noexcept;
  ~Record();

  /// Appends, or replaces the value when the name is there already.
  void set(std::string_view name, Value value);

  /// Sets every field of another record.
  void merge(const Record& other);

  /// nullptr when there is no such field.
  const Value* find(std::string_view name) const;

  /// The field as a number (from an integer or a double); throws DataError when it is missing or something else.
  double number(std::string_view name) const;
  /// The field as text; throws DataError likewise.
  const std::string& text(std::string_view name) const;
  /// The field as a list of numbers, from integers or doubles; empty when it is missing or something else.
  std::vector<double> numbers(std::string_view name) const;
  /// True when the field is absent or has no value.
  bool missing(std::string_view name) const;

  const std::vector<Field>& fields() const { return fields_; }
  bool operator==(const Record&) const = default;

 private:
  std::vector<Field> fields_;
};

/// The value, or missing when it is empty.
template <typename T>
Value optional_value(const T& optional) {
  return optional ? Value(*optional) : Value();
}

}  // namespace wordsway
