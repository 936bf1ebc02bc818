// Values that are not to be trusted say so, whatever the command.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/io/npy.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using nlohmann::json;
using test::run_wordsway;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

test::ProgramResult run_line(const std::string& line) {
  return run_wordsway(words_of(line));
}

// A folder with tokens.npy in it.
class OwnTokens : public testing::Test {
 protected:
  std::string write(const Matrix& X) const {
    const std::string path = folder_.path("tokens.npy");
    write_npy(path, X);
    return path;
  }

  test::TemporaryFolder folder_;
};

TEST(Values, ATrialWhoseFeaturesVanishFailsAndIsCounted) {
  // One feature of one number: relu leaves nothing of it in about half of the trials.
  const std::string line = "measure --map rf --n 1 --d 1 --trials 8 --data sphere";
  const auto rows = run_line(line + " --format jsonl");
  ASSERT_EQ(rows.exit_code, 0) << rows.err;
  int failed = 0;
  std::istringstream lines(rows.out);
  for (std::string row; std::getline(lines, row);) {
    const json parsed = json::parse(row);
    if (parsed.contains("sensitivity")) {
      EXPECT_TRUE(parsed["sensitivity"].is_number()) << row;
    } else {
      EXPECT_THAT(row, HasSubstr("the features of this sample vanish"));
      ++failed;
    }
  }
  ASSERT_GT(failed, 0);
  ASSERT_LT(failed, 8);
  const auto table = run_line(line);
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_THAT(table.out, HasSubstr("failed"));
  EXPECT_THAT(table.out, HasSubstr("vanish"));
  EXPECT_THAT(table.out, Not(HasSubstr("e-3"))) << "no number made of what lay in memory";
  EXPECT_THAT(table.err, HasSubstr(fmt::format("{} of 8 trials failed", failed)));
}

TEST(Values, ATableWithoutFailuresHasNoColumnForThem) {
  EXPECT_THAT(run_line("measure --map rf --n 4 --d 4 --trials 2 --data sphere").out, Not(HasSubstr("failed")));
  EXPECT_THAT(run_line("generalize --map rf --n 4 --d 4 --train-size 3 --trials 2 --data sphere").out,
              Not(HasSubstr("failed")));
}

TEST(Values, OptionsBeyondWhatADoubleCarriesAreRefused) {
  const auto beta = run_line("measure --map raf-elu --beta 1e308 --n 4 --d 4 --trials 2 --data sphere");
  EXPECT_EQ(beta.exit_code, 2);
  EXPECT_THAT(beta.err, HasSubstr("1e+100"));
  const auto radius = run_line("measure --map rf --radius 1e300 --n 4 --d 4 --trials 2 --data sphere");
  EXPECT_THAT(radius.exit_code, testing::AnyOf(2, 3));
  EXPECT_THAT(radius.err, HasSubstr("--radius must lie between 0 and 1e100"));
  EXPECT_EQ(radius.out, "");
}

TEST_F(OwnTokens, ThatAreTooLargeAreRefused) {
  for (const char* map : {"rf", "raf", "drf", "raf-relu"}) {
    const auto large =
        run_line(fmt::format("measure --map {} --no-normalise --x {}", map, write(1e200 * Matrix::Ones(3, 2))));
    EXPECT_EQ(large.exit_code, 3) << map;
    EXPECT_THAT(large.err, HasSubstr("must lie between -1e+100 and 1e+100")) << map;
    EXPECT_EQ(large.out, "");
  }
}

TEST_F(OwnTokens, ThatCancelAreRefused) {
  Matrix X = gaussian_matrix(Stream(5), 6, 3);
  X.bottomRows(3) = -X.topRows(3);
  const auto run_on = run_line("measure --map raf-square --no-normalise --x " + write(X));
  EXPECT_EQ(run_on.exit_code, 3);
  EXPECT_THAT(run_on.err, HasSubstr("cancel to rounding noise"));
}

TEST(Values, GeneralizeCountsFailedTrials) {
  const std::string line =
      "generalize --map rf --n 1 --d 1 --train-size 1 --training fine-tune --trials 16 --data sphere";
  const auto table = run_line(line);
  ASSERT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.err, HasSubstr("of 16 trials failed"));
  EXPECT_THAT(table.out, HasSubstr("failed"));
  EXPECT_THAT(table.out, HasSubstr("failed, rf, n 1, d 1, trial"));
}

// The small golden model with all its weights 0, and a tokenizer of a few words.
class ZeroModel : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy(test::source_folder() / "tests/golden/models/bert", folder_.path("zero"),
                          std::filesystem::copy_options::recursive);
    const std::filesystem::path weights = folder_.path("zero") / "model.safetensors";
    std::ofstream vocabulary(folder_.path("zero") / "vocab.txt");
    vocabulary << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nfine\nfilm\n";
    for (int id = 8; id < 100; ++id) vocabulary << "word" << id << "\n";
    std::fstream file(weights, std::ios::in | std::ios::out | std::ios::binary);
    std::uint64_t header = 0;
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    const auto begin = static_cast<std::streamoff>(sizeof header + header);
    const std::vector<char> zeros(std::filesystem::file_size(weights) - static_cast<size_t>(begin), 0);
    file.seekp(begin);
    file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
  }

  test::TemporaryFolder folder_;
};

TEST_F(ZeroModel, HasNoSensitivity) {
  const std::string model = folder_.path("zero").string();
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"words", "a fine film"},
                                                    {"words", "a fine film", "--fast"},
                                                    {"measure", "a fine film"}}) {
    auto all = arguments;
    all.insert(all.end(), {"-m", model});
    const auto found = run_wordsway(all);
    EXPECT_EQ(found.exit_code, 3) << arguments.front() << found.err;
    EXPECT_THAT(found.err, HasSubstr("the features of this sample vanish"));
    EXPECT_EQ(found.out, "");
  }
}

TEST(Values, AMoveBeyondFloat32IsRefused) {
  for (const char* fast : {"--fast", "--quiet"}) {
    const auto found = run_wordsway({"words", "a fine film", "--radius", "1e30", fast});
    EXPECT_EQ(found.exit_code, 2) << found.err;
    EXPECT_THAT(found.err, HasSubstr("the radius must be at most"));
  }
}

}  // namespace
}  // namespace wordsway
