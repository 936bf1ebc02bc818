#include "wordsway/figures/print_page.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "wordsway/core/error.h"
#include "wordsway/figures/child_process.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

// For the browser's own files and the PDF as long as it is not whole.
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
    if (geteuid() == 0) command.insert(command.begin() + 1, "--no-sandbox");  // which it refuses to have for root
    const ChildResult result = run_child(command, "");
    if (result.start_error == ENOENT) continue;
    std::ifstream file(printed, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (result.start_error != 0 || result.exit_code != 0 || !bytes.starts_with("%PDF"))
      throw FileError(fmt::format("{} did not print {}; the page itself is written", browser, page.string()));
    return write_file_atomically(pdf, bytes);
  }
  throw FileError(fmt::format(
      "a PDF of the page needs Chromium, which was not found (Debian: apt install chromium); the page itself is {}",
      page.string()));
}

}  // namespace wordsway
