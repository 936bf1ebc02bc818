// Man pages, completion and pages of the commands: they have every option that --help has, and shells take them.
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ProgramResult run(std::vector<std::string> command) {
  return RunningProgram(std::move(command)).finish();
}

bool is_installed(const std::string& program) {
  return run({"sh", "-c", "command -v " + program}).exit_code == 0;
}

class Reference : public testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult written =
        run({(program_path().parent_path() / "wordsway_reference").string(), folder_.folder()});
    ASSERT_EQ(written.exit_code, 0) << written.err;
  }

  std::string read(const std::string& name) const { return read_bytes(folder_.path(name)); }

  // What bash offers after these words, the last of which is being typed.
  std::string completed(const std::string& words) const {
    const std::string script = "source " + folder_.path("bash/wordsway").string() + "; compopt() { :; }; COMP_WORDS=(" +
                               words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _wordsway; echo \"${COMPREPLY[*]}\"";
    const ProgramResult result = run({"bash", "-c", script});
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  TemporaryFolder folder_;
};

std::set<std::string> commands() {
  static const std::regex line("\n  ([a-z]+)  ");
  const std::string help = run_wordsway({"--help"}).out;
  std::set<std::string> names;
  for (std::sregex_iterator k(help.begin(), help.end(), line), end; k != end; ++k) names.insert((*k)[1]);
  return names;
}

std::set<std::string> long_options(const std::string& command) {
  static const std::regex option("\n  (?:-[a-z],)?(--[-a-z0-9]+)");
  const std::string help = run_wordsway({command, "--help"}).out;
  std::set<std::string> names;
  for (std::sregex_iterator k(help.begin(), help.end(), option), end; k != end; ++k) names.insert((*k)[1]);
  return names;
}

TEST_F(Reference, HasEveryOptionOfEveryCommand) {
  const std::string fish = read("fish/wordsway.fish"), zsh = read("zsh/_wordsway"), front = read("man1/wordsway.1");
  ASSERT_GE(commands().size(), 16U);
  for (const std::string& command : commands()) {
    const std::string man = read("man1/wordsway-" + command + ".1"), page = read("commands/" + command + ".md");
    const std::string offered = completed("wordsway " + command + " --");
    EXPECT_THAT(front, HasSubstr("wordsway\\-" + command));
    ASSERT_FALSE(long_options(command).empty()) << command;
    for (const std::string& option : long_options(command)) {
      EXPECT_THAT(man, HasSubstr(std::regex_replace(option, std::regex("-"), "\\-"))) << command;
      EXPECT_THAT(page, HasSubstr(option)) << command;
      EXPECT_THAT(offered, HasSubstr(option)) << command;
      EXPECT_THAT(zsh, HasSubstr(")" + option + "["));
      EXPECT_THAT(fish, HasSubstr("-l " + option.substr(2) + " "));
    }
  }
}

TEST_F(Reference, OffersNamesInBash) {
  EXPECT_EQ(completed("wordsway gen"), "generalize generate\n");
  EXPECT_EQ(completed("wordsway words --layer l"), "last logits\n");
  EXPECT_EQ(completed("wordsway pairs --unit ''"), "cosine distance score01 l2sq\n");
  EXPECT_THAT(completed("wordsway list p"), "presets\n");
  EXPECT_EQ(completed("wordsway measure --map rf,raf-r"), "rf,raf-relu\n");  // the last of a list
  EXPECT_EQ(completed("wordsway measure --n 1"), "\n");
}

TEST_F(Reference, IsTakenByTheShellsAndByManWithoutAWarning) {
  const fs::path& folder = folder_.folder();
  for (const auto& [shell, file] : {std::pair("zsh", "zsh/_wordsway"), std::pair("fish", "fish/wordsway.fish")})
    if (is_installed(shell)) {
      EXPECT_EQ(run({shell, "-n", folder / file}).exit_code, 0) << shell;
    }
  if (!is_installed("man")) GTEST_SKIP() << "man is not installed";
  for (const auto& page : fs::directory_iterator(folder / "man1")) {
    const ProgramResult shown = run({"env", "LC_ALL=C.UTF-8", "man", "--warnings", "-l", page.path()});
    EXPECT_EQ(shown.err, "") << page.path();
    EXPECT_THAT(shown.out, HasSubstr("EXIT STATUS"));
  }
}

}  // namespace
}  // namespace wordsway::test
