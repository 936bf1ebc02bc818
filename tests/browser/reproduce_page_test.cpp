// The page of `wordsway reproduce`, every figure in it, in a real browser.
#include <filesystem>

#include "browser/presentable.h"
#include "support/bytes.h"
#include "support/run_program.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

TEST(ReproduceInABrowser, IsPresentableOnADeskAndOnAPhone) {
  WORDSWAY_NEEDS_BROWSER();
  if (kSanitized) GTEST_SKIP() << "a whole `reproduce` takes too long under a sanitizer; its figures have their tests";
  const TemporaryFolder folder;
  const ProgramResult result =
      run_wordsway({"reproduce", "--profile", "quick", "-o", folder.path("out").string(), "--quiet"});
  ASSERT_LE(result.exit_code, 1) << result.err;  // whether verdicts hold is tested elsewhere
  size_t pictures = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder.path("out") / "figures"))
    pictures += file.path().extension() == ".svg";
  EXPECT_GE(pictures, 17U) << "one a figure at least";
  const auto page = folder.path("out") / "report.html";
  const std::string text = read_bytes(page), card = "<figure class=\"panel\"><h3>";
  for (size_t at = text.find(card); at != std::string::npos; at = text.find(card, at + 1)) ++pictures;
  expect_presentable(page, kDesktop, pictures);
  expect_presentable(page, kDesktopDark, pictures);
  expect_presentable(page, kPhone, pictures);
  expect_presentable(page, kPhoneDark, pictures);
}

}  // namespace
}  // namespace wordsway::test
