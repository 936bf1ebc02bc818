#include "wordsway/figures/gnuplot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wordsway/core/error.h"

extern char** environ;

namespace wordsway {
namespace {

namespace fs = std::filesystem;

std::string terminal(const Canvas& canvas) {
  const std::string ending = canvas.path.extension().string();
  if (ending == ".svg")
    return fmt::format("set terminal svg size {},{} dynamic font 'Helvetica,Arial,sans-serif,14' background '#ffffff'",
                       canvas.width, canvas.height);
  if (ending == ".pdf")
    return fmt::format("set terminal pdfcairo size {:.2f}in,{:.2f}in font 'sans,12'", canvas.width / 100.0,
                       canvas.height / 100.0);
  if (ending == ".png")
    return fmt::format("set terminal pngcairo size {},{} font 'sans,11'", canvas.width, canvas.height);
  throw UsageError(fmt::format("a chart is written as .svg, .pdf or .png; got '{}'", canvas.path.string()));
}

// A folder beside the picture, so that the finished picture only has to be renamed.
class ScratchFolder {
 public:
  explicit ScratchFolder(const fs::path& beside) {
    const fs::path parent = beside.has_parent_path() ? beside.parent_path() : fs::path(".");
    std::string pattern = (parent / ".wordsway-chart-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw FileError("cannot write into the folder " + parent.string());
    folder_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  fs::path file(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

// Runs `gnuplot SCRIPT` with its messages in `log`; returns its exit status, 127 when it was not found.
int spawn_gnuplot(const fs::path& script, const fs::path& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  std::string program = "gnuplot", argument = script.string();
  std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

void run_gnuplot(const Canvas& canvas, const std::string& script) {
  const std::string header = terminal(canvas);
  const ScratchFolder scratch(canvas.path);
  const fs::path picture = scratch.file("picture"), source = scratch.file("script"), log = scratch.file("log");
  {
    std::ofstream out(source);
    out << header << "\nset output " << gnuplot_quoted(picture.string()) << "\n" << script << "\nunset output\n";
    if (!out.flush()) throw FileError("cannot write " + source.string());
  }
  const int status = spawn_gnuplot(source, log);
  if (status == 127) throw FileError("charts need gnuplot, which was not found (Debian: apt install gnuplot-nox)");
  if (status != 0) throw FileError("gnuplot failed: " + contents(log));
  std::error_code error;
  // A script that never comes to its plot command ends well.
  if (fs::file_size(picture, error) == 0 || error) throw FileError("gnuplot drew nothing: " + contents(log));
  fs::rename(picture, canvas.path, error);
  if (error) throw FileError(fmt::format("cannot write {}: {}", canvas.path.string(), error.message()));
}

std::string gnuplot_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : c == '\n' ? " " : std::string(1, c);
  return result + "'";
}

std::string palette_colour(size_t index, size_t count) {
  constexpr std::array<std::array<double, 3>, 6> kStops = {
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 168, 132}, {122, 209, 81}, {189, 200, 40}}};
  const double position =
      count < 2 ? 2 : (kStops.size() - 1) * static_cast<double>(index) / static_cast<double>(count - 1);
  const size_t low = std::min(static_cast<size_t>(position), kStops.size() - 2);
  const double share = position - static_cast<double>(low);
  std::array<int, 3> rgb{};
  for (size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround((1 - share) * kStops[low][c] + share * kStops[low + 1][c]));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

}  // namespace wordsway
