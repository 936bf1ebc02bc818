// Options of everything that runs a study: its journal, its memory, and asking what it would cost.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace wordsway::app {

struct StudyOptions {
  std::string out;          // journal; empty: none
  bool dry_run = false;     // say what it would cost instead
  double memory_limit = 0;  // bytes; 0: most of what there is
};

/// Adds --out, --dry-run and --memory.
void add_study_options(CLI::App& command, StudyOptions& options);

/// "8G", "500M", "1.5T" or a number of bytes. Throws UsageError on anything else, or nothing above 0.
double parse_bytes(const std::string& text, const std::string& flag);

}  // namespace wordsway::app
