// Pictures that stand in a page together.
#include "wordsway/figures/page/inline_svg.h"

#include <gmock/gmock.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string document(const std::string& inside) {
  return "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<svg width='300' height='200' viewBox=\"0 0 300 200\" "
         "xmlns=\"http://www.w3.org/2000/svg\">\n<title>Gnuplot</title>" +
         inside + "</svg>\n";
}

std::string inlined(const std::string& inside) {
  return inline_svg(document(inside), "a-", "My chart").markup;
}

TEST(InlineSvg, ScalesWithThePageAndIsReadOutByItsTitle) {
  const InlineSvg picture = inline_svg(document("<g/>"), "a-", "S < 1 & \"more\"");
  EXPECT_EQ(picture.width, 300);
  EXPECT_EQ(picture.height, 200);
  EXPECT_THAT(picture.markup, testing::StartsWith("<svg "));
  EXPECT_THAT(picture.markup, AllOf(HasSubstr("viewBox=\"0 0 300 200\""), HasSubstr("role=\"img\""),
                                    HasSubstr("aria-labelledby=\"a-title\""),
                                    HasSubstr("<title id=\"a-title\">S &lt; 1 &amp; &quot;more&quot;</title>")));
  EXPECT_THAT(picture.markup, AllOf(Not(HasSubstr("width=")), Not(HasSubstr("Gnuplot")), Not(HasSubstr("<?xml"))));
}

TEST(InlineSvg, MakesAViewBoxOfTheSize) {
  const std::string picture = inline_svg("<svg width=\"30\" height=\"20\"></svg>", "a-", "").markup;
  EXPECT_THAT(picture, HasSubstr("viewBox=\"0 0 30 20\""));
}

TEST(InlineSvg, GivesIdsAndReferencesAPrefix) {
  const std::string picture =
      inlined("<circle id='dot'/><use xlink:href='#dot'/><g clip-path=\"url(#clip)\" style='filter: url(\"#f\")'/>");
  EXPECT_THAT(picture, AllOf(HasSubstr("id=\"a-dot\""), HasSubstr("href=\"#a-dot\""), HasSubstr("url(#a-clip)"),
                             HasSubstr("url(\"#a-f\")")));
}

TEST(InlineSvg, LeavesTextsAlone) {
  EXPECT_THAT(inlined("<text>id='dot' url(#x) stroke='black' &lt;</text>"),
              HasSubstr("<text>id='dot' url(#x) stroke='black' &lt;</text>"));
}

TEST(InlineSvg, LetsThePageChangeInkButNotCellsOfAHeatMap) {
  const std::string whole = "<rect x='0' y='0' width='300' height='200' fill='#ffffff'/>";
  EXPECT_THAT(inlined(whole), HasSubstr("class=\"paper\""));
  EXPECT_THAT(inlined("<path stroke='rgb( 68,   1,  84)'/>"), HasSubstr("stroke=\"var(--c440154, #440154)\""));
  EXPECT_THAT(inlined("<path fill='black'/>"), HasSubstr("fill=\"var(--c000000, #000000)\""));
  EXPECT_THAT(inlined("<path fill='#440154' fill-opacity='0.18'/>"), HasSubstr("fill=\"var(--c440154, #440154)\""));
  EXPECT_THAT(inlined("<path fill='#440154'/>"), HasSubstr("fill=\"#440154\""));
}

TEST(InlineSvg, RefusesWhatIsNoPictureOrReachesOutside) {
  const auto refused = [](const std::string& text) { EXPECT_THROW(inline_svg(text, "a-", ""), DataError) << text; };
  refused("");
  refused("my thesis");
  refused("<html></html>");
  refused("<svg></svg>");
  refused(document("<g"));
  refused(document("<script>alert(1)</script>"));
  refused(document("<style>@import url(https://example.org/a.css);</style>"));
  refused(document("<g onclick='alert(1)'/>"));
  refused(document("<image href='https://example.org/a.png'/>"));
  refused(document("<g fill='url(https://example.org/a.svg#b)'/>"));
  EXPECT_THROW(read_inline_svg("/no/such/picture.svg", "a-", ""), FileError);
}

TEST(ChartColours, AreReadAsGnuplotWritesThem) {
  EXPECT_EQ(parse_colour("#2a788e"), (Rgb{42, 120, 142}));
  EXPECT_EQ(parse_colour("rgb( 68,   1,  84)"), (Rgb{68, 1, 84}));
  EXPECT_EQ(parse_colour("black"), (Rgb{0, 0, 0}));
  for (const char* other : {"none", "currentColor", "", "#12", "#2a788", "rgb(1,2)", "rgb(1,2,300)", "#2a788e99"})
    EXPECT_EQ(parse_colour(other), std::nullopt) << other;
}

TEST(ChartColours, StandOutOnADarkPage) {
  const Rgb card = {0x1a, 0x1e, 0x22};
  for (const Rgb& ink : {Rgb{0, 0, 0}, Rgb{68, 1, 84}, Rgb{65, 68, 135}, Rgb{42, 120, 142}, Rgb{189, 200, 40}})
    EXPECT_GE(contrast(on_dark_page(ink), card), 4.0);
  EXPECT_EQ(on_dark_page({189, 200, 40}), (Rgb{189, 200, 40})) << "what stands out already stays as it is";
  const double grid = contrast(on_dark_page({0xdd, 0xdd, 0xdd}), card);
  EXPECT_GT(grid, 1.1);
  EXPECT_LT(grid, 2.5) << "a pale grid stays pale";
}

}  // namespace
}  // namespace wordsway
