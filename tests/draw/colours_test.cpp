#include "wordsway/draw/colours.h"

#include <gtest/gtest.h>

namespace wordsway {
namespace {

TEST(ChartColours, AreReadAndWritten) {
  EXPECT_EQ(parse_colour("#0072b2"), (Rgb{0, 0x72, 0xb2}));
  EXPECT_EQ(hexadecimal({0, 0x72, 0xb2}), "#0072b2");
  for (const char* wrong : {"", "0072b2", "#0072b", "#0072b2 ", "#0072bg", "#-172b2", "red"})
    EXPECT_EQ(parse_colour(wrong), std::nullopt) << wrong;
}

TEST(ChartColours, CanBeSeenOnBothPages) {
  const Rgb white = {255, 255, 255}, card = {0x1a, 0x1e, 0x22};
  for (size_t k = 0; k < 7; ++k) {
    const auto colour = parse_colour(palette_colour(k, 7));
    ASSERT_TRUE(colour);
    EXPECT_GT(contrast(*colour, white), 2.5) << k;
    EXPECT_GE(contrast(on_dark_page(*colour), card), 5.5) << k;
  }
  EXPECT_GT(contrast(on_dark_page({0, 0, 0}), card), 10) << "ink stays ink";
}

TEST(ChartColours, OfCellsGoFromDarkToBright) {
  EXPECT_EQ(cell_colour(0), "#440154");
  EXPECT_EQ(cell_colour(1), "#fde725");
  EXPECT_EQ(cell_colour(-1), cell_colour(0));
  EXPECT_EQ(cell_colour(7), cell_colour(1));
}

}  // namespace
}  // namespace wordsway
