#include "wordsway/run/ledger.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/kernels.h"
#include "wordsway/run/machine.h"
#include "wordsway/run/resume.h"

namespace wordsway {
namespace {

JournalHeader header_of(const Study& study) {
  JournalHeader header;
  header.version = version();
  header.identity = identity_of(study);
  header.build = build_information();
  header.machine = machine_information();
  return header;
}

}  // namespace

Ledger::Ledger(const Study& study, const RunOptions& options) : study_(study), options_(options) {
  rows_.resize(static_cast<size_t>(study.size()));
  if (!options.journal.empty()) open_journal();
  for (const Index task : remaining()) {
    ++total_;
    work_total_ += study.work(task);
  }
  for (size_t task = 0; options.rows && task < rows_.size(); ++task)
    if (!rows_[task].empty()) options.rows(static_cast<Index>(task), rows_[task]);
}

void Ledger::open_journal() {
  const JournalHeader header = header_of(study_);
  journal_ = std::make_unique<JournalWriter>(options_.journal, header);
  const JournalContent& found = journal_->found();
  const std::string name = options_.journal.string();
  const auto remark = [&](const std::string& text) {
    if (options_.remark) options_.remark(text);
  };
  if (!journal_->is_new()) {
    names_ = RowNames(study_.content().labels, header.identity.config, found.header.identity.config);
    for (const std::string& change : names_.changes()) remark(fmt::format("{}: {}", name, change));
  }
  Resumed resumed = match_rows(study_, found, options_.journal, names_);
  if (found.torn) remark(fmt::format("{}: the last line was torn and has been dropped", name));
  if (resumed.cut) {
    journal_->cut(*resumed.cut);
    remark(fmt::format("{}: the rows of a trial that was cut short have been dropped", name));
  }
  if (!journal_->is_new() && found.header.version != version())
    remark(fmt::format("{} was begun by wordsway {}; this is {}", name, found.header.version, version()));
  if (!journal_->is_new() && !found.header.build.missing("kernels")) {
    if (const std::string& before = found.header.build.text("kernels"); before != kernels())
      remark(fmt::format("{} was begun with kernels for {}; these are for {}: rows of the two agree to rounding", name,
                         before, kernels()));
  }
  if (resumed.finished > 0)
    remark(fmt::format("{}: {} of {} trials are there already and are skipped", name, resumed.finished, study_.size()));
  rows_ = std::move(resumed.rows);
  resumed_ = resumed.finished;
}

std::vector<Index> Ledger::remaining() const {
  std::vector<Index> tasks;
  for (Index task = 0; task < study_.size(); ++task)
    if (rows_[static_cast<size_t>(task)].empty()) tasks.push_back(task);
  return tasks;
}

void Ledger::record(Index task, std::vector<Record> rows) {
  const double work = study_.work(task);
  const std::lock_guard lock(mutex_);
  auto& kept = rows_[static_cast<size_t>(task)];
  ensure(kept.empty(), "a task is done once");
  for (Record& row : rows) row = names_.as_in_journal(std::move(row));
  if (journal_) journal_->append(rows);
  kept = std::move(rows);
  if (options_.rows) options_.rows(task, kept);
  ++done_;
  work_done_ += work;
  if (options_.progress)
    options_.progress({study_.command(), done_, total_, work_total_ > 0 ? work_done_ / work_total_ : -1});
}

StudyResult Ledger::close() {
  if (journal_) journal_->sync();
  StudyResult result;
  result.resumed = resumed_;
  result.tasks = study_.size();
  for (auto& rows : rows_) {
    if (rows.empty()) continue;
    ++result.finished;
    if (is_failed(rows.front())) ++result.failed;
    for (Record& row : rows) result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace wordsway
