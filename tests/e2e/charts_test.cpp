// Pictures as users ask for them: of any text, whole or not at all.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "support/xml_check.h"
#include "wordsway/core/utf8.h"

namespace wordsway::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class ChartsOfTheProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (RunningProgram({"gnuplot", "--version"}).finish().exit_code != 0) GTEST_SKIP() << "there is no gnuplot";
  }
  // Runs a command with --chart, and returns the picture.
  std::string chart_of(std::vector<std::string> arguments) const {
    std::filesystem::remove(chart_);
    arguments.insert(arguments.end(), {"--chart", chart_, "--quiet"});
    const ProgramResult result = run_wordsway(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (result.exit_code != 0) return "";
    const std::string svg = read_bytes(chart_);
    EXPECT_EQ(what_is_wrong_with_xml(svg), "");
    return svg;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.folder()))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  // A model that gives 0 whatever it is asked: layers without a norm.
  std::string zero_model() const {
    const auto builtin = source_folder() / "models/builtin";
    const auto folder = folder_.path("zero");
    std::filesystem::copy(builtin, folder);
    std::string weights = read_bytes(folder / "model.safetensors");
    size_t header = 0;
    for (size_t byte = 0; byte < 8; ++byte)
      header |= static_cast<size_t>(static_cast<unsigned char>(weights[byte])) << 8 * byte;
    std::fill(weights.begin() + static_cast<std::ptrdiff_t>(8 + header), weights.end(), '\0');
    write_bytes(folder / "model.safetensors", weights);
    return folder.string();
  }

  TemporaryFolder folder_;
  std::string chart_ = folder_.path("a.svg").string();
};

TEST_F(ChartsOfTheProgram, AreNotReplacedByHalfAPicture) {
  write_bytes(chart_, "a good picture");
  const auto few_blocks = [] {
    const rlimit limit{8192, 8192};
    setrlimit(RLIMIT_FSIZE, &limit);
  };
  const ProgramResult result =
      RunningProgram(wordsway_command({"attention", "the cat", "--chart", chart_}), {}, few_blocks).finish();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, AllOf(HasSubstr("a.svg"), HasSubstr("File too large")));
  EXPECT_EQ(read_bytes(chart_), "a good picture");
  EXPECT_THAT(files(), testing::ElementsAre("a.svg"));
}

TEST_F(ChartsOfTheProgram, LeaveNothingBehindWhenTheProgramIsKilled) {
  std::filesystem::create_directory(folder_.path("bin"));
  write_bytes(folder_.path("bin/gnuplot"), "#!/bin/sh\nkill -9 $PPID\n");
  std::filesystem::permissions(folder_.path("bin/gnuplot"), std::filesystem::perms::owner_all);
  const std::string path = folder_.path("bin").string() + ":" + std::getenv("PATH");
  const ProgramResult result =
      RunningProgram(wordsway_command({"attention", "the cat", "--chart", chart_}), {{"PATH", path}}).finish();
  EXPECT_EQ(result.exit_code, 128 + 9);
  EXPECT_THAT(files(), testing::ElementsAre("bin"));
}

TEST_F(ChartsOfTheProgram, ShowAnyText) {
  const std::vector<std::string> texts = {"100% sure",
                                          "%s%n%n%s%n",
                                          "'tis it''s '",
                                          "say \"so\" \\ `date`",
                                          "]]> <b> &amp;",
                                          "a\x01"
                                          "b\xff",
                                          "\xef\xbf\xbe",
                                          "",
                                          "世界 🙂"};
  std::vector<std::string> attention = {"attention"};
  attention.insert(attention.end(), texts.begin(), texts.end());
  EXPECT_THAT(chart_of(attention), AllOf(HasSubstr("<text>100% sure</text>"), HasSubstr("<text>%s%n%n%s%n</text>"),
                                         HasSubstr("<text>'tis it''s '</text>"), HasSubstr("]]&gt; &lt;b> &amp;amp;"),
                                         HasSubstr("<text>a\uFFFDb\uFFFD</text>")));
  EXPECT_THAT(chart_of({"words", "100% sure it's ]]>", "--fast"}),
              AllOf(HasSubstr("<text>100</text>"), HasSubstr("<text>%</text>"), HasSubstr("<text>'</text>")));
  EXPECT_THAT(chart_of({"layers", "% ]]>", "--token", "1", "--direction", "noise"}), HasSubstr("(\"%\")"));
}

TEST_F(ChartsOfTheProgram, OfAnEmptyTextAreEmpty) {
  EXPECT_THAT(chart_of({"words", ""}), HasSubstr("nothing to draw"));
  EXPECT_THAT(chart_of({"attention", ""}), HasSubstr("[CLS]"));
  chart_of({"layers", "", "--direction", "noise"});
}

TEST_F(ChartsOfTheProgram, OfNoTextAreRefused) {
  const ProgramResult attention = run_wordsway({"attention", "-i", "/dev/null", "--chart", chart_});
  EXPECT_THAT(attention.exit_code, testing::AnyOf(2, 3)) << attention.err;
  EXPECT_THAT(attention.err, HasSubstr("text"));
  EXPECT_THAT(run_wordsway({"words", "-i", "/dev/null", "--chart", chart_}).exit_code, testing::AnyOf(2, 3));
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(ChartsOfTheProgram, OfZerosAreMadeByReport) {
  const std::string journal = folder_.path("z.jsonl").string(), out = folder_.path("out").string();
  const ProgramResult measured = run_wordsway({"measure", "--map", "rf", "--radius", "0", "--n", "5,6,7", "--d", "8",
                                               "--data", "sphere", "--trials", "2", "--out", journal});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  // Without an end, it would fill the memory.
  const auto with_an_end = [] {
    const rlimit limit{120, 120};
    setrlimit(RLIMIT_CPU, &limit);
  };
  const ProgramResult result =
      RunningProgram(wordsway_command({"report", journal, "-o", out}), {}, with_an_end).finish();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(what_is_wrong_with_xml(read_bytes(folder_.path("out/z.svg"))), "");
}

TEST_F(ChartsOfTheProgram, OfAModelOfZerosAreEmptyAndJudgedAsSuch) {
  const std::string model = zero_model();
  const ProgramResult result =
      run_wordsway({"reproduce", "layers", "--profile", "quick", "-m", model, "-o", folder_.path("out").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("nothing was measured"));
  EXPECT_THAT(read_bytes(folder_.path("out/figures/layers-1.svg")), HasSubstr("nothing to draw"));
  EXPECT_THAT(read_bytes(folder_.path("out/report.html")), HasSubstr("nothing was measured"));
  EXPECT_THAT(chart_of({"layers", "-m", model, "--direction", "noise"}), HasSubstr("nothing to draw"));
}

TEST_F(ChartsOfTheProgram, StandInPagesOfAnyFolder) {
  const std::string strange = folder_.path("caf\xe9 \x01").string();
  std::filesystem::create_directory(strange);
  const std::string journal = strange + "/caf\xe9.jsonl";
  ASSERT_EQ(run_wordsway({"measure", "--n", "5,10", "--d", "8", "--trials", "2", "--out", journal}).exit_code, 0);
  const ProgramResult result = run_wordsway({"report", journal, "-o", strange});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string page = read_bytes(strange + "/report.html");
  EXPECT_TRUE(unicode::is_valid_utf8(page));
  EXPECT_EQ(page.find('\x01'), std::string::npos);
  EXPECT_THAT(page, HasSubstr("caf\uFFFD \uFFFD/caf\uFFFD.jsonl"));
}

TEST_F(ChartsOfTheProgram, SayWhichCharactersNoFontHas) {
  std::filesystem::create_directory(folder_.path("bin"));
  write_bytes(folder_.path("bin/fc-list"), "#!/bin/sh\necho '20-7e a0-17f 4e00-9fff'\n");
  std::filesystem::permissions(folder_.path("bin/fc-list"), std::filesystem::perms::owner_all);
  const std::string path = folder_.path("bin").string() + ":" + std::getenv("PATH");
  const auto said = [&](const std::string& name, const std::string& text) {
    const ProgramResult result =
        RunningProgram(wordsway_command({"attention", text, "--chart", folder_.path(name).string()}), {{"PATH", path}})
            .finish();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  EXPECT_THAT(said("a.png", "我爱你 😀"),
              AllOf(HasSubstr("no font of this machine"), HasSubstr("(😀)"), HasSubstr(".svg")));
  EXPECT_THAT(said("a.pdf", "我爱你 😀"), HasSubstr("(😀)"));
  EXPECT_EQ(said("a.png", "我爱你"), "");
  EXPECT_EQ(said("a.svg", "我爱你 😀"), "");
}

TEST(AttentionOutput, WritesBytesThatAreNotUtf8AsReplacementCharacters) {
  const ProgramResult result = run_wordsway({"attention", "a\xff", "--format", "json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["text"], "a\uFFFD");
  const ProgramResult lines = run_wordsway({"attention", "a\xff", "b", "--format", "jsonl", "--quiet"});
  EXPECT_EQ(lines.exit_code, 0) << lines.err;
}

TEST(LayersOutput, TakesAnEmptyTextAsATextAndNoTextAsTheBuiltInOne) {
  const auto token = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "layers");
    arguments.insert(arguments.end(), {"--direction", "noise", "--draws", "1", "--format", "json", "--quiet"});
    const ProgramResult result = run_wordsway(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out)[0];
  };
  EXPECT_EQ(token({""})["piece"], "[SEP]");
  EXPECT_EQ(token({""})["token"], 1);
  EXPECT_EQ(token({})["token"], 42);
}

}  // namespace
}  // namespace wordsway::test
