// What one run of the program leaves behind, and whether that is all that another run left.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/run_program.h"

namespace wordsway::test {

/// Files are comparable texts: without seconds, times and dates, the rows of a journal sorted and one a line.
struct RunOutcome {
  int exit_code = -1;
  std::string out, err;
  std::map<std::string, std::string> files;  // by their path in the folder; folders are not named
};

/// The outcome of a run that wrote into `folder`. A journal that is torn or broken keeps its bytes.
RunOutcome outcome_of(const ProgramResult& result, const std::filesystem::path& folder);

/// What a run that failed may not leave: "" when every file is one of the reference's, whole, or a journal with some
/// of the reference's rows; else what is wrong.
std::string wrong_leftover(const RunOutcome& run, const RunOutcome& reference);
/// "" when results and files are the reference's; else what differs.
std::string difference(const RunOutcome& run, const RunOutcome& reference);

}  // namespace wordsway::test
