// First contact: the help, typing errors, names of models, and places where nothing can be written.
#include <filesystem>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "support/bytes.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/draw/print_svg.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Arguments = std::vector<std::string>;

const Arguments kCommands = {"measure",  "generalize", "report", "reproduce", "words", "substitute", "pairs", "serve",
                             "generate", "answers",    "layers", "tokenize",  "embed", "attention",  "info",  "list"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// One sentence on stderr and nothing on stdout.
void expect_refusal(const Arguments& arguments, int code, const std::string& part) {
  const ProgramResult result = run_wordsway(arguments);
  EXPECT_EQ(result.exit_code, code) << result.err;
  EXPECT_THAT(result.err, HasSubstr(part));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
}

TEST(Help, IsWhatTheBareProgramPrints) {
  const ProgramResult bare = run_wordsway({});
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_EQ(bare.err, "");
  EXPECT_EQ(bare.out, run_wordsway({"--help"}).out);
  for (const std::string& command : kCommands) EXPECT_THAT(bare.out, HasSubstr("\n  " + command + " "));
}

// Name and description of every option that takes a value, its lines put together.
std::vector<std::pair<std::string, std::string>> valued_options(const std::string& help) {
  static const std::regex begins("^  (-[-a-z,]+) (TEXT|INT|UINT|FLOAT)(.*)$");
  std::vector<std::pair<std::string, std::string>> options;
  bool inside = false;
  for (const std::string& line : lines_of(help)) {
    std::smatch found;
    const bool goes_on = line.starts_with("      ");
    if (std::regex_match(line, found, begins)) {
      options.emplace_back(found[1], found[3]);
    } else if (inside && goes_on) {
      options.back().second += " " + line.substr(line.find_first_not_of(' '));
    }
    inside = !options.empty() && (goes_on ? inside : std::regex_match(line, begins));
  }
  return options;
}

TEST(Help, SaysOfEveryOptionWhatHoldsWithoutIt) {
  for (const std::string& command : kCommands) {
    const auto options = valued_options(run_wordsway({command, "--help"}).out);
    EXPECT_GE(options.size(), 2U) << command << " has --format and --threads";
    for (const auto& [name, text] : options)
      EXPECT_THAT(text, testing::AnyOf(testing::ContainsRegex("\\[[^]]+\\]$"), HasSubstr("(default: "),
                                       HasSubstr("(without it: "), HasSubstr("(required")))
          << command << " " << name;
  }
}

TEST(Help, FitsTheWidthOfTheWindow) {
  for (const std::string& command : kCommands) {
    const ProgramResult help = RunningProgram(wordsway_command({command, "--help"}), {{"COLUMNS", "80"}}).finish();
    const std::string options = help.out.substr(0, help.out.find("Examples:"));
    for (const std::string& line : lines_of(options.substr(options.find("Options:"))))
      EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }), 80) << line;
  }
}

TEST(TypingErrors, InACommand) {
  expect_refusal({"mesure"}, 2, "unknown command 'mesure'; there are: measure, ");
  expect_refusal({"mesure"}, 2, "did you mean 'measure'?");
  expect_refusal({"subst", "--map", "raf"}, 2, "did you mean 'substitute'?");
  EXPECT_THAT(run_wordsway({"gen"}).err, Not(HasSubstr("did you mean"))) << "generalize, or generate";
  const ProgramResult far = run_wordsway({"banana"});
  EXPECT_EQ(far.exit_code, 2);
  EXPECT_THAT(far.err, AllOf(HasSubstr("there are: measure, "), Not(HasSubstr("did you mean"))));
}

TEST(TypingErrors, InAFlag) {
  expect_refusal({"measure", "--mpa", "raf"}, 2, "unknown option '--mpa' of measure; did you mean '--map'?");
  expect_refusal({"measure", "--mpa=raf"}, 2, "unknown option '--mpa' of measure; did you mean '--map'?");
  expect_refusal({"measure", "-map", "raf"}, 2, "unknown option '-map' of measure; did you mean '--map'?");
  expect_refusal({"measure", "-map=raf"}, 2, "did you mean '--map'?");
  expect_refusal({"words", "hi", "--fsat"}, 2, "did you mean '--fast'?");
  expect_refusal({"report", "run.jsonl", "--ot", "out"}, 2, "did you mean '--out'?");
  expect_refusal({"tokenize", "--map", "raf", "hi"}, 2, "unknown option '--map' of tokenize; ");
  expect_refusal({"list", "--nonsense"}, 2, "unknown option '--nonsense' of list; see 'wordsway list --help'");
  expect_refusal({"list", "maps", "figures"}, 2, "'figures' was not expected; see 'wordsway list --help'");
  expect_refusal({"--quiet", "measure"}, 2, "wordsway COMMAND --quiet");
}

TEST(TypingErrors, InAName) {
  expect_refusal({"measure", "--map", "raf-rleu", "--data", "sphere", "--n", "3", "--d", "4"}, 2,
                 "did you mean 'raf-relu'?");
  expect_refusal({"measure", "--data", "shpere", "--n", "3", "--d", "4"}, 2, "did you mean 'sphere'?");
  expect_refusal({"measure", "--format", "jsno"}, 2, "did you mean 'json'?");
  expect_refusal({"measure", "--radius-unit", "sqrtd"}, 2, "did you mean 'sqrt-d'?");
  expect_refusal({"reproduce", "layer"}, 2, "did you mean 'layers'?");
  expect_refusal({"reproduce", "--profile", "quik", "-o", "/tmp"}, 2, "did you mean 'quick'?");
  expect_refusal({"layers", "hi", "--direction", "noise,atract"}, 2, "did you mean 'attract'?");
  expect_refusal({"attention", "hi", "--token", "1", "--direction", "assent"}, 2, "did you mean 'ascent'?");
  expect_refusal({"generalize", "--training", "fine-tuned"}, 2, "did you mean 'fine-tune'?");
  expect_refusal({"generalize", "--objective", "eror"}, 2, "did you mean 'error'?");
  expect_refusal({"generalize", "--label-rule", "half-space"}, 2, "did you mean 'halfspace'?");
  expect_refusal({"embed", "hi", "--pool", "means", "--out", "e.npy"}, 2, "did you mean 'mean'?");
  expect_refusal({"list", "map"}, 2, "did you mean 'maps'?");
}

TEST(ModelNames, OfTheHubAreAnsweredWithHowToGetAFolder) {
  for (const std::string command : {"words", "tokenize", "layers", "attention"}) {
    expect_refusal({command, "hi", "-m", "bert-base-uncased"}, 4, "wordsway downloads nothing");
    expect_refusal({command, "hi", "-m", "bert-base-uncased"}, 4,
                   "snapshot_download('bert-base-uncased', local_dir='bert-base-uncased')");
  }
  expect_refusal({"info", "sentence-transformers/all-MiniLM-L6-v2"}, 4,
                 "snapshot_download('sentence-transformers/all-MiniLM-L6-v2', local_dir='all-MiniLM-L6-v2')");
  for (const std::string path : {"/nowhere", "./bert", "../bert", "a/b/c", "nowhere/", "model.gguf", "has space"})
    EXPECT_THAT(run_wordsway({"info", path}).err, Not(HasSubstr("downloads"))) << path;
}

TEST(TextsWithoutAWord, AreToldAndGiveNoEmptyTable) {
  for (const std::string text : {"", "   ", "\n\t"}) {
    const ProgramResult words = run_wordsway({"words", text});
    EXPECT_EQ(words.exit_code, 0);
    EXPECT_THAT(words.err, HasSubstr("the text has no word\n"));
    EXPECT_EQ(words.out, "");
    for (const std::string command : {"layers", "attention", "tokenize"})
      EXPECT_THAT(run_wordsway({command, text}).err, HasSubstr("the text has no word\n")) << command;
    const ProgramResult bare = run_wordsway({"tokenize", text, "--no-special"});
    EXPECT_EQ(bare.exit_code, 0);
    EXPECT_THAT(bare.err, HasSubstr("the text has no word\n"));
    EXPECT_EQ(bare.out, "");
  }
}

TEST(TextsWithoutAWord, KeepTheShapeOfJson) {
  const ProgramResult words = run_wordsway({"words", "", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(words.out)["rows"], nlohmann::json::array());
  EXPECT_THAT(words.err, HasSubstr("the text has no word"));
  const ProgramResult tokens = run_wordsway({"tokenize", "", "--no-special", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(tokens.out)["ids"], nlohmann::json::array());
  EXPECT_THAT(tokens.err, HasSubstr("the text has no word"));
  EXPECT_EQ(nlohmann::json::parse(run_wordsway({"attention", "", "--format", "json"}).out)["pieces"].size(), 2U);
  EXPECT_EQ(run_wordsway({"words", "", "--format", "json", "--quiet"}).err, "");
}

TEST(TextsWithoutAWord, AreNamedAmongOthers) {
  EXPECT_THAT(run_wordsway({"tokenize", "a film", " "}).err, HasSubstr("text 1 (counted from 0) has no word"));
  EXPECT_THAT(run_wordsway({"tokenize", "a film", "", "", "--format", "jsonl"}).err,
              HasSubstr("2 of 3 texts have no word; the first is text 1 (counted from 0)"));
  EXPECT_EQ(run_wordsway({"tokenize", "a film", "good"}).err, "");
}

// Every option that names something to write, in a command that is right but for it.
struct Writer {
  Arguments command;
  std::string flag, ending;
};
const std::vector<Writer> kWriters = {
    {{"words", "hi"}, "--chart", ".svg"},     {{"layers", "hi"}, "--chart", ".svg"},
    {{"attention", "hi"}, "--chart", ".png"}, {{"attention", "hi"}, "--out", ".npy"},
    {{"generalize"}, "--chart", ".pdf"},      {{"generalize"}, "--out", ".jsonl"},
    {{"generalize"}, "--delta-out", ".npy"},  {{"measure"}, "--out", ".jsonl"},
    {{"measure"}, "--delta-out", ".npy"},     {{"measure", "--map", "raf"}, "--weights-out", ".npy"},
    {{"embed", "hi"}, "--out", ".npy"},       {{"embed", "hi", "--out", "/dev/null"}, "--labels-out", ".npy"}};

class OutputPaths : public testing::Test {
 protected:
  // -m is wrong, too: whatever is said about it was said after a model was looked for.
  void expect_refused_at_once(const Writer& writer, const std::string& path, int code, const std::string& part) const {
    Arguments arguments = writer.command;
    arguments.insert(arguments.end(), {writer.flag, path, "-m", "/nowhere"});
    SCOPED_TRACE(writer.command.front() + " " + writer.flag + " " + path);
    expect_refusal(arguments, code, part);
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_.folder()), fs::directory_iterator()));
  }

  TemporaryFolder folder_;
};

TEST_F(OutputPaths, InAFolderThatIsNotThereAreRefusedAtOnce) {
  for (const Writer& writer : kWriters)
    expect_refused_at_once(writer, folder_.path("no/x" + writer.ending), 4,
                           "there is no folder " + folder_.path("no").string());
  EXPECT_EQ(files(), 0U);
}

TEST_F(OutputPaths, ThatAreFoldersAreRefusedAtOnce) {
  for (const Writer& writer : kWriters) {
    const fs::path folder = folder_.path("folder" + writer.ending);
    fs::create_directories(folder);
    expect_refused_at_once(writer, folder.string(), 4, "it is a folder; give the name of a file");
  }
}

TEST_F(OutputPaths, BelowAFileAreRefusedAtOnce) {
  write_bytes(folder_.path("file"), "");
  for (const Writer& writer : kWriters)
    expect_refused_at_once(writer, folder_.path("file/x" + writer.ending), 4, "cannot write");
  for (const Arguments& command : {Arguments{"reproduce", "-m", "/nowhere"}, {"report", "/nowhere.jsonl"}}) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"-o", folder_.path("file/out").string()});
    expect_refusal(arguments, 4, "file is not a folder");
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputPaths, InAFolderThatMayNotBeWrittenAreRefusedAtOnce) {
  fs::permissions(folder_.folder(), fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  fs::create_directory(folder_.path("closed"));
  fs::permissions(folder_.path("closed"), fs::perms(0555));
  // Root may write everywhere, so the program runs as somebody else.
  const auto as_anybody = [] {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(99);
  };
  const auto expect_denied = [&](Arguments arguments, const std::string& flag, const std::string& path) {
    arguments.insert(arguments.end(), {flag, folder_.path(path).string()});
    const ProgramResult result = RunningProgram(wordsway_command(arguments), {}, as_anybody).finish();
    EXPECT_EQ(result.exit_code, 4) << arguments.front() << flag;
    EXPECT_THAT(result.err, AllOf(HasSubstr(path), HasSubstr("Permission denied")));
  };
  for (const Writer& writer : kWriters) expect_denied(writer.command, writer.flag, "closed/x" + writer.ending);
  for (const std::string out : {"closed", "closed/deeper/still"}) {
    expect_denied({"reproduce", "-m", "/nowhere"}, "-o", out);
    expect_denied({"report", "/nowhere.jsonl"}, "-o", out);
  }
}

TEST_F(OutputPaths, OfChartsHaveAKnownEnding) {
  for (const Writer& writer : kWriters) {
    if (writer.flag != "--chart") continue;
    for (const std::string name : {"a.gif", "a", "a.SVG.txt", "svg"})
      expect_refused_at_once(writer, folder_.path(name).string(), 2, "a chart is written as .svg, .pdf, .png or .tex");
  }
}

TEST_F(OutputPaths, ThatAreGoodAreLeftToTheCommand) {
  for (const Writer& writer : kWriters) {
    if (!can_print() && (writer.ending == ".pdf" || writer.ending == ".png")) continue;
    Arguments arguments = writer.command;
    arguments.insert(arguments.end(), {writer.flag, folder_.path("new" + writer.ending).string(), "-m", "/nowhere"});
    if (writer.command.front() == "generalize") arguments.insert(arguments.end(), {"--data", "builtin"});
    EXPECT_THAT(run_wordsway(arguments).err, HasSubstr("/nowhere")) << writer.command.front() << writer.flag;
  }
  EXPECT_THAT(run_wordsway({"reproduce", "-m", "/nowhere", "-o", folder_.path("a/b/c").string()}).err,
              HasSubstr("/nowhere"));
  EXPECT_EQ(files(), 0U) << "a check creates nothing";
}

TEST_F(OutputPaths, ThatAreDevicesOrLinksAreWritten) {
  EXPECT_EQ(run_wordsway({"embed", "hi", "--out", "/dev/null", "--quiet"}).exit_code, 0);
  write_bytes(folder_.path("target.npy"), "");
  fs::create_symlink(folder_.path("target.npy"), folder_.path("link.npy"));
  EXPECT_EQ(run_wordsway({"embed", "hi", "--out", folder_.path("link.npy").string(), "--quiet"}).exit_code, 0);
  EXPECT_GT(fs::file_size(folder_.path("target.npy")), 100U);
  EXPECT_TRUE(fs::is_symlink(folder_.path("link.npy")));
}

}  // namespace
}  // namespace wordsway::test
