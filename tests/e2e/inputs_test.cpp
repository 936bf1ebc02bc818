// Inputs that are not what they should be: empty, not text, not finite, gone. One sentence, the right exit code, no
// file.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/safetensors.h"
#include "wordsway/io/safetensors_writer.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr int kUsage = 2, kData = 3, kFile = 4;

class Inputs : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path(name).string(); }
  std::string write(const std::string& name, const std::string& content) const {
    write_bytes(folder_.path(name), content);
    return file(name);
  }

  static void expect_refusal(const std::vector<std::string>& arguments, int exit_code, const std::string& message) {
    const ProgramResult run = run_wordsway(arguments);
    EXPECT_EQ(run.exit_code, exit_code) << testing::PrintToString(arguments) << run.err;
    EXPECT_THAT(run.err, HasSubstr(message)) << testing::PrintToString(arguments);
    EXPECT_EQ(run.out, "") << testing::PrintToString(arguments);
  }

  TemporaryFolder folder_;
};

// Standard input of a program under test is empty.
TEST_F(Inputs, NothingCanBeEmbeddedOrMeasuredWithoutAText) {
  const std::string csv = write("header.csv", "text,y\n");
  expect_refusal({"embed", "--pool", "mean", "-i", "-", "--out", file("e.npy")}, kData,
                 "standard input: there is no text");
  for (const std::string pool : {"cls", "mean", "model"})
    expect_refusal({"embed", "--pool", pool, "-i", csv, "--out", file("e.npy")}, kData, csv + ": there is no text");
  expect_refusal({"embed", "--n", "4", "-i", csv, "--out", file("e.npy")}, kData, csv + ": there is no text");
  expect_refusal({"measure", "-m", "builtin", "-i", csv}, kData, csv + ": there is no text");
  expect_refusal({"generalize", "-m", "builtin", "-i", csv, "--n", "5"}, kData, csv + ": there is no text");
  EXPECT_FALSE(fs::exists(file("e.npy")));
}

TEST_F(Inputs, ASelectionThatLeavesNoTextIsRefused) {
  const std::string corpus = write("c.txt", "one two three four five six\n");
  expect_refusal({"embed", "--pool", "mean", "--max-tokens", "3", "-i", corpus, "--out", file("e.npy")}, kData,
                 corpus + ": there is no text with fewer than 3 tokens");
}

TEST_F(Inputs, CommandsThatDescribeTextsDescribeNoneAsAnEmptyList) {
  for (const std::string command : {"tokenize", "words", "attention"}) {
    const ProgramResult json = run_wordsway({command, "-i", "-", "--format", "json"});
    EXPECT_EQ(json.exit_code, 0) << command << json.err;
    const nlohmann::json found = nlohmann::json::parse(json.out, nullptr, false);
    EXPECT_EQ(command == "words" ? found["rows"] : found, nlohmann::json::array()) << command << json.out;
    const ProgramResult lines = run_wordsway({command, "-i", "-", "--format", "jsonl"});
    EXPECT_EQ(lines.exit_code, 0) << command << lines.err;
    EXPECT_EQ(lines.out, "") << command;
  }
  EXPECT_EQ(run_wordsway({"attention", "-i", "-", "--format", "csv"}).out, "");
  EXPECT_EQ(run_wordsway({"words", "-i", "-", "--format", "csv"}).out, "");
  for (const std::string command : {"words", "attention"})
    expect_refusal({command, "-i", "-", "--chart", file("a.svg")}, kData, "standard input: there is no text");
}

TEST_F(Inputs, TheHeaderOfACsvComesWithTheFirstRow) {
  const ProgramResult run = run_wordsway({"words", "", "hi", "--fast", "--radius", "0.1", "--format", "csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("text,"));
}

TEST_F(Inputs, OtherThingsThanUtf8TextAreNamed) {
  const std::string utf16 = write("utf16.txt", std::string("\xFF\xFEh\0i\0", 6));
  const std::string binary = write("binary.csv", std::string("text\n\0\1\2\n", 9));
  expect_refusal({"tokenize", "-i", utf16}, kData, utf16 + ": begins with the byte order mark of UTF-16");
  expect_refusal({"words", "-i", binary}, kData, binary + ": has a zero byte at byte 5");
}

TEST_F(Inputs, SeedsAreWhatAJournalCanHold) {
  const std::string range = "--seed must lie between 0 and 9223372036854775807";
  const std::map<std::string, std::vector<std::string>> commands = {
      {"measure", {"--map", "rf", "--n", "3", "--d", "4", "--data", "sphere", "--trials", "1"}},
      {"generalize", {"--map", "rf", "--n", "3", "--d", "4", "--data", "sphere", "--trials", "1"}},
      {"layers", {"hi"}},
      {"attention", {"hi"}},
      {"embed", {"hi", "--out", file("e.npy")}},
      {"reproduce", {"layers", "-o", file("r")}}};
  for (const auto& [command, rest] : commands)
    for (const std::string seed : {"-1", "1e23", "18446744073709551616", "9223372036854775808", "nan"}) {
      std::vector<std::string> arguments = {command, "--seed=" + seed};
      arguments.insert(arguments.end(), rest.begin(), rest.end());
      expect_refusal(arguments, kUsage, range);
    }
  const ProgramResult run = run_wordsway({"measure", "--map", "rf", "--n", "3", "--d", "4", "--data", "sphere",
                                          "--trials", "1", "--seed", "9223372036854775807", "--format", "jsonl"});
  EXPECT_EQ(nlohmann::json::parse(run.out)["seed"], 9223372036854775807) << run.err;
}

TEST_F(Inputs, NumbersThatMeanNothingAreRefused) {
  for (const std::string radius : {"nan", "inf", "1e300", "1.1e100", "-1", "-inf", "x"})
    for (const std::vector<std::string>& command : {std::vector<std::string>{"measure"},
                                                    {"generalize"},
                                                    {"words", "hi"},
                                                    {"layers", "hi"},
                                                    {"attention", "hi"}}) {
      std::vector<std::string> arguments = command;
      arguments.push_back("--radius=" + radius);
      expect_refusal(arguments, kUsage, "--radius must lie between 0 and 1e100");
    }
  for (const std::string tolerance : {"nan", "-nan", "inf", "2"})
    expect_refusal({"measure", "--tolerance=" + tolerance}, kUsage, "--tolerance must lie between 0 and 1");
  for (const std::string beta : {"nan", "inf"}) {
    expect_refusal({"generalize", "--beta", beta}, kUsage, "beta must be a finite number");
    expect_refusal({"measure", "--beta", beta}, kUsage, "must be a finite number");
  }
}

// The built-in model with a layer norm whose gain makes every hidden state overflow, though each weight is finite.
void write_overflowing_model(const fs::path& folder) {
  const fs::path builtin = source_folder() / "models" / "builtin";
  fs::copy(builtin, folder);
  const SafeTensors tensors = SafeTensors::open(builtin);
  std::vector<std::vector<float>> values;
  std::vector<TensorToWrite> written;
  for (const std::string& name : tensors.names()) {
    const TensorInfo& info = tensors.info(name);
    std::vector<float>& copied = values.emplace_back(static_cast<size_t>(info.count));
    tensors.copy_f32(name, copied);
    if (name.ends_with("embeddings.LayerNorm.weight")) std::fill(copied.begin(), copied.end(), 3e38F);
    written.push_back({name, info.shape, copied});
  }
  write_safetensors(folder / "model.safetensors", written);
}

TEST_F(Inputs, AnEmbeddingThatIsNotFiniteIsRefusedAndNotWritten) {
  write_overflowing_model(folder_.path("model"));
  const std::string corpus = write("c.txt", "a film\nanother film\n");
  for (const std::vector<std::string>& how : {std::vector<std::string>{"--layer", "0", "--n", "4"},
                                              {"--layer", "last", "--n", "4"},
                                              {"--layer", "pooled"},
                                              {"--pool", "mean"},
                                              {"--pool", "cls", "--layer", "1"},
                                              {"--pool", "model"}}) {
    std::vector<std::string> arguments = {"embed", "-m",    file("model"), "-i",
                                          corpus,  "--out", file("e.npy"), "--quiet"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    expect_refusal(arguments, kData, "text 1");
    EXPECT_FALSE(fs::exists(file("e.npy")));
  }
}

TEST_F(Inputs, AMissingLabelIsFoundBeforeAnythingIsWritten) {
  const std::string corpus = write("c.jsonl", "{\"text\": \"a film\", \"y\": 1}\n{\"text\": \"another\"}\n");
  expect_refusal({"embed", "--pool", "mean", "-i", corpus, "--out", file("e.npy"), "--labels-out", file("y.npy")},
                 kData, "text 2 has no label");
  EXPECT_FALSE(fs::exists(file("e.npy")));
}

TEST_F(Inputs, AFileThatCannotBeWrittenWholeIsNotThere) {
  const auto command = wordsway_command({"embed", "a film", "--out", file("out/e.npy"), "--quiet"});
  fs::create_directory(file("out"));
  const ProgramResult run = RunningProgram(command, {}, [] {
                              const rlimit limit{1000, 1000};
                              setrlimit(RLIMIT_FSIZE, &limit);
                            }).finish();
  EXPECT_EQ(run.exit_code, kFile) << run.err;
  EXPECT_TRUE(fs::is_empty(file("out")));
}

TEST_F(Inputs, AWorkingDirectoryThatIsGoneIsNoFault) {
  fs::copy(source_folder() / "models" / "builtin", folder_.path("model"));
  fs::create_directory(file("gone"));
  const auto in_gone_folder = [&](const std::vector<std::string>& arguments) {
    fs::create_directories(file("gone"));
    const std::string gone = file("gone");
    return RunningProgram(wordsway_command(arguments), {},
                          [&] {
                            if (chdir(gone.c_str()) != 0 || rmdir(gone.c_str()) != 0) _exit(99);
                          })
        .finish();
  };
  const ProgramResult info = in_gone_folder({"info", "../model", "--format", "json"});
  EXPECT_EQ(info.exit_code, 0) << info.err;
  EXPECT_THAT(info.out, HasSubstr("\"model\": \"model\""));
  EXPECT_EQ(in_gone_folder({"embed", "hi", "--out", "e.npy"}).exit_code, kFile);
  EXPECT_EQ(in_gone_folder({"tokenize", "-i", "c.txt"}).exit_code, kFile);
}

TEST_F(Inputs, NamesThatTheSystemRefusesAreFileErrors) {
  const std::string name(300, 'x');
  expect_refusal({"info", name}, kFile, "File name too long");
  expect_refusal({"tokenize", "-m", name, "hi"}, kFile, "File name too long");
  expect_refusal({"tokenize", "-i", name}, kFile, "File name too long");
  expect_refusal({"embed", "hi", "--out", file(name)}, kFile, "File name too long");
}

}  // namespace
}  // namespace wordsway::test
