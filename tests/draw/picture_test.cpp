// Pictures in files: every format, complete or not at all.
#include <filesystem>

#include <gmock/gmock.h>

#include "draw/made_up_charts.h"
#include "support/bytes.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "support/xml_check.h"
#include "wordsway/core/error.h"
#include "wordsway/draw/print_svg.h"
#include "wordsway/draw/tikz.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Pictures : public testing::Test {
 protected:
  std::string written(const Chart& chart, const std::string& name, Canvas canvas = {}) const {
    canvas.path = folder_.path(name);
    write_picture(chart, canvas);
    return read_bytes(canvas.path);
  }
  TemporaryFolder folder_;
};

unsigned number_at(const std::string& bytes, size_t at) {
  unsigned value = 0;
  for (size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

TEST_F(Pictures, AreSvgFiles) {
  const std::string svg = written(lines_chart(), "a.svg");
  EXPECT_THAT(svg, AllOf(StartsWith("<?xml"), HasSubstr("<svg xmlns")));
  EXPECT_EQ(what_is_wrong_with_xml(svg), "");
  EXPECT_EQ(svg, written(lines_chart(), "b.svg")) << "the same chart gives the same bytes";
}

TEST_F(Pictures, HaveTheSizeThatIsAskedFor) {
  EXPECT_THAT(written(lines_chart(), "a.svg", {.width = 700, .height = 300}), HasSubstr("viewBox=\"0 0 700 3"));
  EXPECT_THAT(written(lines_chart(), "a.svg", {.title = false}), Not(HasSubstr(">Lines</text>")));
}

TEST_F(Pictures, AreDrawnForPaper) {
  if (!can_print()) {
    EXPECT_THROW(written(lines_chart(), "a.pdf"), UsageError);
    EXPECT_FALSE(std::filesystem::exists(folder_.path("a.pdf")));
    GTEST_SKIP() << kCannotPrint;
  }
  for (const Chart& chart : all_charts()) {
    const std::string pdf = written(chart, "a.pdf"), png = written(chart, "a.png");
    EXPECT_THAT(pdf, AllOf(StartsWith("%PDF-"), HasSubstr("%%EOF")));
    EXPECT_EQ(pdf, written(chart, "b.pdf")) << "the same chart gives the same bytes";
    EXPECT_THAT(png, AllOf(StartsWith("\x89PNG"), testing::EndsWith("IEND\xAE\x42\x60\x82")));
    EXPECT_EQ(number_at(png, 16), static_cast<unsigned>(chart.width));
  }
  const std::string png = written(cells_chart(), "a.png", {.width = 640, .height = 480});
  EXPECT_EQ(number_at(png, 16), 640U);
  EXPECT_EQ(number_at(png, 20), 480U);
}

TEST_F(Pictures, AreDrawnForPaperWithAnyText) {
  if (!can_print()) GTEST_SKIP() << kCannotPrint;
  const std::string hostile = "]]> <b> &amp; \x01\xff \U0010FFFD 世界 🙂 שלום";
  for (const char* name : {"a.pdf", "a.png"}) EXPECT_GT(written(rows_chart({hostile, ""}), name).size(), 1000U);
}

TEST_F(Pictures, AreNotWrittenUnderOtherEndings) {
  for (const char* name : {"a.txt", "a", "a.SVG", "a.svg.gz"}) {
    EXPECT_THROW(written(lines_chart(), name), UsageError) << name;
    EXPECT_FALSE(std::filesystem::exists(folder_.path(name)));
  }
}

TEST_F(Pictures, ThatCannotBeWrittenSpoilNone) {
  EXPECT_THROW(written(lines_chart(), "no/such/folder/a.svg"), FileError);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.folder()));
}

TEST(Tikz, HasPointsBandsAndLegend) {
  const std::string picture = draw_tikz(lines_chart("raf, β = 4" + power(" (n", with_minus_signs("-0.5")) + ")"));
  EXPECT_THAT(picture,
              AllOf(HasSubstr("\\usepackage{pgfplots}"), HasSubstr("\\begin{tikzpicture}"),
                    HasSubstr("(10,2) (30,1) (100,0.5)"), HasSubstr("fill opacity=0.2"), HasSubstr("xmode=log"),
                    HasSubstr("\\addlegendentry{raf, $\\beta$ = 4 (n\\textsuperscript{$-$0.5})}")));
  EXPECT_THAT(picture, HasSubstr("title={Lines}"));
  EXPECT_THAT(draw_tikz(lines_chart(), false), Not(HasSubstr("title={Lines}")));
}

TEST(Tikz, EscapesTexts) {
  EXPECT_EQ(tex_text("100% & x_1 #a {b} \\ ‖φ‖ → ~"),
            "100\\% \\& x\\_1 \\#a \\{b\\} $\\backslash$ $\\|$$\\varphi$$\\|$ $\\rightarrow$ \\~{}");
  EXPECT_THAT(tex_text("a\x01\xff"), Not(HasSubstr("\x01")));
}

TEST(Tikz, HasRowsAndCells) {
  EXPECT_THAT(draw_tikz(rows_chart()), AllOf(HasSubstr("yticklabels={{love},{her}}"), HasSubstr("(1.5,0) (0.5,1)"),
                                             HasSubstr("{\\,$\\rightarrow$ hate}"), HasSubstr("y dir=reverse")));
  EXPECT_THAT(draw_tikz(cells_chart()),
              AllOf(HasSubstr("\\begin{groupplot}"), HasSubstr("mesh/cols=2"), HasSubstr("0 0 1\n")));
  EXPECT_THAT(draw_tikz({.title = "A"}), HasSubstr("nothing to draw"));
}

TEST_F(Pictures, CompileInAPaper) {
  if (RunningProgram({"sh", "-c", "command -v pdflatex && kpsewhich pgfplots.sty"}).finish().exit_code != 0)
    GTEST_SKIP() << "LaTeX with pgfplots is not installed";
  std::string inputs;
  for (const Chart& chart : all_charts()) {
    const std::string name = "chart" + std::to_string(inputs.size());
    written(chart, name + ".tex");
    inputs += "\\input{" + name + "}\n\n";
  }
  write_bytes(folder_.path("paper.tex"),
              "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{pgfplots}\\pgfplotsset{compat=1.18}"
              "\\usepgfplotslibrary{groupplots}\\begin{document}" +
                  inputs + "\\end{document}\n");
  const ProgramResult result =
      RunningProgram({"sh", "-c", "cd " + folder_.folder().string() + " && pdflatex -halt-on-error paper.tex"})
          .finish();
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

}  // namespace
}  // namespace wordsway::test
