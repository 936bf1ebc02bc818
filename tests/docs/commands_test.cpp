// The commands of the pages are run as they stand there, in a folder that has what they name: MODEL, corpus.jsonl and
// so on. A comment above a block, which a reader does not see, says why it is not run or how its commands end
// (CONTRIBUTING.md).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;

struct Command {
  std::string line;
  std::optional<std::string> shown;  // what the page says that it prints
};

struct Block {
  int line = 0;  // of its first fence
  std::string language, mark;
  std::vector<std::string> lines;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The fenced blocks of a page, each with the comment on the line above it.
std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  bool inside = false;
  std::string before;
  int number = 0;
  for (const std::string& line : lines_of(page)) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({number, line.substr(3), before.starts_with("<!-- ") ? before : "", {}});
    } else if (inside) {
      blocks.back().lines.push_back(line);
    }
    before = line;
  }
  return blocks;
}

// A command goes on in the next line behind a backslash. In `console` blocks it stands behind a dollar sign, and what
// it prints follows.
std::vector<Command> commands_of(const Block& block) {
  std::vector<Command> commands;
  const bool console = block.language == "console";
  bool goes_on = false;
  for (const std::string& line : block.lines) {
    if (console && !goes_on && !line.starts_with("$ ")) {
      Command& last = commands.at(commands.size() - 1);
      last.shown = last.shown.value_or("") + line + "\n";
      continue;
    }
    if (goes_on) {
      commands.back().line += "\n" + line;
    } else if (line.find_first_not_of(' ') != std::string::npos && !line.starts_with("#")) {
      commands.push_back({console ? line.substr(2) : line, {}});
    }
    goes_on = line.ends_with("\\");
  }
  return commands;
}

bool is_shell(const Block& block) {
  return block.language == "sh" || block.language == "bash" || block.language == "console";
}

bool is_run(const Block& block) {
  return is_shell(block) && !block.mark.starts_with("<!-- not run: ");
}

// `<!-- exits 0 1 -->`: of every command of the block.
std::vector<int> exit_codes(const Block& block, size_t count) {
  const std::string start = "<!-- exits ";
  if (!block.mark.starts_with(start)) return std::vector<int>(count, 0);
  std::istringstream stream(block.mark.substr(start.size()));
  std::vector<int> codes;
  for (int code = 0; stream >> code;) codes.push_back(code);
  return codes;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> found = {source_folder() / "README.md"};
  for (const auto& entry : fs::directory_iterator(source_folder() / "docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<fs::path> pages_with_commands() {
  std::vector<fs::path> found;
  for (const fs::path& page : pages())
    if (std::ranges::any_of(blocks_of(read_bytes(page)), is_run)) found.push_back(page);
  return found;
}

// Two texts of 300 words, of two labels.
std::string corpus() {
  const std::vector<std::string> words = {"the",   "film", "was",  "not",   "good",  "but",   "her",   "smile",
                                          "made",  "me",   "stay", "until", "last",  "scene", "which", "i",
                                          "liked", "a",    "long", "time",  "after", "it",    "ended"};
  std::string lines;
  for (size_t text = 0; text < 2; ++text) {
    std::string content;
    for (size_t k = 0; k < 300; ++k) content += words[(k * (text + 1) + k / 7 + text) % words.size()] + " ";
    lines += fmt::format("{{\"text\": \"{}\", \"label\": {}}}\n", content, text % 2);
  }
  return lines;
}

// The files that the pages name; small, so that all pages take seconds.
void furnish(const fs::path& folder) {
  const fs::path source = source_folder();
  fs::create_directory_symlink(source / "models/normalisers/softmax-1-seed-1", folder / "MODEL");
  fs::create_directory_symlink(source / "models/builtin", folder / "ANOTHER");
  fs::create_directory_symlink(source / "tests/golden/generation/llama", folder / "DECODER");
  fs::create_symlink(source / "tests/golden/gguf/models/llama3.gguf", folder / "FILE.gguf");
  write_bytes(folder / "corpus.jsonl", corpus());
  write_bytes(folder / "questions.txt", "how do i enable dark mode\nhow do i disable dark mode\n");
  write_bytes(folder / "mine.csv",
              "anchor,changed,control,class\nenable it,disable it,switch it on,state\nopen it,close it,,state\n");
}

// `serve` stays until it is told to end: here once it has said where it is. A shell's background jobs ignore SIGINT.
const std::string kPrelude = R"sh(
wordsway() {
  if [[ $1 != serve ]]; then command wordsway "$@"; return; fi
  coproc SERVER { exec wordsway "$@" --no-open; }
  local server=$SERVER_PID address
  read -r address <&"${SERVER[0]}"
  kill -TERM "$server"
  wait "$server"
  [[ $? == 130 && $address == http://127.0.0.1:*/#* ]]
}
)sh";

ProgramResult run(const Command& command, const fs::path& folder) {
  const std::string path = program_path().parent_path().string() + ":" + std::getenv("PATH");
  return RunningProgram({"bash", "-c", kPrelude + command.line}, {{"PATH", path}}, [&] { fs::current_path(folder); })
      .finish();
}

class Page : public testing::TestWithParam<fs::path> {};

TEST_P(Page, HasCommandsThatRun) {
  if (kSanitized) GTEST_SKIP() << "the commands have tests of their own";
  const TemporaryFolder scratch;
  furnish(scratch.folder());
  for (const Block& block : blocks_of(read_bytes(GetParam()))) {
    if (!is_run(block)) continue;
    const auto commands = commands_of(block);
    const auto codes = exit_codes(block, commands.size());
    ASSERT_EQ(commands.size(), codes.size()) << "line " << block.line << " says how every command ends";
    for (size_t k = 0; k < commands.size(); ++k) {
      const ProgramResult result = run(commands[k], scratch.folder());
      EXPECT_EQ(result.exit_code, codes[k]) << commands[k].line << "\n" << result.err;
      EXPECT_EQ(result.out, commands[k].shown.value_or(result.out)) << commands[k].line;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Docs, Page, testing::ValuesIn(pages_with_commands()),
                         [](const auto& page) { return page.param.stem().string(); });

// Then a new page is run as well.
TEST(Pages, HaveTheirCommandsInShellBlocks) {
  for (const fs::path& page : pages()) {
    for (const std::string& line : lines_of(read_bytes(page)))
      for (const char* start : {"    wordsway ", "    $ wordsway ", "\twordsway "})
        EXPECT_FALSE(line.starts_with(start)) << page << ": put this between ```sh and ```: " << line;
    for (const Block& block : blocks_of(read_bytes(page))) {
      if (is_shell(block)) continue;
      for (const std::string& line : block.lines)
        EXPECT_FALSE(line.starts_with("wordsway ") || line.starts_with("$ wordsway "))
            << page << ": a command in a block that is not sh: " << line;
    }
  }
}

}  // namespace
}  // namespace wordsway::test
