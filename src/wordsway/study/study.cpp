#include "wordsway/study/study.h"

#include <mutex>

#include "wordsway/core/parallel.h"

namespace wordsway {

StudyResult run_study(const Study& study, const Progress& progress) {
  std::vector<std::vector<Record>> rows(static_cast<size_t>(study.size()));
  std::mutex reporting;
  double done = 0;
  parallel_for(study.size(), [&](Index task) {
    rows[static_cast<size_t>(task)] = study.run(task);
    const std::lock_guard lock(reporting);
    ++done;
    if (progress) progress({study.command(), done, static_cast<double>(study.size())});
  });
  StudyResult result;
  for (auto& of_task : rows)
    for (auto& row : of_task) result.rows.push_back(std::move(row));
  return result;
}

}  // namespace wordsway
