// Charts as gnuplot draws them.
#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/bar_chart.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Charts, BarsHaveTheirLabelsAndTitle) {
  const test::TemporaryFolder folder;
  const auto path = folder.path("bars.svg");
  write_bar_chart({"Sensitive words", "S", {{"love", 1.5}, {"her's", 0.5}}}, {path});
  EXPECT_THAT(test::read_bytes(path), AllOf(HasSubstr("Sensitive words"), HasSubstr("love"), HasSubstr("her's")));
}

TEST(Charts, AScriptThatDrawsNothingIsAnErrorAndLeavesNoFile) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(run_gnuplot({folder.path("nothing.svg")}, "x = 1"), FileError);
  EXPECT_FALSE(std::filesystem::exists(folder.path("nothing.svg")));
}

}  // namespace
}  // namespace wordsway
