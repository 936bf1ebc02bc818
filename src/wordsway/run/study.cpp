#include "wordsway/run/study.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <system_error>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

Record without_non_finite(Record row) {
  std::vector<std::string> missing;
  for (const auto& [name, value] : row.fields())
    if (const double* number = std::get_if<double>(&value); number != nullptr && !std::isfinite(*number))
      missing.push_back(name);
  for (const std::string& name : missing) row.set(name, {});
  return row;
}

bool begins_with(const Record& row, const Record& key) {
  if (row.fields().size() < key.fields().size()) return false;
  return std::equal(key.fields().begin(), key.fields().end(), row.fields().begin());
}

}  // namespace

JournalIdentity identity_of(const Study& study) {
  const StudyContent content = study.content();
  JournalIdentity identity{study.command(), study.config(), content.fields, {}};
  for (const StudyLabel& label : content.labels) identity.labels.push_back(label.setting);
  return identity;
}

Record failed_row(const Study& study, Index task, const std::string& reason) {
  Record row = study.key(task);
  row.set("failure", reason);
  return row;
}

bool is_failed(const Record& row) {
  return !row.missing("failure");
}

std::vector<Record> run_task(const Study& study, Index task) {
  std::vector<Record> rows;
  try {
    rows = study.run(task);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error&) {
    throw;
  } catch (const FileError&) {
    throw;
  } catch (const SystemError&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return {failed_row(study, task, error.what())};
  }
  ensure(static_cast<Index>(rows.size()) == study.row_count(task), "a task gives as many rows as its study says");
  const Record key = study.key(task);
  for (Record& row : rows) {
    ensure(begins_with(row, key), "a row begins with the key of its task");
    row = without_non_finite(std::move(row));
  }
  return rows;
}

}  // namespace wordsway
