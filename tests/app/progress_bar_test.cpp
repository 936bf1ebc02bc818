#include "output/progress_bar.h"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>

#include "support/environment.h"
#include "system/terminal.h"
#include "wordsway/core/text_layout.h"
#include "wordsway/core/utf8.h"

namespace wordsway::app {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kShort = "embed 5/10, 3 per second";
constexpr const char* kLong =
    "a figure of a very long name that somebody has added (12 of 17): 123456/1000000; 48% of the run";

TEST(ProgressLine, FitsEveryTerminal) {
  const std::string accents = "prénom à côté du œuvre … ≥ 数字数字数字";
  for (int width = 0; width <= 220; ++width)
    for (const std::string& text : {std::string(kShort), std::string(kLong), std::string(), accents})
      for (const std::string left : {"?", "3:05", "12:34:56", "1.2e+05 years"}) {
        const std::string line = progress_line(0.5, text, left, width);
        EXPECT_LT(width_of(line), static_cast<size_t>(std::max(width, 1))) << line;
        EXPECT_TRUE(unicode::is_valid_utf8(line)) << "cut between characters: " << line;
      }
}

TEST(ProgressLine, GivesUpTheBarFirstThenTheText) {
  EXPECT_EQ(progress_line(0.5, kShort, "3:05", 20), "embed 5…, 3:05 left");
  EXPECT_EQ(progress_line(0.5, kShort, "3:05", 40), "embed 5/10, 3 per second, 3:05 left");
  EXPECT_EQ(progress_line(0.5, kShort, "3:05", 80),
            "[###############               ] embed 5/10, 3 per second, 3:05 left");
  EXPECT_EQ(progress_line(0.5, kShort, "3:05", 200), progress_line(0.5, kShort, "3:05", 80));
  EXPECT_THAT(progress_line(0.5, kLong, "3:05", 20), AllOf(Not(HasSubstr("[")), HasSubstr("…, 3:05 left")));
  EXPECT_THAT(progress_line(0.5, kLong, "3:05", 40), AllOf(StartsWith("a figure of"), EndsWith("…, 3:05 left")));
  EXPECT_THAT(progress_line(0.5, kLong, "3:05", 80), AllOf(StartsWith("a figure of"), EndsWith("…, 3:05 left")));
  EXPECT_THAT(progress_line(0.5, kLong, "3:05", 200), AllOf(StartsWith("[#"), HasSubstr(kLong)));
}

TEST(ProgressLine, FillsItsBarFromEmptyToFull) {
  EXPECT_THAT(progress_line(0, "x", "?", 50), HasSubstr("[                              ]"));
  EXPECT_THAT(progress_line(1, "x", "?", 50), HasSubstr("[##############################]"));
  EXPECT_EQ(progress_line(1.5, "x", "?", 50), progress_line(1, "x", "?", 50));
  for (const double share : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(progress_line(share, "x", "?", 50), progress_line(0, "x", "?", 50));
}

TEST(LineWidth, IsThatOfTheEnvironmentWhereThereIsNoTerminal) {
  constexpr int kNoTerminal = -1;
  for (const auto& [columns, width] :
       {std::pair("40", 40), std::pair("100", 100), std::pair("500", kWidestLine), std::pair("0", 80),
        std::pair("-3", 80), std::pair("wide", 80), std::pair("", 80)}) {
    const test::EnvironmentVariable variable("COLUMNS", columns);
    EXPECT_EQ(line_width(kNoTerminal), width) << columns;
  }
}

}  // namespace
}  // namespace wordsway::app
