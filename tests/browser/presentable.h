// What every page of ours has to be, wherever it is looked at.
#pragma once

#include <gmock/gmock.h>

#include "support/browser.h"
#include "support/bytes.h"

namespace wordsway::test {

constexpr Viewport kDesktop{1280, 900, false}, kDesktopDark{1280, 900, true}, kPhone{390, 844, false},
    kPhoneDark{390, 844, true};

// A macro, so that the skipped test is the one that runs.
#define WORDSWAY_NEEDS_BROWSER() \
  if (find_chromium().empty())   \
  GTEST_SKIP() << "no Chromium on the PATH (Debian: apt install chromium); the page is not looked at"

/// Nothing is fetched, nothing goes wrong, every picture is seen and everything can be read without scrolling sideways.
inline void expect_presentable(const std::filesystem::path& page, const Viewport& viewport, size_t pictures) {
  const PageVisit seen = visit(page, viewport);
  SCOPED_TRACE(testing::Message() << viewport.width << (viewport.dark ? " dark" : " light"));
  ASSERT_EQ(seen.width, viewport.width);
  ASSERT_EQ(seen.dark, viewport.dark);
  EXPECT_THAT(seen.console, testing::IsEmpty());
  EXPECT_THAT(seen.fetched, testing::IsEmpty());
  EXPECT_THAT(seen.broken_links, testing::IsEmpty());
  EXPECT_LE(seen.document_width, viewport.width);
  EXPECT_THAT(seen.sticking_out, testing::IsEmpty());
  EXPECT_THAT(seen.faint_texts, testing::IsEmpty());
  EXPECT_EQ(seen.pictures.size(), pictures);
  for (const Picture& picture : seen.pictures) {
    SCOPED_TRACE(picture.title);
    EXPECT_NE(picture.title, "");
    EXPECT_GT(picture.width, 200);
    EXPECT_GT(picture.height, 120);
    EXPECT_GT(picture.ink_width, 100);
    EXPECT_GT(picture.ink_height, 100);
  }
}

}  // namespace wordsway::test
