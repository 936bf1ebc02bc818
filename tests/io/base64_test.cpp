#include "wordsway/io/base64.h"

#include <gtest/gtest.h>

namespace wordsway {
namespace {

TEST(Base64, ReadsWhatTheStandardSays) {
  EXPECT_EQ(decode_base64(""), "");
  EXPECT_EQ(decode_base64("Zg=="), "f");
  EXPECT_EQ(decode_base64("Zm8="), "fo");
  EXPECT_EQ(decode_base64("Zm9v"), "foo");
  EXPECT_EQ(decode_base64("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decode_base64("+/8A"), std::string("\xFB\xFF\x00", 3));
}

TEST(Base64, RefusesEverythingElse) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zm9", "Zg==Zg==", "=Zg=", "====", "Zh==", "Zm9=", "Zm 9", "Zm9v\n",
                           "Zm9-", "Zm9_", "Z===", "\xC3\xA9\xC3\xA9"})
    EXPECT_EQ(decode_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace wordsway
