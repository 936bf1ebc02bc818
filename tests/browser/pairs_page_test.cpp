// The page of an audit of pairs in a real browser, on a desk and on a phone.
#include <gmock/gmock.h>

#include "browser/presentable.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

class PairsPageInABrowser : public testing::Test {
 protected:
  void SetUp() override { WORDSWAY_NEEDS_BROWSER(); }

  std::filesystem::path page_of(std::vector<std::string> arguments) {
    const std::filesystem::path page = folder_.path("pairs.html");
    arguments.insert(arguments.begin(), "pairs");
    arguments.insert(arguments.end(), {"--html", page.string()});
    const ProgramResult result = run_wordsway(arguments);
    EXPECT_THAT(result.exit_code, testing::AnyOf(0, 1)) << result.err;
    return page;
  }

  TemporaryFolder folder_;
};

TEST_F(PairsPageInABrowser, OfTheBuiltinSetIsPresentable) {
  const auto page = page_of(
      {"-m", (source_folder() / "tests/golden/sentence/bert-cls-dense").string(), "--max-false-merges", "0.01"});
  for (const Viewport& viewport : {kDesktop, kDesktopDark, kPhone, kPhoneDark}) expect_presentable(page, viewport, 2);
}

TEST_F(PairsPageInABrowser, OfAnyTextsIsPresentable) {
  const std::string pairs = folder_.path("mine.jsonl").string();
  const std::string endless(300, 'x');
  write_bytes(pairs, R"({"anchor": "<script>alert(1)</script> & \u0001 世界", "changed": ")" + endless +
                         R"(", "class": "<b>)" + endless + R"("})" + "\n");
  const auto page = page_of({pairs});
  for (const Viewport& viewport : {kDesktop, kPhoneDark}) expect_presentable(page, viewport, 2);
}

TEST_F(PairsPageInABrowser, OfEveryTwoTextsIsPresentable) {
  const std::string texts = folder_.path("texts.txt").string();
  write_bytes(texts, "turn it on\nturn it off\nwhere is my order\n");
  const auto page = page_of({"--all", texts, "--threshold", "0.99", "--unit", "cosine"});
  for (const Viewport& viewport : {kDesktop, kPhone}) expect_presentable(page, viewport, 0);
}

}  // namespace
}  // namespace wordsway::test
