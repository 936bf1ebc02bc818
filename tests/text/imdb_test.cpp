// Equality with the Python `tokenizers` library on all 50,000 reviews of IMDb, by checksums. The reviews are not part
// of this repository: the test looks for them in ../shared/data, or where the environment variable WORDSWAY_DATA says,
// and says so when it is skipped.
#include <cstdlib>
#include <cstring>

#include "support/places.h"
#include "support/temporary_folder.h"
#include "text/golden_tokenizers.h"
#include "wordsway/text/corpus/corpus.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;
using test::golden_folder;

fs::path shared_data() {
  if (const char* given = std::getenv("WORDSWAY_DATA")) return given;
  return test::source_folder() / ".." / "shared" / "data";
}

const std::vector<std::string>& reviews() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> result;
    for (LabelledText& text : read_corpus((shared_data() / "imdb" / "imdb.jsonl.xz").string())) {
      result.push_back(std::move(text.text));
    }
    return result;
  }();
  return texts;
}

/// CRC-32 as in zlib, over 32-bit integers in memory order.
class Checksum {
 public:
  void add(std::int32_t value) {
    unsigned char bytes[4];
    std::memcpy(bytes, &value, 4);
    for (const unsigned char byte : bytes) state_ = table()[(state_ ^ byte) & 0xFF] ^ state_ >> 8;
  }
  std::uint32_t value() const { return ~state_; }

 private:
  static const std::array<std::uint32_t, 256>& table() {
    static const auto entries = [] {
      std::array<std::uint32_t, 256> result{};
      for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
        result[i] = value;
      }
      return result;
    }();
    return entries;
  }
  std::uint32_t state_ = ~0u;
};

std::vector<std::uint32_t> checksums(const Tokenizer& tokenizer, std::size_t block) {
  std::vector<std::uint32_t> sums;
  for (std::size_t begin = 0; begin < reviews().size(); begin += block) {
    Checksum sum;
    const auto texts = std::span(reviews()).subspan(begin, std::min(block, reviews().size() - begin));
    for (const Encoding& encoding : encode_all(tokenizer, texts)) {
      for (const int id : encoding.ids) sum.add(id);
      for (const auto& [first, last] : encoding.offsets) {
        sum.add(static_cast<std::int32_t>(first));
        sum.add(static_cast<std::int32_t>(last));
      }
      for (const auto& word : encoding.words) sum.add(word.value_or(-1));
    }
    sums.push_back(sum.value());
  }
  return sums;
}

class Imdb : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(shared_data() / "imdb" / "imdb.jsonl.xz")) {
      GTEST_SKIP() << "the reviews are not there: " << shared_data() / "imdb" / "imdb.jsonl.xz";
    }
  }

  static void expect_equal(const fs::path& folder, const std::string& name) {
    const auto golden = test::read_golden("imdb_checksums.json");
    const auto expected = golden["checksums"][name].get<std::vector<std::uint32_t>>();
    EXPECT_EQ(expected.size(), 50u);
    EXPECT_EQ(checksums(*load_tokenizer(folder), golden["block"]), expected);
  }
};

TEST_F(Imdb, BertUncasedFromTokenizerJsonEqualsThePythonLibraryOnEveryReview) {
  expect_equal(shared_data() / "tokenizers" / "bert-uncased", "bert-uncased");
}

TEST_F(Imdb, BertUncasedFromVocabTxtAloneEqualsThePythonLibraryOnEveryReview) {
  const test::TemporaryFolder folder;
  fs::copy_file(shared_data() / "tokenizers" / "bert-uncased" / "vocab.txt", folder.path("vocab.txt"));
  expect_equal(folder.folder(), "bert-uncased");
}

TEST_F(Imdb, TheSmallWordPieceEqualsThePythonLibraryOnEveryReview) {
  expect_equal(golden_folder() / "wordpiece", "wordpiece");
}

TEST_F(Imdb, TheByteLevelBpeWithNfcEqualsThePythonLibraryOnEveryReview) {
  const test::TemporaryFolder folder;
  auto json = test::read_golden("byte_level_bpe/tokenizer.json");
  json["normalizer"] = {{"type", "NFC"}};
  std::ofstream(folder.path("tokenizer.json")) << json;
  expect_equal(folder.folder(), "byte_level_bpe_nfc");
}

TEST_F(Imdb, TheUnigramEqualsThePythonLibraryOnEveryReview) {
  expect_equal(golden_folder() / "unigram", "unigram");
}

TEST_F(Imdb, TheByteLevelBpeEqualsThePythonLibraryOnEveryReview) {
  expect_equal(golden_folder() / "byte_level_bpe", "byte_level_bpe");
}

}  // namespace
}  // namespace wordsway
