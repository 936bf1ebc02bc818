// Equality with the Python `tokenizers` library on all 50,000 reviews of IMDb, by checksums. The reviews are not part
// of this repository: the test looks for them in ../shared/data, or where the environment variable WORDSWAY_DATA says,
// and says so when it is skipped.
#include <cstdlib>

#include "support/places.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"
#include "text/checksum.h"
#include "text/golden_tokenizers.h"
#include "wordsway/text/corpus/corpus.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;
using test::Checksum;
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

using Sums = std::vector<std::uint32_t>;

// Under a sanitizer every tenth block has to do.
constexpr std::size_t kStride = test::kSanitized ? 10 : 1;

Sums sampled(const Sums& sums) {
  Sums result;
  for (std::size_t block = 0; block < sums.size(); block += kStride) result.push_back(sums[block]);
  return result;
}

// A sum for each sampled block of reviews: add(sum, encodings).
template <typename Add>
Sums block_sums(const Tokenizer& tokenizer, std::size_t block, const Add& add) {
  Sums sums;
  for (std::size_t begin = 0; begin < reviews().size(); begin += kStride * block) {
    Checksum sum;
    add(sum, encode_all(tokenizer, std::span(reviews()).subspan(begin, std::min(block, reviews().size() - begin))));
    sums.push_back(sum.value());
  }
  return sums;
}

Sums checksums(const Tokenizer& tokenizer, std::size_t block) {
  return block_sums(tokenizer, block, [](Checksum& sum, const std::vector<Encoding>& encodings) {
    for (const Encoding& encoding : encodings) {
      for (const int id : encoding.ids) sum.add(id);
      for (const auto& [first, last] : encoding.offsets) {
        sum.add(static_cast<std::int32_t>(first));
        sum.add(static_cast<std::int32_t>(last));
      }
      for (const auto& word : encoding.words) sum.add(word.value_or(-1));
    }
  });
}

// Sums of the texts that the ids decode to, with a line end between.
Sums decoded_checksums(const Tokenizer& tokenizer, std::size_t block) {
  return block_sums(tokenizer, block, [&](Checksum& sum, const std::vector<Encoding>& encodings) {
    for (std::size_t i = 0; i < encodings.size(); ++i) {
      if (i > 0) sum.add("\n");
      sum.add(tokenizer.decode(encodings[i].ids));
    }
  });
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
    const auto expected = golden["checksums"][name].get<Sums>();
    EXPECT_EQ(expected.size(), 50u);
    EXPECT_EQ(checksums(*load_tokenizer(folder), golden["block"]), sampled(expected));
  }

  static void expect_equal_both_ways(const std::string& name) {
    expect_equal(golden_folder() / name, name);
    const auto golden = test::read_golden("imdb_checksums.json");
    EXPECT_EQ(decoded_checksums(*load_tokenizer(golden_folder() / name), golden["block"]),
              sampled(golden["checksums"][name + " decoded"].get<Sums>()));
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

TEST_F(Imdb, Llama3sBpeEqualsThePythonLibraryOnEveryReviewAndBack) {
  expect_equal_both_ways("llama3");
}

TEST_F(Imdb, Qwen2sBpeEqualsThePythonLibraryOnEveryReviewAndBack) {
  expect_equal_both_ways("qwen2");
}

TEST_F(Imdb, Llama2sBpeEqualsThePythonLibraryOnEveryReviewAndBack) {
  expect_equal_both_ways("llama2");
}

}  // namespace
}  // namespace wordsway
