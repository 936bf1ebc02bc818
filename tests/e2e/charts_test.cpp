// Pictures as users ask for them: of any text, whole or not at all.
#include <algorithm>
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

TEST_F(ChartsOfTheProgram, AreWrittenInEveryFormat) {
  const auto written = [&](const std::string& name, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"attention", "the cat", "--quiet", "--chart", folder_.path(name).string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_wordsway(arguments);
    if (result.exit_code != 0 && result.err.find("librsvg") != std::string::npos) {
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_THAT(result.err, HasSubstr(".svg and .tex work"));
      return std::string();
    }
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_bytes(folder_.path(name));
  };
  EXPECT_THAT(written("a.svg"), HasSubstr("the cat"));
  EXPECT_THAT(written("a.tex"), HasSubstr("\\begin{tikzpicture}"));
  const std::string pdf = written("a.pdf"), png = written("a.png", {"--chart-size", "640x480"});
  if (pdf.empty()) GTEST_SKIP() << "librsvg is not installed";
  EXPECT_THAT(pdf, testing::StartsWith("%PDF"));
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\xe0", 8)) << "width and height";
}

TEST_F(ChartsOfTheProgram, NeedNoOtherProgram) {
  const ProgramResult result =
      RunningProgram(wordsway_command({"attention", "the cat", "--chart", chart_, "--quiet"}), {{"PATH", ""}}).finish();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(what_is_wrong_with_xml(read_bytes(chart_)), "");
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
  EXPECT_THAT(chart_of(attention), AllOf(HasSubstr(">100% sure</text>"), HasSubstr(">%s%n%n%s%n</text>"),
                                         HasSubstr(">&#39;tis it&#39;&#39;s &#39;</text>"),
                                         HasSubstr("]]&gt; &lt;b&gt; &amp;amp;"), HasSubstr(">a\uFFFDb\uFFFD</text>")));
  EXPECT_THAT(chart_of({"words", "100% sure it's ]]>", "--fast"}),
              AllOf(HasSubstr(">100</text>"), HasSubstr(">%</text>"), HasSubstr(">&#39;</text>")));
  EXPECT_THAT(chart_of({"layers", "% ]]>", "--token", "1", "--direction", "noise"}), HasSubstr("(&quot;%&quot;)"));
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
