#include "wordsway/run/resume.h"

#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

std::string beginning(const Record& row, size_t fields) {
  Record key;
  for (size_t k = 0; k < std::min(fields, row.fields().size()); ++k)
    key.set(row.fields()[k].first, row.fields()[k].second);
  return to_json(key);
}

// Finds the task of a row by the fields it begins with.
class TaskIndex {
 public:
  TaskIndex(const Study& study, const RowNames& names) {
    for (Index task = 0; task < study.size(); ++task) {
      const Record key = names.as_in_journal(study.key(task));
      lengths_.insert(key.fields().size());
      ensure(tasks_.emplace(to_json(key), task).second, "two tasks of a study have the same key");
    }
  }

  std::optional<Index> find(const Record& row) const {
    for (const size_t length : lengths_)
      if (const auto found = tasks_.find(beginning(row, length)); found != tasks_.end()) return found->second;
    return std::nullopt;
  }

 private:
  std::unordered_map<std::string, Index> tasks_;
  std::set<size_t> lengths_;
};

bool is_whole(const Study& study, Index task, const std::vector<Record>& rows) {
  return (rows.size() == 1 && is_failed(rows.front())) || static_cast<Index>(rows.size()) == study.row_count(task);
}

[[noreturn]] void refuse(const std::filesystem::path& path, std::int64_t line, const char* why) {
  throw DataError(fmt::format("{}: line {}: {}", path.string(), line, why));
}

}  // namespace

RowNames::RowNames(const std::vector<StudyLabel>& labels, const Record& config, const Record& in_journal) {
  for (const StudyLabel& label : labels) {
    const Value *here = config.find(label.setting), *there = in_journal.find(label.setting);
    if (label.row_field.empty() || here == nullptr || there == nullptr || *here == *there) continue;
    changes_.push_back({label.row_field, *here, *there});
  }
}

Record RowNames::as_in_journal(Record row) const {
  for (const Change& change : changes_)
    if (const Value* value = row.find(change.field); value != nullptr && *value == change.here)
      row.set(change.field, change.in_journal);
  return row;
}

std::vector<std::string> RowNames::changes() const {
  std::vector<std::string> sentences;
  for (const Change& change : changes_)
    sentences.push_back(fmt::format("what is called {} here has the same content as {} there, and rows keep that name",
                                    value_to_json(change.here), value_to_json(change.in_journal)));
  return sentences;
}

Resumed match_rows(const Study& study, const JournalContent& content, const std::filesystem::path& path,
                   const RowNames& names) {
  Resumed result;
  result.rows.resize(static_cast<size_t>(study.size()));
  if (content.rows.empty()) return result;
  const TaskIndex index(study, names);
  std::vector<size_t> first(result.rows.size());  // of each task's rows, in content.rows
  for (size_t r = 0; r < content.rows.size(); ++r) {
    const auto task = index.find(content.rows[r].record);
    if (!task) refuse(path, content.rows[r].line, "the row belongs to no trial of this run");
    auto& rows = result.rows[static_cast<size_t>(*task)];
    if (rows.empty()) first[static_cast<size_t>(*task)] = r;
    if (!rows.empty() && is_whole(study, *task, rows))
      refuse(path, content.rows[r].line, "the row belongs to a trial that was finished before it");
    rows.push_back(content.rows[r].record);
  }
  for (Index task = 0; task < study.size(); ++task) {
    auto& rows = result.rows[static_cast<size_t>(task)];
    if (rows.empty()) continue;
    if (is_whole(study, task, rows)) {
      ++result.finished;
      continue;
    }
    const JournalRow& begin = content.rows[first[static_cast<size_t>(task)]];
    if (first[static_cast<size_t>(task)] + rows.size() != content.rows.size())
      refuse(path, begin.line, "rows of the trial that begins here are missing");
    result.cut = begin.offset;
    rows.clear();
  }
  return result;
}

}  // namespace wordsway
