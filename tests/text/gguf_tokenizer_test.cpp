// Tokenizers from the keys of GGUF files: equal to those of the tokenizer.json that the files were made from (by
// tests/golden/make_gguf_tokenizer_golden.py), and every malformed one is a DataError that names the file and the key.
#include "wordsway/text/tokenizer/gguf_tokenizer.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/gguf_bytes.h"
#include "support/temporary_folder.h"
#include "text/golden_tokenizers.h"
#include "text/random_text.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_header.h"
#include "wordsway/text/reviews/builtin_reviews.h"
#include "wordsway/text/tokenizer/text_stream.h"

namespace wordsway {
namespace {

using test::gguf_f32s;
using test::gguf_flag;
using test::gguf_i32s;
using test::gguf_text;
using test::gguf_texts;
using test::gguf_u32;
using test::text;
using testing::HasSubstr;
using testing::StartsWith;

std::filesystem::path golden_gguf(const std::string& name) {
  return test::source_folder() / "tests/golden/gguf/tokenizers" / (name + ".gguf");
}

std::unique_ptr<Tokenizer> parse(const std::string& file) {
  return std::make_unique<Tokenizer>(
      read_gguf_tokenizer(parse_gguf_header(test::as_bytes(file), "model.gguf").metadata));
}

/// The tokenizer of a golden file, a part of which is another now.
std::unique_ptr<Tokenizer> parse_changed(const std::string& name, const std::string& from, const std::string& to) {
  std::string file = test::read_bytes(golden_gguf(name));
  const std::size_t at = file.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  file.replace(at, from.size(), to);
  file.resize(file.find_last_not_of('\0') + 1);
  file.resize((file.size() + 31) / 32 * 32);
  return parse(file);
}

/// The tokenizer.json of a folder with a patch. Its merges are those that follow from scores where it has scores.
std::unique_ptr<Tokenizer> parse_json(const std::string& name, const nlohmann::json& patch = nlohmann::json::object()) {
  auto json = test::read_golden(std::filesystem::path(name) / "tokenizer.json");
  if (name == "llama2") json["model"]["merges"] = test::read_golden("../gguf/tokenizers/llama2_merges.json");
  json.merge_patch(patch);
  return parse_tokenizer_json(json.dump(), "tokenizer.json");
}

std::vector<std::string> all_texts() {
  auto texts = test::read_golden("encodings.json")["texts"].get<std::vector<std::string>>();
  for (std::uint64_t i = 0; i < 100; ++i) texts.push_back(builtin_review(i, 60).text);
  for (std::uint64_t i = 0; i < 2000; ++i)
    texts.push_back(test::to_bytes(test::random_codes(Stream(7).derive(i), 1 + i % 40)));
  return texts;
}

void expect_equal(const Tokenizer& tokenizer, const Tokenizer& expected) {
  EXPECT_EQ(tokenizer.kind(), expected.kind());
  EXPECT_EQ(tokenizer.vocabulary_size(), expected.vocabulary_size());
  EXPECT_EQ(tokenizer.special_token_count(), expected.special_token_count());
  for (const std::string& text : all_texts()) {
    const Encoding encoding = tokenizer.encode(text), other = expected.encode(text);
    ASSERT_EQ(encoding.ids, other.ids) << text;
    ASSERT_EQ(encoding.pieces, other.pieces) << text;
    ASSERT_EQ(encoding.words, other.words) << text;
    ASSERT_EQ(encoding.offsets, other.offsets) << text;
    ASSERT_EQ(encoding.byte_offsets, other.byte_offsets) << text;
    for (const bool skip_special : {true, false})
      ASSERT_EQ(tokenizer.decode(encoding.ids, skip_special), expected.decode(encoding.ids, skip_special));
    for (const int id : encoding.ids) ASSERT_EQ(tokenizer.surface(id), expected.surface(id));
  }
}

class GgufTokenizer : public testing::TestWithParam<const char*> {};

TEST_P(GgufTokenizer, EqualsThatOfTheTokenizerJsonItWasMadeFrom) {
  expect_equal(*load_tokenizer(golden_gguf(GetParam())), *parse_json(GetParam()));
}

TEST_P(GgufTokenizer, DecodesAnyIdsAsTheTokenizerJsonDoes) {
  const auto tokenizer = load_tokenizer(golden_gguf(GetParam()));
  const auto expected = parse_json(GetParam());
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Stream stream = Stream(11).derive(i);
    std::vector<int> ids;
    for (std::uint64_t k = 0; k < 12; ++k) ids.push_back(static_cast<int>(test::below(stream, k, 1470)));
    for (const bool skip_special : {true, false})
      ASSERT_EQ(tokenizer->decode(ids, skip_special), expected->decode(ids, skip_special));
  }
}

TEST_P(GgufTokenizer, IsKnownByItsFile) {
  const Record content = load_tokenizer(golden_gguf(GetParam()))->content();
  EXPECT_NE(content.find("rules of the tokenizer in " + std::string(GetParam()) + ".gguf"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Golden, GgufTokenizer, testing::Values("llama3", "qwen2", "llama2"),
                         [](const auto& param) { return std::string(param.param); });

TEST(GgufTokenizers, EqualThePythonLibraryOnHardTexts) {
  const auto golden = test::read_golden("encodings.json");
  const std::map<std::string, std::string> files = {{"llama 3", "llama3"}, {"qwen2", "qwen2"}};
  int compared = 0;
  for (const auto& item : golden["cases"]) {
    const auto file = files.find(item["name"]);
    if (file == files.end()) continue;
    test::expect_golden(*load_tokenizer(golden_gguf(file->second)), golden["texts"], item["encodings"]);
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

TEST(GgufTokenizers, CutWordsAsThePreTokenizerSays) {
  const auto expected = parse_json("llama3", {{"pre_tokenizer",
                                               {{"type", "ByteLevel"},
                                                {"add_prefix_space", false},
                                                {"trim_offsets", true},
                                                {"use_regex", true},
                                                {"pretokenizers", nullptr}}},
                                              {"model", {{"ignore_merges", false}}},
                                              {"post_processor", nullptr}});
  expect_equal(*parse_changed("llama3", text("llama-bpe"), text("gpt-2")), *expected);
}

TEST(GgufTokenizers, PutNoMarkInFrontWhenTheFileSaysSo) {
  const auto normalizer = nlohmann::json::parse(R"({"type": "Replace", "pattern": {"String": " "}, "content": "▁",
                                                    "normalizers": null})");
  auto decoder = test::read_golden("llama2/tokenizer.json")["decoder"];
  decoder["decoders"].erase(3);  // Strip
  // A flag of the file that is false.
  const auto tokenizer =
      parse_changed("llama2", text("tokenizer.ggml.add_eos_token"), text("tokenizer.ggml.add_space_prefix"));
  expect_equal(*tokenizer, *parse_json("llama2", {{"normalizer", normalizer}, {"decoder", decoder}}));
}

TEST(GgufTokenizers, KnowTheRolesOfTokens) {
  const SpecialIds llama3 = load_tokenizer(golden_gguf("llama3"))->special_ids();
  EXPECT_EQ(llama3.begin_of_text, 1403);
  EXPECT_EQ(llama3.end_of_text, 1407);
  const SpecialIds qwen2 = load_tokenizer(golden_gguf("qwen2"))->special_ids();
  EXPECT_EQ(qwen2.padding, 1400);
  EXPECT_EQ(qwen2.end_of_text, 1402);
  const SpecialIds llama2 = load_tokenizer(golden_gguf("llama2"))->special_ids();
  EXPECT_EQ(llama2.unknown, 0);
  EXPECT_EQ(llama2.begin_of_text, 1);
  EXPECT_EQ(llama2.end_of_text, 2);
}

TEST(GgufTokenizers, FollowTheFlagsOfTheTemplate) {
  const std::string no_bos = text("tokenizer.ggml.add_bos_token") + test::u32(7) + std::string(1, '\0');
  const std::string yes_bos = text("tokenizer.ggml.add_bos_token") + test::u32(7) + std::string(1, '\1');
  EXPECT_EQ(parse_changed("llama2", yes_bos, no_bos)->encode("a").size(), 1);
  EXPECT_EQ(parse_changed("qwen2", no_bos, yes_bos)->encode("a").ids.front(), 1400);
  const std::string no_eos = text("tokenizer.ggml.add_eos_token") + test::u32(7) + std::string(1, '\0');
  const std::string yes_eos = text("tokenizer.ggml.add_eos_token") + test::u32(7) + std::string(1, '\1');
  const std::vector<int> ids = parse_changed("llama2", no_eos, yes_eos)->encode("a").ids;
  EXPECT_EQ(ids.front(), 1);
  EXPECT_EQ(ids.back(), 2);
}

// ------------------------------------------------------------------------------------------------------ malformed ones

/// The keys of a small tokenizer of each kind, each of which a test may take away or replace.
using Keys = std::map<std::string, std::string>;

Keys byte_level_keys() {
  return {{"model", gguf_text("tokenizer.ggml.model", "gpt2")},
          {"pre", gguf_text("tokenizer.ggml.pre", "qwen2")},
          {"tokens", gguf_texts("tokenizer.ggml.tokens", {"a", "b", "ab", "<end>", "[PAD4]"})},
          {"types", gguf_i32s("tokenizer.ggml.token_type", {1, 1, 1, 3, 5})},
          {"merges", gguf_texts("tokenizer.ggml.merges", {"a b"})},
          {"eos", gguf_u32("tokenizer.ggml.eos_token_id", 3)}};
}

Keys sentencepiece_keys() {
  return {{"model", gguf_text("tokenizer.ggml.model", "llama")},
          {"tokens", gguf_texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "a", "b", "ab"})},
          {"scores", gguf_f32s("tokenizer.ggml.scores", {0, 0, -2, -3, -1})},
          {"types", gguf_i32s("tokenizer.ggml.token_type", {2, 3, 1, 1, 1})},
          {"bos", gguf_u32("tokenizer.ggml.bos_token_id", 1)}};
}

std::string file_of(const Keys& keys) {
  std::vector<std::string> list;
  for (const auto& [name, key] : keys)
    if (!key.empty()) list.push_back(key);
  return test::gguf_with_keys(list);
}

TEST(GgufTokenizers, AreSmallInTheTableOfMalformedOnes) {
  EXPECT_EQ(parse(file_of(byte_level_keys()))->encode("ab<end>").ids, (std::vector<int>{2, 3}));
  EXPECT_EQ(parse(file_of(sentencepiece_keys()))->encode("ab").ids, (std::vector<int>{1, 0, 4}));
}

struct Malformed {
  const char* description;
  bool is_sentencepiece;
  Keys changes;  // an empty key is left out
  const char* message;
};

const Malformed kMalformed[] = {
    {"no model", false, {{"model", ""}}, "there is no key \"tokenizer.ggml.model\""},
    {"another model",
     false,
     {{"model", gguf_text("tokenizer.ggml.model", "bert")}},
     "the key \"tokenizer.ggml.model\" is \"bert\"; supported are gpt2 and llama"},
    {"a model that is a number",
     false,
     {{"model", gguf_u32("tokenizer.ggml.model", 1)}},
     "the key \"tokenizer.ggml.model\" holds a value of type u32; expected a string"},
    {"no way to cut words", false, {{"pre", ""}}, "there is no key \"tokenizer.ggml.pre\""},
    {"an unknown way to cut words",
     false,
     {{"pre", gguf_text("tokenizer.ggml.pre", "tekken")}},
     "the key \"tokenizer.ggml.pre\" is \"tekken\"; supported are gpt-2, llama-bpe and qwen2"},
    {"a way to cut words that nobody knows",
     false,
     {{"pre", gguf_text("tokenizer.ggml.pre", "default")}},
     "the key \"tokenizer.ggml.pre\" is \"default\", which a converter writes that does not know the pattern of words: "
     "llama.cpp then cuts by rules that no model was trained with; supported are gpt-2, llama-bpe and qwen2"},
    {"no tokens", false, {{"tokens", ""}}, "there is no key \"tokenizer.ggml.tokens\""},
    {"an empty list of tokens",
     false,
     {{"tokens", gguf_texts("tokenizer.ggml.tokens", {})}},
     "the key \"tokenizer.ggml.tokens\" is empty"},
    {"the same token twice",
     false,
     {{"tokens", gguf_texts("tokenizer.ggml.tokens", {"a", "b", "ab", "a", "x"})}},
     "the key \"tokenizer.ggml.tokens\" holds the token \"a\" twice, as 0 and 3"},
    {"a token that is not UTF-8",
     false,
     {{"tokens", gguf_texts("tokenizer.ggml.tokens", {"a", "b", "ab", "\xff", "x"})}},
     "the key \"tokenizer.ggml.tokens\" holds a token, 3, that is not UTF-8"},
    {"unused tokens alone",
     false,
     {{"types", gguf_i32s("tokenizer.ggml.token_type", {5, 5, 5, 5, 5})}},
     "the key \"tokenizer.ggml.tokens\" holds unused tokens alone"},
    {"types of fewer tokens",
     false,
     {{"types", gguf_i32s("tokenizer.ggml.token_type", {1, 1})}},
     "the key \"tokenizer.ggml.token_type\" has 2 values for 5 tokens"},
    {"an unknown type",
     false,
     {{"types", gguf_i32s("tokenizer.ggml.token_type", {1, 1, 7, 1, 1})}},
     "the key \"tokenizer.ggml.token_type\" says 7 of token 2; expected 1 to 6"},
    {"no merges", false, {{"merges", ""}}, "there is no key \"tokenizer.ggml.merges\""},
    {"a merge of an unknown token",
     false,
     {{"merges", gguf_texts("tokenizer.ggml.merges", {"a c"})}},
     "tokenizer.ggml.merges: merge 'a c' needs 'c', which is not in the vocabulary"},
    {"a merge into an unknown token",
     false,
     {{"merges", gguf_texts("tokenizer.ggml.merges", {"b a"})}},
     "tokenizer.ggml.merges: merge 'b a' needs 'ba', which is not in the vocabulary"},
    {"a merge of one token",
     false,
     {{"merges", gguf_texts("tokenizer.ggml.merges", {"ab"})}},
     "tokenizer.ggml.merges: expected two tokens with a space between, got 'ab'"},
    {"an id that no token has",
     false,
     {{"eos", gguf_u32("tokenizer.ggml.eos_token_id", 99)}},
     "the key \"tokenizer.ggml.eos_token_id\" is 99, which no token has; the vocabulary has 4 ids"},
    {"the id of an unused token",
     false,
     {{"eos", gguf_u32("tokenizer.ggml.eos_token_id", 4)}},
     "the key \"tokenizer.ggml.eos_token_id\" is 4, which no token has"},
    {"an id that wraps around",
     false,
     {{"eos", gguf_u32("tokenizer.ggml.eos_token_id", 0xFFFFFFFF)}},
     "the key \"tokenizer.ggml.eos_token_id\" is 4294967295, which no token has"},
    {"a first token that is not named",
     false,
     {{"add", gguf_flag("tokenizer.ggml.add_bos_token", true)}},
     "the key \"tokenizer.ggml.add_bos_token\" is true, but there is no key \"tokenizer.ggml.bos_token_id\""},
    {"tokens without scores", true, {{"scores", ""}}, "there is no key \"tokenizer.ggml.scores\""},
    {"scores of fewer tokens",
     true,
     {{"scores", gguf_f32s("tokenizer.ggml.scores", {0, 1})}},
     "the key \"tokenizer.ggml.scores\" has 2 values for 5 tokens"},
    {"a score that is no number",
     true,
     {{"scores", gguf_f32s("tokenizer.ggml.scores", {0, 0, 0, NAN, 0})}},
     "the key \"tokenizer.ggml.scores\" holds a score, that of token 3, which is not finite"},
    {"a token as long as a book",
     true,
     {{"tokens", gguf_texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "a", "b", std::string(2000, 'a')})}},
     "the key \"tokenizer.ggml.tokens\" holds a token, 4, of more than 1024 bytes"},
    {"marks at the ends of words",
     true,
     {{"suffix", gguf_flag("tokenizer.ggml.treat_whitespace_as_suffix", true)}},
     "the key \"tokenizer.ggml.treat_whitespace_as_suffix\" is true, which is not supported"},
    {"an unknown token that is none",
     true,
     {{"unknown", gguf_u32("tokenizer.ggml.unknown_token_id", 5)}},
     "the key \"tokenizer.ggml.unknown_token_id\" is 5, which no token has"},
};

TEST(GgufTokenizers, ThatAreMalformedAreRefusedWithFileAndKey) {
  for (const Malformed& malformed : kMalformed) {
    SCOPED_TRACE(malformed.description);
    Keys keys = malformed.is_sentencepiece ? sentencepiece_keys() : byte_level_keys();
    for (const auto& [name, key] : malformed.changes) keys[name] = key;
    try {
      parse(file_of(keys));
      ADD_FAILURE() << "was accepted";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), StartsWith("model.gguf: "));
      EXPECT_THAT(error.what(), HasSubstr(malformed.message));
    }
  }
}

}  // namespace
}  // namespace wordsway
