#include "wordsway/text/tokenizer/tokenizer_config.h"

#include <fstream>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

/// What a folder with these two files says; a file that is null is not there.
TokenizerConfig read_config(const char* config, const char* map = nullptr) {
  const test::TemporaryFolder folder;
  if (config) std::ofstream(folder.path("tokenizer_config.json")) << config;
  if (map) std::ofstream(folder.path("special_tokens_map.json")) << map;
  return read_tokenizer_config(folder.folder());
}

Vocabulary make_vocabulary(std::initializer_list<const char*> tokens) {
  Vocabulary vocabulary;
  for (const char* token : tokens) vocabulary.add(token, vocabulary.size(), "test");
  return vocabulary;
}

TEST(TokenizerConfig, WithoutFilesNothingIsSaid) {
  const TokenizerConfig config = read_config(nullptr);
  EXPECT_TRUE(config.tokenizer_class.empty());
  EXPECT_TRUE(config.roles.empty());
  EXPECT_TRUE(config.added_tokens.empty());
  EXPECT_EQ(config.lowercase, std::nullopt);
  EXPECT_EQ(config.max_length, std::nullopt);
}

TEST(TokenizerConfig, EverySettingIsReadFromItsOwnName) {
  const TokenizerConfig config = read_config(R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false,
    "strip_accents": true, "tokenize_chinese_chars": false, "add_prefix_space": true, "trim_offsets": false,
    "model_max_length": 512})");
  EXPECT_EQ(config.tokenizer_class, "BertTokenizer");
  EXPECT_EQ(config.lowercase, false);
  EXPECT_EQ(config.strip_accents, true);
  EXPECT_EQ(config.space_out_cjk, false);
  EXPECT_EQ(config.add_prefix_space, true);
  EXPECT_EQ(config.trim_offsets, false);
  EXPECT_EQ(config.max_length, 512);
}

TEST(TokenizerConfig, ASettingOfNullIsNotSaid) {
  const TokenizerConfig config =
      read_config(R"({"strip_accents": null, "model_max_length": null, "mask_token": null})");
  EXPECT_EQ(config.strip_accents, std::nullopt);
  EXPECT_EQ(config.max_length, std::nullopt);
  EXPECT_TRUE(config.roles.empty());
}

TEST(TokenizerConfig, AHugeLengthMeansNoLimitAndABrokenOneIsAnError) {
  EXPECT_EQ(read_config(R"({"model_max_length": 1000000000000000019884624838656})").max_length, std::nullopt);
  EXPECT_EQ(read_config(R"({"model_max_length": 8192.0})").max_length, 8192);
  EXPECT_THROW(read_config(R"({"model_max_length": 12.5})"), DataError);
  EXPECT_THROW(read_config(R"({"model_max_length": -3})"), DataError);
}

TEST(TokenizerConfig, RolesAreStringsOrObjectsWithFlags) {
  const TokenizerConfig config =
      read_config(R"({"mask_token": {"content": "<mask>", "lstrip": true, "normalized": true}, "unk_token": "<unk>"})");
  const AddedToken mask = config.role_or("mask_token", "[MASK]");
  EXPECT_EQ(mask.content, "<mask>");
  EXPECT_TRUE(mask.lstrip);
  EXPECT_FALSE(mask.rstrip);
  EXPECT_TRUE(mask.normalized);
  EXPECT_EQ(config.role_or("unk_token", "[UNK]").content, "<unk>");
  EXPECT_EQ(config.role_or("pad_token", "[PAD]").content, "[PAD]");
  EXPECT_TRUE(config.role_or("pad_token", "[PAD]").special);
}

TEST(TokenizerConfig, WinsOverTheMapOfSpecialTokensWhichFillsWhatItLeavesOpen) {
  const TokenizerConfig config =
      read_config(R"({"mask_token": "<config>"})", R"({"mask_token": "<map>", "pad_token": "<p>"})");
  EXPECT_EQ(config.role_or("mask_token", "").content, "<config>");
  EXPECT_EQ(config.role_or("pad_token", "").content, "<p>");
  EXPECT_EQ(read_config(nullptr, R"({"mask_token": "<map>"})").role_or("mask_token", "").content, "<map>");
}

TEST(TokenizerConfig, AddedTokensHaveTheirIdAsTheirKey) {
  const TokenizerConfig config = read_config(R"({"added_tokens_decoder": {
    "7": {"content": "<a>", "special": true}, "12": {"content": "b", "single_word": true, "rstrip": true}}})");
  ASSERT_EQ(config.added_tokens.size(), 2u);
  const bool first_is_seven = config.added_tokens[0].id == 7;
  const AddedToken& seven = config.added_tokens[first_is_seven ? 0 : 1];
  const AddedToken& twelve = config.added_tokens[first_is_seven ? 1 : 0];
  EXPECT_EQ(seven.content, "<a>");
  EXPECT_FALSE(seven.normalized) << "special tokens are looked for as they are written";
  EXPECT_EQ(twelve.id, 12);
  EXPECT_TRUE(twelve.normalized) << "others in the normalised text";
  EXPECT_TRUE(twelve.single_word && twelve.rstrip && !twelve.lstrip && !twelve.special);
  EXPECT_THROW(read_config(R"({"added_tokens_decoder": {"7x": {"content": "<a>"}}})"), DataError);
  EXPECT_THROW(read_config(R"({"added_tokens_decoder": {"99999999999": {"content": "<a>"}}})"), DataError);
}

TEST(SpecialIds, FollowTheConfigurationAndElseTheUsualNames) {
  const Vocabulary vocabulary = make_vocabulary({"[MASK]", "<mask>", "<m>", "<pad>", "<s>", "[SEP]"});
  const SpecialIds usual = find_special_ids({}, vocabulary);
  EXPECT_EQ(usual.mask, 0) << "BERT's name before RoBERTa's";
  EXPECT_EQ(usual.padding, 3);
  EXPECT_EQ(usual.classification, 4);
  EXPECT_EQ(usual.separator, 5);
  EXPECT_EQ(usual.unknown, std::nullopt);
  EXPECT_EQ(usual.begin_of_text, 4);
  EXPECT_EQ(usual.end_of_text, std::nullopt);
  EXPECT_EQ(find_special_ids(read_config(R"({"mask_token": "<m>"})"), vocabulary).mask, 2);
  EXPECT_EQ(find_special_ids(read_config(R"({"mask_token": "<nowhere>"})"), vocabulary).mask, 0);
  EXPECT_EQ(
      find_special_ids(read_config(R"({"bos_token": null, "eos_token": {"content": "<m>"}})"), vocabulary).end_of_text,
      2);
}

}  // namespace
}  // namespace wordsway
