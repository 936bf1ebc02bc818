// Folders without a tokenizer.json: which files make the tokenizer, and what the configuration changes.
#include <fstream>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kVocabTxt = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nfilm\n##s\nFilm\ne\n\u00E9\n<c>\n";
const std::string kVocabJson =
    R"({"<s>": 0, "</s>": 1, "<mask>": 2, "f": 3, "\u0120": 4, "\u0120f": 5, "<|endoftext|>": 6, "F": 7})";
const std::string kMerges = "#version: 0.2\n\u0120 f\n\n";

class TokenizerFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
  }
  void write_bpe() {
    write("vocab.json", kVocabJson);
    write("merges.txt", kMerges);
  }
  void configure(const std::string& json) { write("tokenizer_config.json", json); }
  std::unique_ptr<Tokenizer> load() const { return load_tokenizer(folder_.folder()); }
  std::vector<std::string> pieces(const std::string& text) const { return load()->encode(text).pieces; }

  test::TemporaryFolder folder_;
};

TEST_F(TokenizerFolder, VocabTxtAloneIsAnUncasedBert) {
  write("vocab.txt", kVocabTxt);
  EXPECT_THAT(pieces("FILMS \u00C9"), ElementsAre("[CLS]", "film", "##s", "e", "[SEP]"));
  EXPECT_THAT(pieces("film[MASK]zzz"), ElementsAre("[CLS]", "film", "[MASK]", "[UNK]", "[SEP]"));
  EXPECT_EQ(load()->special_ids().mask, 4);
  EXPECT_EQ(load()->max_length(), std::nullopt);
}

TEST_F(TokenizerFolder, ACasedConfigurationKeepsCaseAndAccentsUnlessItSaysOtherwise) {
  write("vocab.txt", kVocabTxt);
  configure(R"({"do_lower_case": false})");
  EXPECT_THAT(pieces("Film \u00E9"), ElementsAre("[CLS]", "Film", "\u00E9", "[SEP]"));
  configure(R"({"do_lower_case": false, "strip_accents": true})");
  EXPECT_THAT(pieces("Film \u00E9"), ElementsAre("[CLS]", "Film", "e", "[SEP]"));
  configure(R"({"strip_accents": false})");
  EXPECT_THAT(pieces("Film \u00C9"), ElementsAre("[CLS]", "film", "\u00E9", "[SEP]"));
}

TEST_F(TokenizerFolder, RolesOfTheConfigurationReplaceTheUsualTokens) {
  write("vocab.txt", kVocabTxt);
  configure(R"({"cls_token": "<c>", "unk_token": "[PAD]"})");
  EXPECT_THAT(pieces("zzz <c>"), ElementsAre("<c>", "[PAD]", "<c>", "[SEP]"));
  EXPECT_EQ(load()->special_ids().classification, 10);
  configure(R"({"cls_token": "<absent>"})");
  EXPECT_THAT([&] { load(); }, testing::ThrowsMessage<DataError>(HasSubstr("lacks the special token '<absent>'")));
}

TEST_F(TokenizerFolder, AddedTokensOfTheConfigurationMayHaveNewIds) {
  write("vocab.txt", kVocabTxt);
  configure(R"({"added_tokens_decoder": {"20": {"content": "Star Wars"}}, "model_max_length": 16})");
  const auto tokenizer = load();
  const Encoding encoding = tokenizer->encode("film star wars films");
  EXPECT_THAT(encoding.ids, ElementsAre(2, 5, 20, 5, 6, 3)) << "looked for in the lower-cased text";
  EXPECT_EQ(tokenizer->vocabulary_size(), 21);
  EXPECT_EQ(tokenizer->max_length(), 16);
  EXPECT_THROW(tokenizer->piece(15), DataError);
}

TEST_F(TokenizerFolder, VocabJsonAndMergesAreARobertaWhoseMaskTakesTheSpaceBeforeIt) {
  write_bpe();
  const Encoding encoding = load()->encode("f f <mask>f");
  EXPECT_THAT(encoding.pieces, ElementsAre("<s>", "f", "\u0120f", " <mask>", "f", "</s>"));
  EXPECT_EQ(encoding.offsets[2], (std::array<Index, 2>{2, 3})) << "trimmed";
  EXPECT_EQ(encoding.offsets[3], (std::array<Index, 2>{4, 10})) << "trimmed";
  EXPECT_EQ(load()->encode(" f").offsets[1], (std::array<Index, 2>{1, 2})) << "at the start of the text as well";
}

TEST_F(TokenizerFolder, AGpt2HasNoTemplateAndTrimsNothing) {
  write_bpe();
  configure(R"({"tokenizer_class": "GPT2Tokenizer"})");
  const Encoding encoding = load()->encode("f f<|endoftext|>");
  EXPECT_THAT(encoding.pieces, ElementsAre("f", "\u0120f", "<|endoftext|>"));
  EXPECT_EQ(encoding.offsets[1], (std::array<Index, 2>{1, 3}));
  EXPECT_EQ(load()->special_token_count(), 0);
}

TEST_F(TokenizerFolder, PrefixSpaceAndTrimmingFollowTheConfiguration) {
  write_bpe();
  configure(R"({"add_prefix_space": true, "trim_offsets": false})");
  const Encoding encoding = load()->encode("f f");
  EXPECT_THAT(encoding.pieces, ElementsAre("<s>", "\u0120f", "\u0120f", "</s>"));
  EXPECT_EQ(encoding.offsets[1], (std::array<Index, 2>{0, 1}));
  EXPECT_EQ(encoding.offsets[2], (std::array<Index, 2>{1, 3}));
}

TEST_F(TokenizerFolder, VocabTxtWinsOverVocabJson) {
  write("vocab.txt", kVocabTxt);
  write_bpe();
  EXPECT_EQ(load()->kind(), "WordPiece");
}

TEST_F(TokenizerFolder, ContentIsThatOfTheFilesThatWereReadAndNoOthers) {
  write("vocab.txt", kVocabTxt);
  write_bpe();
  const Record before = load()->content();
  EXPECT_EQ(before.fields().size(), 1u);
  write("merges.txt", "not read\n");
  write("README", "not read");
  EXPECT_EQ(load()->content(), before);
  write("vocab.txt", kVocabTxt + "more\n");
  EXPECT_NE(load()->content(), before);
  configure("{}");
  EXPECT_EQ(load()->content().fields().size(), 2u);
}

TEST_F(TokenizerFolder, ATokenizerWhoseFilesChangedSinceIsNotTakenForThem) {
  write("vocab.txt", kVocabTxt);
  const auto tokenizer = load();
  write("vocab.txt", kVocabTxt + "more\n");
  EXPECT_THROW(tokenizer->content(), FileError);
}

TEST_F(TokenizerFolder, ATokenizerFromBytesHasNoContentToTell) {
  const auto tokenizer = parse_tokenizer_json(
      R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}, "pre_tokenizer": {"type": "BertPreTokenizer"}})", "t");
  EXPECT_THROW(tokenizer->content(), UsageError);
}

}  // namespace
}  // namespace wordsway
