#include "wordsway/study/joined_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

JoinedStudy::JoinedStudy(std::string field, std::vector<StudyPart> parts)
    : field_(std::move(field)), parts_(std::move(parts)) {
  ensure(!parts_.empty(), "a joined study has parts");
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
  Record config, differing;
  std::vector<Record> each;
  for (const StudyPart& part : parts_) each.push_back(labelled(part, part.study->config()));
  for (size_t k = 0; k < each.size(); ++k)
    for (const auto& [name, value] : each[k].fields()) {
      const bool shared = std::all_of(each.begin(), each.end(), [&](const Record& other) {
        return other.find(name) != nullptr && *other.find(name) == value;
      });
      shared ? config.set(name, value) : differing.set(fmt::format("{}_{}", name, k), value);
    }
  for (const auto& [name, value] : differing.fields()) config.set(name, value);
  return config;
}

Record JoinedStudy::key(Index task) const {
  const Place at = place(task);
  return labelled(at.part, at.part.study->key(at.task));
}

double JoinedStudy::memory_bytes(Index task) const {
  const Place at = place(task);
  return at.part.study->memory_bytes(at.task);
}

Index JoinedStudy::rows(Index task) const {
  const Place at = place(task);
  return at.part.study->rows(at.task);
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
