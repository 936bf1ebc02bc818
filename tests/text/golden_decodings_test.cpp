// Equality with the Python `tokenizers` library on the way back, from ids to text, and of streams with whole texts.
#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "text/checksum.h"
#include "text/golden_tokenizers.h"
#include "text/random_text.h"
#include "wordsway/text/tokenizer/text_stream.h"

namespace wordsway {
namespace {

using IdLists = std::vector<int>;

std::unique_ptr<Tokenizer> tokenizer_of(const nlohmann::json& item) {
  auto json = test::read_golden(std::filesystem::path(item["base"].get<std::string>()) / "tokenizer.json");
  json.merge_patch(item["patch"]);
  return parse_tokenizer_json(json.dump(), "tokenizer.json");
}

// The generator of tests/golden/decoder_decodings.py.
class Draws {
 public:
  std::size_t below(std::size_t count) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % count;
  }

 private:
  std::uint64_t state_ = 1;
};

IdLists draw_ids(Draws& draws, int size, const std::vector<IdLists>& texts) {
  IdLists ids;
  for (std::size_t n = 1 + draws.below(12); n > 0; --n) {
    if (draws.below(2) == 0) {
      ids.push_back(static_cast<int>(draws.below(static_cast<std::size_t>(size) + 3)));
      continue;
    }
    const IdLists& text = texts[draws.below(texts.size())];
    const std::size_t begin = draws.below(text.size() + 1);
    const std::size_t end = std::min(begin + draws.below(12), text.size());
    ids.insert(ids.end(), text.begin() + static_cast<long>(begin), text.begin() + static_cast<long>(end));
  }
  return ids;
}

/// The ids of all hard texts under the unchanged tokenizer of a folder.
std::vector<IdLists> hard_ids(const std::string& folder) {
  const auto tokenizer = load_tokenizer(test::golden_folder() / folder);
  std::vector<IdLists> ids;
  const auto golden = test::read_golden("encodings.json");
  for (const auto& text : golden["texts"]) ids.push_back(tokenizer->encode(text.get<std::string>()).ids);
  return ids;
}

std::string streamed(const Tokenizer& tokenizer, const IdLists& ids, bool skip_special) {
  TextStream stream(tokenizer, skip_special);
  std::string text;
  for (const int id : ids) {
    const std::string part = stream.add(id);
    EXPECT_TRUE(unicode::is_valid_utf8(part)) << "half a character after " << text;
    text += part;
  }
  return text + stream.finish();
}

TEST(GoldenDecodings, OfHardTextsEqualThePythonLibraryUnderEveryDecoder) {
  const auto golden = test::read_golden("decodings.json");
  ASSERT_GE(golden["cases"].size(), 14u);
  for (const auto& item : golden["cases"]) {
    SCOPED_TRACE(item["name"].get<std::string>());
    const auto tokenizer = tokenizer_of(item);
    for (const auto& text : item["texts"]) {
      const IdLists ids = text[0].get<IdLists>();
      EXPECT_EQ(tokenizer->decode(ids), text[1].get<std::string>());
      EXPECT_EQ(tokenizer->decode(ids, false), text[2].get<std::string>());
    }
  }
}

TEST(GoldenDecodings, OfTwentyThousandListsOfIdsEqualThePythonLibraryUnderEveryDecoder) {
  const auto golden = test::read_golden("decodings.json");
  for (const auto& item : golden["cases"]) {
    SCOPED_TRACE(item["name"].get<std::string>());
    const auto tokenizer = tokenizer_of(item);
    const std::vector<IdLists> texts = hard_ids(item["base"]);
    Draws draws;
    for (const auto& expected : item["checksums"]) {
      test::Checksum sum;
      for (int i = 0; i < golden["block"].get<int>(); ++i) {
        const IdLists ids = draw_ids(draws, tokenizer->vocabulary_size(), texts);
        sum.add(tokenizer->decode(ids, true) + "\n");
        sum.add(tokenizer->decode(ids, false) + "\n");
      }
      ASSERT_EQ(sum.value(), expected.get<std::uint32_t>());
    }
  }
}

TEST(GoldenDecodings, AStreamGivesWholeCharactersAndInTheEndTheDecodedText) {
  const auto golden = test::read_golden("decodings.json");
  for (const auto& item : golden["cases"]) {
    SCOPED_TRACE(item["name"].get<std::string>());
    const auto tokenizer = tokenizer_of(item);
    const std::vector<IdLists> texts = hard_ids(item["base"]);
    Draws draws;
    for (int i = 0; i < 300; ++i) {
      const IdLists ids = draw_ids(draws, tokenizer->vocabulary_size(), texts);
      EXPECT_EQ(streamed(*tokenizer, ids, true), tokenizer->decode(ids, true));
      EXPECT_EQ(streamed(*tokenizer, ids, false), tokenizer->decode(ids, false));
    }
  }
}

TEST(GoldenDecodings, VocabularyFilesAloneDecodeAsTheirTokenizerJson) {
  for (const auto& [folder, files] :
       {std::pair{"wordpiece", std::vector{"vocab.txt"}}, {"byte_level_bpe", {"vocab.json", "merges.txt"}}}) {
    const test::TemporaryFolder alone;
    for (const char* file : files) std::filesystem::copy_file(test::golden_folder() / folder / file, alone.path(file));
    const auto tokenizer = load_tokenizer(alone.folder());
    const auto whole = load_tokenizer(test::golden_folder() / folder);
    for (const IdLists& ids : hard_ids(folder)) EXPECT_EQ(tokenizer->decode(ids), whole->decode(ids));
  }
}

}  // namespace
}  // namespace wordsway
