// Another program, fed and listened to through channels: no file is needed in between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

struct ChildResult {
  int start_error = 0;  // what the system said when it refused to start the program (ENOENT: there is none); else 0
  int exit_code = 0;    // 128 + signal when a signal ended it
  std::string out, err;
};

/// Runs `command` (found on the PATH) to its end, `input` on its standard input. All three streams are served together,
/// so none waits for another. A program that ends before it has read all is no error and raises no signal.
/// Throws FileError when the system refuses a channel.
ChildResult run_child(const std::vector<std::string>& command, std::string_view input);

}  // namespace wordsway
