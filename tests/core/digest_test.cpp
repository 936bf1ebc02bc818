#include "wordsway/core/digest.h"

#include <array>

#include <gmock/gmock.h>

namespace wordsway {
namespace {

template <typename... Parts>
std::string of(const Parts&... parts) {
  Digest digest;
  (digest.add(parts), ...);
  return digest.text();
}

using Text = std::string_view;

// XXH3 of 128 bits of no bytes and of "abc", as `xxhsum -H2` prints them.
TEST(Digest, IsXxh3) {
  EXPECT_EQ(Digest().text(), "xxh3:99aa06d3014798d86001c324468d497f");
  Digest digest;
  digest.add_bytes(std::as_bytes(std::span("abc", 3)));
  EXPECT_EQ(digest.text(), "xxh3:06b05ab6733a618578af5f94892f3950");
}

TEST(Digest, TellsNeighbouringTextsApart) {
  EXPECT_NE(of(Text("ab"), Text("c")), of(Text("a"), Text("bc")));
  EXPECT_EQ(of(Text("ab"), Text("c")), of(Text("ab"), Text("c")));
}

TEST(Digest, NoticesTheLastBitOfANumber) {
  EXPECT_NE(of(1.0), of(std::nextafter(1.0, 2.0)));
  EXPECT_NE(of(0.0), of(-0.0));
  const std::array<double, 2> a = {1, 2}, b = {2, 1};
  EXPECT_NE(of(std::span<const double>(a)), of(std::span<const double>(b)));
  EXPECT_NE(digest_of(Matrix::Zero(2, 3)), digest_of(Matrix::Zero(3, 2)));
}

TEST(Digest, KnowsItsOwnForm) {
  EXPECT_TRUE(is_digest(Digest().text()));
  for (const char* text :
       {"", "xxh3:", "mean", "xxh3:99aa06d3014798d86001c324468d497", "xxh3:99aa06d3014798d86001c324468d497F"})
    EXPECT_FALSE(is_digest(text)) << text;
}

TEST(Checksum, DependsOnTextAndSalt) {
  EXPECT_EQ(checksum("row", "salt").size(), 16U);
  EXPECT_EQ(checksum("row", "salt"), checksum("row", "salt"));
  EXPECT_NE(checksum("row", "salt"), checksum("rov", "salt"));
  EXPECT_NE(checksum("row", "salt"), checksum("row", "sale"));
}

}  // namespace
}  // namespace wordsway
