// Equality with the Python `tokenizers` library, on committed goldens.
#include <filesystem>

#include "support/temporary_folder.h"
#include "text/golden_tokenizers.h"

namespace wordsway {
namespace {

using test::expect_golden;
using test::golden_folder;
using test::read_golden;

nlohmann::json case_named(const nlohmann::json& golden, const std::string& name) {
  for (const auto& item : golden["cases"]) {
    if (item["name"] == name) return item;
  }
  ADD_FAILURE() << "no golden case " << name;
  return {};
}

void copy_golden(const std::string& from, const std::filesystem::path& folder) {
  std::filesystem::copy_file(golden_folder() / from, folder / std::filesystem::path(from).filename());
}

/// The tokenizer's own normaliser, and these after it.
void append_normalizers(nlohmann::json& tokenizer, const nlohmann::json& after) {
  if (after.empty()) return;
  nlohmann::json all = nlohmann::json::array({tokenizer["normalizer"]});
  for (const auto& normalizer : after) all.push_back(normalizer);
  tokenizer["normalizer"] = {{"type", "Sequence"}, {"normalizers", all}};
}

TEST(GoldenEncodings, EveryVariantOfTokenizerJsonEqualsThePythonLibraryOnHardTexts) {
  const auto golden = read_golden("encodings.json");
  ASSERT_GE(golden["cases"].size(), 43u);
  ASSERT_GE(golden["texts"].size(), 70u);
  for (const auto& item : golden["cases"]) {
    SCOPED_TRACE(item["name"].get<std::string>());
    const auto& base = item["base"];
    nlohmann::json json = nlohmann::json::object();
    if (base.is_string()) json = read_golden(std::filesystem::path(base.get<std::string>()) / "tokenizer.json");
    json.merge_patch(item["patch"]);
    append_normalizers(json, item["normalizers_after"]);
    expect_golden(*parse_tokenizer_json(json.dump(), "tokenizer.json"), golden["texts"], item["encodings"]);
  }
}

TEST(GoldenEncodings, VocabTxtAloneEqualsTokenizerJson) {
  const auto golden = read_golden("encodings.json");
  const test::TemporaryFolder folder;
  copy_golden("wordpiece/vocab.txt", folder.folder());
  expect_golden(*load_tokenizer(folder.folder()), golden["texts"], case_named(golden, "wordpiece")["encodings"]);
}

TEST(GoldenEncodings, VocabTxtWithATokenizerConfigFollowsItsSettings) {
  const auto golden = read_golden("encodings.json");
  const test::TemporaryFolder folder;
  copy_golden("wordpiece/vocab.txt", folder.folder());
  std::ofstream(folder.path("tokenizer_config.json")) << R"({"do_lower_case": false, "model_max_length": 512})";
  const auto tokenizer = load_tokenizer(folder.folder());
  expect_golden(*tokenizer, golden["texts"], case_named(golden, "wordpiece cased")["encodings"]);
  EXPECT_EQ(tokenizer->max_length(), 512);
}

TEST(GoldenEncodings, VocabJsonAndMergesAloneAreTakenForRobertaWhenTheyHaveItsTokens) {
  const auto golden = read_golden("encodings.json");
  const test::TemporaryFolder folder;
  copy_golden("byte_level_bpe/vocab.json", folder.folder());
  copy_golden("byte_level_bpe/merges.txt", folder.folder());
  expect_golden(*load_tokenizer(folder.folder()), golden["texts"], case_named(golden, "byte-level bpe")["encodings"]);
}

TEST(GoldenEncodings, VocabJsonAndMergesWithATokenizerConfigFollowItsPrefixSpace) {
  const auto golden = read_golden("encodings.json");
  const test::TemporaryFolder folder;
  copy_golden("byte_level_bpe/vocab.json", folder.folder());
  copy_golden("byte_level_bpe/merges.txt", folder.folder());
  std::ofstream(folder.path("tokenizer_config.json"))
      << R"({"tokenizer_class": "RobertaTokenizer", "add_prefix_space": true})";
  expect_golden(*load_tokenizer(folder.folder()), golden["texts"],
                case_named(golden, "byte-level bpe with prefix space")["encodings"]);
}

TEST(GoldenEncodings, TokenizerJsonWinsOverVocabTxt) {
  const auto golden = read_golden("encodings.json");
  const test::TemporaryFolder folder;
  copy_golden("byte_level_bpe/tokenizer.json", folder.folder());
  copy_golden("wordpiece/vocab.txt", folder.folder());
  expect_golden(*load_tokenizer(folder.folder()), golden["texts"], case_named(golden, "byte-level bpe")["encodings"]);
}

}  // namespace
}  // namespace wordsway
