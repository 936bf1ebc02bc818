// A gnuplot that draws nothing and keeps its script, first on the PATH: what a chart tells gnuplot, word by word.
#pragma once

#include <cstdlib>
#include <string>

#include "support/bytes.h"
#include "support/environment.h"
#include "support/temporary_folder.h"

namespace wordsway::test {

class ScriptCatcher {
 public:
  ScriptCatcher() {
    const auto program = folder_.path("gnuplot");
    write_bytes(program, "#!/bin/sh\ncat > " + folder_.path("script").string() +
                             "\nprintf '<?xml version=\"1.0\"?>\\n<svg></svg>\\n'\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  /// Where to draw.
  std::filesystem::path picture() const { return folder_.path("picture.svg"); }
  /// Of the last picture.
  std::string script() const { return read_bytes(folder_.path("script")); }

 private:
  TemporaryFolder folder_;
  EnvironmentVariable path_{"PATH", folder_.folder().string() + ":" + std::getenv("PATH")};
};

}  // namespace wordsway::test
