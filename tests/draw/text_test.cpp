// Texts of charts: exponents, minus signs, widths.
#include "wordsway/draw/text.h"

#include <gmock/gmock.h>

#include "wordsway/draw/markup.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

TEST(ChartText, InterpretsNothing) {
  EXPECT_THAT(Text("n^-0.05 {x}_1").runs(), ElementsAre(Text::Run{"n^-0.05 {x}_1", false}));
  EXPECT_TRUE(Text("").empty());
}

TEST(ChartText, KeepsExponentsApart) {
  const Text text = "raf" + power(" (n", with_minus_signs("-0.05")) + ")";
  EXPECT_THAT(text.runs(),
              ElementsAre(Text::Run{"raf (n", false}, Text::Run{"\u22120.05", true}, Text::Run{")", false}));
  EXPECT_EQ(text.plain(), "raf (n⁻⁰·⁰⁵)");
}

TEST(ChartNumbers, HaveMinusSignsAndExponents) {
  EXPECT_EQ(number_text(0.5), Text("0.5"));
  EXPECT_EQ(number_text(-0.5), Text("\u22120.5"));
  EXPECT_EQ(number_text(1e-7), power("10", "\u22127"));
  EXPECT_EQ(number_text(2e12), power("2×10", "12"));
  EXPECT_EQ(number_text(-1e12), power("\u221210", "12"));
}

TEST(TextWidth, IsThatOfAWideFont) {
  EXPECT_EQ(text_width(""), 0);
  // As DejaVu Sans sets them at 14 pixels.
  EXPECT_NEAR(text_width("objective error"), 102.8, 0.1);
  EXPECT_NEAR(text_width("raf-softplus"), 79.5, 0.1);
  EXPECT_LT(text_width("illi"), text_width("mwmw"));
  EXPECT_GE(text_width("世界"), 28);
  EXPECT_GE(text_width("🙂"), 14);
  EXPECT_EQ(text_width("e\u0301"), text_width("e")) << "an accent stands above its letter";
  EXPECT_LT(text_width(power("n", "2")), text_width("n2"));
}

TEST(FittedText, IsCutBetweenCharacters) {
  EXPECT_EQ(fitted("abc", 100), Text("abc"));
  EXPECT_EQ(fitted("世界世界", 50), Text("世界…"));
  EXPECT_EQ(fitted("abc", 1), Text("…"));
  EXPECT_EQ(fitted("two\nlines\tand a tab", 1000), Text("two lines and a tab"));
  for (const double room : {20, 30, 40, 50})
    EXPECT_LE(text_width(fitted("raf" + power(" (n", "2") + ") and more", room)), room);
}

TEST(Markup, KeepsTabsAndLinesAndReplacesOtherControls) {
  EXPECT_EQ(displayable("a\tb\nc"), U"a\tb\nc");
  EXPECT_EQ(displayable("a\rb\x7f\xc2\x85"), U"a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(escape_html("√d < 'x' & \"y\""), "√d &lt; &#39;x&#39; &amp; &quot;y&quot;");
}

}  // namespace
}  // namespace wordsway
