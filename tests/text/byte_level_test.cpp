#include <set>

#include <gtest/gtest.h>

#include "text/random_text.h"
#include "wordsway/text/tokenizer/byte_tokens.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway::byte_level {
namespace {

TEST(ByteLevel, WritesEveryByteAsAnotherPrintableCharacterAndReadsItBack) {
  std::set<char32_t> alphabet;
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t code = character_of(static_cast<unsigned char>(byte));
    EXPECT_TRUE(alphabet.insert(code).second) << "two bytes are written as U+" << std::hex << int(code);
    EXPECT_FALSE(unicode::is_whitespace(code) || unicode::is_control(code)) << byte;
    EXPECT_EQ(bytes_of(test::to_bytes({&code, 1})), std::string(1, static_cast<char>(byte)));
  }
}

TEST(ByteLevel, ATokenWithCharactersOutsideTheAlphabetStandsForItself) {
  EXPECT_EQ(bytes_of("\u6771 \u0144"), "\u6771 \u0144");
  EXPECT_EQ(bytes_of("\u0120a\u6771"), "\u0120a\u6771");
  EXPECT_EQ(find_bytes("\u0120a\u6771"), std::nullopt);
  EXPECT_EQ(find_bytes("\u0120a"), " a");
  EXPECT_EQ(bytes_of(""), "");
}

}  // namespace
}  // namespace wordsway::byte_level
