#include "wordsway/run/joined_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

std::string numbered(const std::string& name, size_t part) {
  return fmt::format("{}_{}", name, part);
}

// First what all parts share, then what differs, under names that include the part.
template <typename NameOfPart>
Record joined(const std::vector<Record>& each, NameOfPart name_of_part) {
  Record all, differing;
  for (size_t k = 0; k < each.size(); ++k)
    for (const Record::Field& field : each[k].fields()) {
      const bool shared = std::all_of(each.begin(), each.end(), [&](const Record& other) {
        const Value* value = other.find(field.first);
        return value != nullptr && *value == field.second;
      });
      shared ? all.set(field.first, field.second) : differing.set(name_of_part(field.first, k), field.second);
    }
  all.merge(differing);
  return all;
}

}  // namespace

JoinedStudy::JoinedStudy(std::string field, std::vector<StudyPart> parts)
    : field_(std::move(field)), parts_(std::move(parts)) {
  if (parts_.empty()) throw UsageError("a joined study needs at least one part; got none");
  for (const StudyPart& part : parts_)
    if (part.study == nullptr)
      throw UsageError(fmt::format("every part of a joined study needs a study; that of {} {} is missing", field_,
                                   value_to_json(part.label)));
  begins_.push_back(0);
  for (const StudyPart& part : parts_) begins_.push_back(begins_.back() + part.study->size());
}

JoinedStudy::Place JoinedStudy::place(Index task) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), task);
  const auto part = static_cast<size_t>(next - begins_.begin() - 1);
  return {parts_[part], task - begins_[part]};
}

Record JoinedStudy::labelled(const StudyPart& part, const Record& row) const {
  Record result{{field_, part.label}};
  for (const auto& [name, value] : row.fields()) result.set(name, value);
  return result;
}

Record JoinedStudy::config() const {
  std::vector<Record> each;
  for (const StudyPart& part : parts_) each.push_back(labelled(part, part.study->config()));
  return joined(each, numbered);
}

StudyContent JoinedStudy::content() const {
  std::vector<Record> each;
  StudyContent content;
  const Record settings = config();
  for (size_t k = 0; k < parts_.size(); ++k) {
    const StudyContent part = parts_[k].study->content();
    each.push_back(part.fields);
    for (const StudyLabel& label : part.labels) {
      const bool shared = settings.find(label.setting) != nullptr;
      content.labels.push_back({shared ? label.setting : numbered(label.setting, k), label.row_field});
    }
  }
  content.fields = joined(each, [&](const std::string& name, size_t k) {
    return fmt::format("{} of {} {}", name, field_, value_to_json(parts_[k].label));
  });
  return content;
}

Record JoinedStudy::key(Index task) const {
  const Place at = place(task);
  return labelled(at.part, at.part.study->key(at.task));
}

double JoinedStudy::memory_bytes(Index task) const {
  const Place at = place(task);
  return at.part.study->memory_bytes(at.task);
}

Index JoinedStudy::row_count(Index task) const {
  const Place at = place(task);
  return at.part.study->row_count(at.task);
}

double JoinedStudy::work(Index task) const {
  const Place at = place(task);
  return at.part.study->work(at.task);
}

std::string JoinedStudy::kind(Index task) const {
  const Place at = place(task);
  return at.part.study->kind(at.task);
}

std::vector<Record> JoinedStudy::run(Index task) const {
  const Place at = place(task);
  std::vector<Record> rows = at.part.study->run(at.task);
  for (Record& row : rows) row = labelled(at.part, row);
  return rows;
}

}  // namespace wordsway
