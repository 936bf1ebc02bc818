#include "wordsway/figures/fonts.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/environment.h"
#include "support/temporary_folder.h"

namespace wordsway {
namespace {

TEST(Fonts, CoverTheRangesTheyList) {
  constexpr const char* kRanges = "20-7e a0-17f 192\n4e00-9fff 1f600\n";
  for (const char32_t there : {U' ', U'~', U'\u0192', U'\u4e00', U'\u9fff', U'\U0001F600'})
    EXPECT_TRUE(covers(kRanges, there));
  for (const char32_t missing : {U'\x7f', U'\u0180', U'\u0193', U'\u4dff', U'\ua000', U'\U0001F601'})
    EXPECT_FALSE(covers(kRanges, missing));
  EXPECT_FALSE(covers("", U'a'));
  EXPECT_FALSE(covers("- x -", U'a'));
}

class FontList : public testing::Test {
 protected:
  void stand_in(const std::string& script) const {
    const auto program = folder_.path("fc-list");
    test::write_bytes(program, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  test::TemporaryFolder folder_;
  test::EnvironmentVariable path_{"PATH", folder_.folder().string()};
};

TEST_F(FontList, NamesEachMissingCharacterOnce) {
  stand_in("echo '20-7e a0-17f'; echo '4e00-9fff'");
  EXPECT_EQ(characters_without_font("naïve 我爱你 😀😀 مم"), U"😀م");
  EXPECT_EQ(characters_without_font("naïve 我爱你"), U"");
  EXPECT_EQ(characters_without_font("我\u200d\ufe0f"), U"") << "joiners are drawn as nothing";
}

TEST_F(FontList, IsNotAskedAboutPlainTextAndNotMissed) {
  EXPECT_EQ(characters_without_font("我"), U"") << "there is no fc-list";
  stand_in("exit 1");
  EXPECT_EQ(characters_without_font("我"), U"");
  stand_in("true");
  EXPECT_EQ(characters_without_font("我"), U"") << "a machine without fonts draws nothing at all";
  stand_in("echo called > " + folder_.path("called").string() + "; echo 20-7e");
  EXPECT_EQ(characters_without_font("plain text ~"), U"");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("called")));
}

}  // namespace
}  // namespace wordsway
