#include "wordsway/figures/print_page.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wordsway/core/error.h"
#include "wordsway/io/atomic_file.h"

extern char** environ;

namespace wordsway {
namespace {

namespace fs = std::filesystem;

// Holds the browser's own files, and the PDF until it is whole.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "wordsway-print-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw FileError("cannot make a folder in " + fs::temp_directory_path().string());
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Ended {
  int start_error = 0;  // why the system refused to start the program; ENOENT: there is none
  int status = 0;       // as waitpid gives it
};

// Runs a program without input and output, and waits for its end.
Ended run(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  Ended ended;
  pid_t pid = -1;
  ended.start_error = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (ended.start_error != 0) return ended;
  while (waitpid(pid, &ended.status, 0) < 0 && errno == EINTR) {
  }
  return ended;
}

}  // namespace

void print_page(const fs::path& page, const fs::path& pdf) {
  const ScratchFolder scratch;
  const fs::path printed = scratch.path() / "page.pdf";
  for (const char* browser : {"chromium", "chromium-browser", "google-chrome"}) {
    std::vector<std::string> command = {browser,
                                        "--headless",
                                        "--disable-gpu",
                                        "--no-pdf-header-footer",
                                        "--user-data-dir=" + (scratch.path() / "profile").string(),
                                        "--print-to-pdf=" + printed.string(),
                                        "file://" + fs::absolute(page).string()};
    if (geteuid() == 0) command.insert(command.begin() + 1, "--no-sandbox");  // root may not have one
    const Ended ended = run(std::move(command));
    if (ended.start_error == ENOENT) continue;
    std::ifstream file(printed, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (ended.start_error != 0 || ended.status != 0 || !bytes.starts_with("%PDF"))
      throw FileError(fmt::format("{} did not print {}; the page itself is written", browser, page.string()));
    return write_file_atomically(pdf, bytes);
  }
  throw FileError(fmt::format(
      "a PDF of the page needs Chromium, which was not found (Debian: apt install chromium); the page itself is {}",
      page.string()));
}

}  // namespace wordsway
