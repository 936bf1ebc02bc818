// Where tokens stand in a text, on random texts of all kinds of characters.
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "text/golden_tokenizers.h"
#include "text/random_text.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

using test::random_codes;
using test::to_bytes;

std::string random_text(std::uint64_t trial) {
  return to_bytes(random_codes(Stream(101).derive(trial), 60));
}

std::string part_of(const std::string& text, const std::array<Index, 2>& bytes) {
  return text.substr(static_cast<std::size_t>(bytes[0]), static_cast<std::size_t>(bytes[1] - bytes[0]));
}

/// A cased WordPiece that knows every character, alone and inside words, and all pairs of ASCII letters.
std::unique_ptr<Tokenizer> wordpiece_of_all_characters(const std::string& config) {
  const test::TemporaryFolder folder;
  std::ofstream vocab(folder.path("vocab.txt"));
  vocab << "[UNK]\n[CLS]\n[SEP]\n";
  std::set<std::string> tokens;
  for (const char32_t code : test::kAllKinds) {
    if (!unicode::is_whitespace(code)) tokens.insert(to_bytes({&code, 1}));
  }
  for (const char* pair : {"st", "re", "ab", "AB", "éa", "ñß", "00"}) tokens.insert(pair);
  for (const std::string& token : tokens) vocab << token << "\n##" << token << "\n";
  vocab.close();
  std::ofstream(folder.path("tokenizer_config.json")) << config;
  return load_tokenizer(folder.folder());
}

TEST(TokenPlaces, TheTextAtATokensPlaceIsItsSurfaceWhereTheNormaliserKeepsIt) {
  const auto tokenizer = wordpiece_of_all_characters(R"({"do_lower_case": false})");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::string text = random_text(trial);
    const Encoding encoding = tokenizer->encode(text, {.special_tokens = false});
    std::string joined;
    for (Index t = 0; t < encoding.size(); ++t) {
      const std::string part = part_of(text, encoding.byte_offsets[t]);
      EXPECT_EQ(part, tokenizer->surface(encoding.ids[t])) << "token " << t << " of " << text;
      joined += part;
    }
    std::string expected;
    for (const char32_t code : unicode::decode(text)) {
      if (!unicode::is_whitespace(code)) unicode::append_utf8(expected, code);
    }
    EXPECT_EQ(joined, expected) << "every character but white space is in a token, once";
  }
}

TEST(TokenPlaces, TokensOfAWordStandSideBySideAndWordsApart) {
  const auto tokenizer = wordpiece_of_all_characters(R"({"do_lower_case": false})");
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Encoding encoding = tokenizer->encode(random_text(trial), {.special_tokens = false});
    for (Index t = 1; t < encoding.size(); ++t) {
      const bool same_word = encoding.words[t] == encoding.words[t - 1];
      EXPECT_EQ(same_word, encoding.pieces[t].starts_with("##"));
      if (same_word) {
        EXPECT_EQ(encoding.offsets[t][0], encoding.offsets[t - 1][1]);
      } else {
        EXPECT_EQ(*encoding.words[t], *encoding.words[t - 1] + 1);
        EXPECT_GE(encoding.offsets[t][0], encoding.offsets[t - 1][1]);
      }
    }
  }
}

TEST(TokenPlaces, CodePointsAndBytesNameTheSamePlace) {
  const auto uncased = wordpiece_of_all_characters("{}");
  const auto bpe = load_tokenizer(test::golden_folder() / "byte_level_bpe");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::u32string codes = random_codes(Stream(102).derive(trial), 50);
    const std::string text = to_bytes(codes);
    for (const Tokenizer* tokenizer : {uncased.get(), bpe.get()}) {
      const Encoding encoding = tokenizer->encode(text);
      for (Index t = 0; t < encoding.size(); ++t) {
        const auto [begin, end] = encoding.offsets[t];
        ASSERT_LE(begin, end);
        const std::u32string_view part = std::u32string_view(codes).substr(begin, end - begin);
        EXPECT_EQ(part_of(text, encoding.byte_offsets[t]), to_bytes(part));
      }
    }
  }
}

/// The byte-level tokenizer with its offsets as GPT-2 gives them, with the spaces.
std::unique_ptr<Tokenizer> untrimmed_bpe() {
  auto json = test::read_golden("byte_level_bpe/tokenizer.json");
  json["post_processor"] = {{"type", "ByteLevel"}, {"trim_offsets", false}};
  return parse_tokenizer_json(json.dump(), "tokenizer.json");
}

bool inside_character(const std::string& text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

TEST(TokenPlaces, AByteLevelTokenStandsAtTheCharactersThatHoldItsBytes) {
  const auto tokenizer = untrimmed_bpe();
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::string text = random_text(trial);
    const Encoding encoding = tokenizer->encode(text);
    std::size_t at = 0;
    for (Index t = 0; t < encoding.size(); ++t) {
      const std::string surface = tokenizer->surface(encoding.ids[t]);
      ASSERT_EQ(text.compare(at, surface.size(), surface), 0) << "token " << t << " of " << text;
      std::size_t begin = at;
      at += surface.size();
      std::size_t end = at;
      while (inside_character(text, begin)) --begin;
      while (inside_character(text, end)) ++end;
      EXPECT_EQ(encoding.byte_offsets[t], (std::array{static_cast<Index>(begin), static_cast<Index>(end)}));
    }
    EXPECT_EQ(at, text.size());
  }
}

TEST(TokenPlaces, TrimmedPlacesAreTheSameWithoutTheBlanksAtTheirEnds) {
  const auto with_spaces = untrimmed_bpe();
  const auto trimmed = load_tokenizer(test::golden_folder() / "byte_level_bpe");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::string text = random_text(trial);
    const Encoding expected = with_spaces->encode(text, {.special_tokens = false});
    const Encoding encoding = trimmed->encode(text, {.special_tokens = false});
    ASSERT_EQ(encoding.ids, expected.ids);
    for (Index t = 0; t < encoding.size(); ++t) {
      auto [begin, end] = expected.byte_offsets[t];
      while (begin < end && text[begin] == ' ') ++begin;
      while (begin < end && text[end - 1] == ' ') --end;
      EXPECT_EQ(encoding.byte_offsets[t], (std::array{begin, end})) << "token " << t << " of '" << text << "'";
    }
  }
}

/// Bytes that are UTF-8 here and there only.
std::string random_bytes(std::uint64_t trial) {
  std::string bytes;
  for (std::uint64_t i = 0; i < 80; ++i) {
    const auto bits = Stream(103).derive(trial).bits(i);
    const char32_t code = test::kAllKinds[bits[1] % test::kAllKinds.size()];
    if (bits[0] % 3 == 0) bytes += static_cast<char>(1 + bits[2] % 255);
    if (bits[0] % 3 != 0) unicode::append_utf8(bytes, code);
  }
  return bytes;
}

TEST(TokenPlaces, BytesThatAreNoTextGiveTheTokensOfTheirReplacements) {
  const auto uncased = wordpiece_of_all_characters("{}");
  const auto bpe = load_tokenizer(test::golden_folder() / "byte_level_bpe");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::string bytes = random_bytes(trial);
    const std::string replaced = to_bytes(unicode::decode(bytes));
    for (const Tokenizer* tokenizer : {uncased.get(), bpe.get()}) {
      const Encoding encoding = tokenizer->encode(bytes);
      const Encoding expected = tokenizer->encode(replaced);
      EXPECT_EQ(encoding.ids, expected.ids);
      EXPECT_EQ(encoding.offsets, expected.offsets);
      EXPECT_EQ(tokenizer->count_tokens(bytes), encoding.size());
      for (Index t = 0; t < encoding.size(); ++t) {
        const std::string part = part_of(bytes, encoding.byte_offsets[t]);
        EXPECT_EQ(to_bytes(unicode::decode(part)), part_of(replaced, expected.byte_offsets[t]));
      }
    }
  }
}

TEST(TokenPlaces, CuttingALongTextKeepsTheFirstTokensAsTheyWere) {
  const auto tokenizer = load_tokenizer(test::golden_folder() / "byte_level_bpe");
  const Index special = tokenizer->special_token_count();
  const std::string text = random_text(1);
  const Encoding whole = tokenizer->encode(text);
  for (Index room = special; room <= whole.size() + 1; ++room) {
    const Encoding cut = tokenizer->encode(text, {.max_tokens = room});
    EXPECT_EQ(cut.cut, room < whole.size());
    ASSERT_EQ(cut.size(), std::min(room, whole.size()));
    EXPECT_EQ(cut.ids.back(), whole.ids.back());
    for (Index t = 0; t + 1 < cut.size(); ++t) {
      EXPECT_EQ(cut.ids[t], whole.ids[t]);
      EXPECT_EQ(cut.offsets[t], whole.offsets[t]);
      EXPECT_EQ(cut.words[t], whole.words[t]);
    }
  }
}

}  // namespace
}  // namespace wordsway
