// Malformed tokenizer files: every one is a DataError that names the file and the fault.
#include <map>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using Files = std::map<std::string, std::string>;

struct FolderCase {
  const char* description;
  Files files;
  const char* message;
};

void write_files(const test::TemporaryFolder& folder, const Files& files) {
  for (const auto& [name, bytes] : files) std::ofstream(folder.path(name), std::ios::binary) << bytes;
}

const std::string kVocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n";

const FolderCase kFolderCases[] = {
    {"an empty folder", {}, "no tokenizer here; expected tokenizer.json, or vocab.txt, or vocab.json and merges.txt"},
    {"vocab.json without merges.txt", {{"vocab.json", "{\"a\": 0}"}}, "no tokenizer here"},
    {"an empty vocab.txt", {{"vocab.txt", ""}}, "vocab.txt: the vocabulary is empty"},
    {"no unknown token",
     {{"vocab.txt", "a\nb\n"}},
     "vocab.txt: the vocabulary of 2 tokens lacks the unknown token '[UNK]'"},
    {"no separator", {{"vocab.txt", "[UNK]\n[CLS]\n"}}, "vocab.txt: the vocabulary lacks the special token '[SEP]'"},
    {"bytes that are not UTF-8", {{"vocab.txt", "[UNK]\n\xff\n"}}, "vocab.txt:2:1: not UTF-8"},
    {"a configuration that is not JSON",
     {{"vocab.txt", kVocab}, {"tokenizer_config.json", "{"}},
     "tokenizer_config.json: not valid JSON at byte 2"},
    {"a flag that is a string",
     {{"vocab.txt", kVocab}, {"tokenizer_config.json", R"({"do_lower_case": "yes"})"}},
     "tokenizer_config.json: do_lower_case: expected true or false, got string"},
    {"a length of zero",
     {{"vocab.txt", kVocab}, {"tokenizer_config.json", R"({"model_max_length": 0})"}},
     "tokenizer_config.json: model_max_length: expected a positive length"},
    {"a special token that is a number",
     {{"vocab.txt", kVocab}, {"special_tokens_map.json", R"({"mask_token": 3})"}},
     "special_tokens_map.json: mask_token: expected a string, got a number"},
    {"an added token under another id",
     {{"vocab.txt", kVocab}, {"tokenizer_config.json", R"({"added_tokens_decoder": {"2": {"content": "[PAD]"}}})"}},
     "added token '[PAD]' has the id 2 but the vocabulary says 0"},
    {"an added token whose id is no number",
     {{"vocab.txt", kVocab}, {"tokenizer_config.json", R"({"added_tokens_decoder": {"x": {"content": "[PAD]"}}})"}},
     "added_tokens_decoder.x: expected an integer id as the key"},
    {"a vocabulary that is a list",
     {{"vocab.json", "[]"}, {"merges.txt", ""}},
     "vocab.json: expected an object, got array"},
    {"an id that is a string",
     {{"vocab.json", R"({"a": "0"})"}, {"merges.txt", ""}},
     "vocab.json: a: expected a number"},
    {"an id twice",
     {{"vocab.json", R"({"a": 0, "b": 0})"}, {"merges.txt", ""}},
     "vocab.json: tokens 'a' and 'b' share the id 0"},
    {"a huge id", {{"vocab.json", R"({"a": 99999999999})"}, {"merges.txt", ""}}, "token 'a' has the id 99999999999"},
    {"a negative id", {{"vocab.json", R"({"a": -1})"}, {"merges.txt", ""}}, "token 'a' has the id -1; expected 0 to"},
    {"a merge of one token",
     {{"vocab.json", R"({"a": 0, "b": 1})"}, {"merges.txt", "#version: 0.2\nab\n"}},
     "merges.txt:2: expected two tokens with a space between, got 'ab'"},
    {"a merge of three tokens",
     {{"vocab.json", R"({"a": 0, "b": 1})"}, {"merges.txt", "a b c\n"}},
     "merges.txt:1: expected two tokens with a space between, got 'a b c'"},
    {"a merge into nothing",
     {{"vocab.json", R"({"a": 0, "b": 1})"}, {"merges.txt", "a b\n"}},
     "merges.txt:1: merge 'a b' needs 'ab', which is not in the vocabulary"},
};

TEST(TokenizerErrors, EveryMalformedFolderIsNamedWithItsFault) {
  for (const FolderCase& item : kFolderCases) {
    SCOPED_TRACE(item.description);
    const test::TemporaryFolder folder;
    write_files(folder, item.files);
    try {
      load_tokenizer(folder.folder());
      ADD_FAILURE() << "was loaded";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), HasSubstr(item.message));
      EXPECT_THAT(error.what(), HasSubstr(folder.folder().string()));
    }
  }
}

struct JsonCase {
  const char* base;
  const char* patch;
  const char* message;
};

const JsonCase kJsonCases[] = {
    {"wordpiece", R"({"model": null})", "t.json: model: missing; expected an object"},
    {"wordpiece", R"({"model": {"vocab": null}})", "t.json: model.vocab: missing; expected an object"},
    {"wordpiece", R"({"model": {"vocab": {"the": 1.5}}})", "t.json: model.vocab.the: expected an integer"},
    {"wordpiece", R"({"model": {"type": "WordLevel"}})",
     "model.type: 'WordLevel' is not supported; expected WordPiece, BPE or Unigram"},
    {"wordpiece", R"({"model": {"unk_token": "nope"}})", "lacks the unknown token 'nope'"},
    {"wordpiece", R"({"model": {"max_input_chars_per_word": -1}})", "max_input_chars_per_word: expected a number of"},
    {"wordpiece", R"({"normalizer": {"type": "NFKC"}})", "normalizer: the type NFKC is not supported with WordPiece"},
    {"wordpiece", R"({"pre_tokenizer": null})", "pre_tokenizer: the type null is not supported with WordPiece"},
    {"wordpiece", R"({"pre_tokenizer": {"type": "Whitespace"}})", "expected BertPreTokenizer"},
    {"wordpiece", R"({"added_tokens": [{"content": "x"}]})", "added_tokens[0]: has no id"},
    {"wordpiece", R"({"added_tokens": [{"id": 5}]})", "added_tokens[0].content: missing"},
    {"wordpiece", R"({"added_tokens": [{"content": "x", "id": -4}]})", "added_tokens[0].id: expected an id from 0"},
    {"wordpiece", R"({"added_tokens": [{"content": "<new>", "id": 5}]})", "share the id 5"},
    {"wordpiece", R"({"post_processor": {"type": "Magic"}})", "post_processor: the type 'Magic' is not supported"},
    {"wordpiece", R"({"post_processor": {"single": []}})", "post_processor.single: the text is not in the template"},
    {"wordpiece", R"({"post_processor": {"special_tokens": {"[CLS]": {"ids": [99999]}}}})",
     "no token has the id 99999"},
    {"wordpiece", R"({"post_processor": {"special_tokens": {"[CLS]": null}}})", "[CLS]: missing; expected an object"},
    {"wordpiece", R"({"truncation": {"max_length": -1}})", "truncation.max_length: expected a number of tokens"},
    {"byte_level_bpe", R"({"model": {"merges": null}})", "model.merges: missing; expected an array"},
    {"byte_level_bpe", R"({"model": {"merges": [["a"]]}})", "model.merges[0]: expected two tokens, got 1"},
    {"byte_level_bpe", R"({"model": {"merges": [7]}})", "model.merges[0]: expected an array, got a number"},
    {"byte_level_bpe", R"({"model": {"merges": ["a zzzz"]}})", "merge 'a zzzz' needs 'zzzz'"},
    {"byte_level_bpe", R"({"model": {"dropout": 0.1}})", "model.dropout: merges left out at random are not supported"},
    {"byte_level_bpe", R"({"model": {"end_of_word_suffix": "</w>"}})", "end_of_word_suffix: not supported"},
    {"byte_level_bpe", R"({"model": {"unk_token": "nope"}})", "the unknown token 'nope' is not in the vocabulary"},
    {"byte_level_bpe", R"({"normalizer": {"type": "Lowercase"}})",
     "normalizer: the type \"Lowercase\" is not supported with byte-level BPE; expected Precompiled, Replace, "
     "Prepend, Strip, NFC"},
    {"byte_level_bpe", R"({"pre_tokenizer": {"type": "Metaspace"}})", "pre_tokenizer.replacement: missing"},
    {"byte_level_bpe", R"({"pre_tokenizer": {"type": "Digits"}})",
     "pre_tokenizer: the type \"Digits\" is not supported with SentencePiece BPE; expected Metaspace, WhitespaceSplit"},
    {"byte_level_bpe", R"({"pre_tokenizer": {"use_regex": false}})",
     "use_regex: false is not supported without a Split before; expected true"},
    {"llama3", R"({"pre_tokenizer": {"pretokenizers": [{"type": "ByteLevel"}]}})",
     "pre_tokenizer: this sequence is not supported with byte-level BPE; expected Split and ByteLevel"},
    {"llama3", R"({"pre_tokenizer": {"pretokenizers": [{"type": "Digits"}, {"type": "ByteLevel"}]}})",
     "pre_tokenizer.pretokenizers[0]: expected a Split before ByteLevel"},
    {"llama3",
     R"({"pre_tokenizer": {"pretokenizers": [{"type": "Split", "pattern": {"Regex": "\\p{Han}+"}}, {"type": "ByteLevel"}]}})",
     "pretokenizers[0].pattern.Regex: the pattern \\p{Han}+ is not supported; expected that of GPT-2, Llama 3 or "
     "Qwen2"},
    {"llama3",
     R"({"pre_tokenizer": {"pretokenizers": [{"type": "Split", "pattern": {"String": " "}}, {"type": "ByteLevel"}]}})",
     "pretokenizers[0].pattern.Regex: missing"},
    {"llama2", R"({"normalizer": {"normalizers": [{"type": "Prepend"}]}})", "normalizers[0].prepend: missing"},
    {"llama2", R"({"model": {"unk_token": "nope"}})", "the unknown token 'nope' is not in the vocabulary"},
    {"llama2", R"({"model": {"byte_fallback": "yes"}})", "model.byte_fallback: expected true or false"},
    {"llama2", R"({"model": {"continuing_subword_prefix": "##"}})",
     "continuing_subword_prefix: not supported with BPE"},
    {"llama2", R"({"decoder": {"type": 7}})", "decoder.type: expected a string"},
    {"llama2", R"({"decoder": {"decoders": null}})", "decoder.decoders: missing"},
    {"llama2", R"({"decoder": {"type": "Strip", "content": "ab", "start": 1, "stop": 0}})",
     "decoder.content: expected one character, got 2"},
    {"llama2", R"({"decoder": {"type": "Strip", "content": " ", "start": -1, "stop": 0}})",
     "decoder.start: expected a number of characters"},
    {"llama2", R"({"decoder": {"type": "Replace", "pattern": {"String": ""}, "content": ""}})",
     "decoder.pattern.String: expected at least one character"},
    {"llama2",
     R"({"decoder": {"decoders": [{"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaa"},
                                  {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaa"}]}})",
     "decoder.decoders[1].content: decoders may make a token at most 64 times as long"},
    {"wordpiece", R"({"decoder": {"cleanup": null}})", "decoder.cleanup: missing"},
    {"unigram", R"({"decoder": {"replacement": ""}})", "decoder.replacement: expected one character, got 0"},
    {"byte_level_bpe", R"({"post_processor": {"sep": ["</s>"]}})", "post_processor.sep: expected a token and its id"},
    {"unigram", R"({"model": {"vocab": []}})", "model.vocab: the vocabulary is empty"},
    {"unigram", R"({"model": {"vocab": {"a": 0}}})", "model.vocab: expected an array, got object"},
    {"unigram", R"({"model": {"vocab": [["a"]]}})", "model.vocab[0]: expected a piece and its score, got 1 values"},
    {"unigram", R"({"model": {"vocab": [["a", -1], ["b", -1, 0]]}})", "model.vocab[1]: expected a piece and its score"},
    {"unigram", R"({"model": {"vocab": ["a"]}})", "model.vocab[0]: expected an array, got string"},
    {"unigram", R"({"model": {"vocab": [[7, -1]]}})", "model.vocab[0][0]: expected a string, got a number"},
    {"unigram", R"({"model": {"vocab": [["a", "b"]]}})", "model.vocab[0][1]: expected a number, got string"},
    {"unigram", R"({"model": {"vocab": [["a", null]]}})", "model.vocab[0][1]: "},
    {"unigram", R"({"model": {"unk_id": null}})", "model.unk_id: Unigram without an unknown piece is not supported"},
    {"unigram", R"({"model": {"unk_id": 99999}})", "model.unk_id: no piece has the id 99999; expected 0 to "},
    {"unigram", R"({"model": {"unk_id": -1}})", "model.unk_id: no piece has the id -1"},
    {"unigram", R"({"model": {"byte_fallback": 1}})", "model.byte_fallback: expected true or false"},
    {"unigram", R"({"normalizer": {"precompiled_charsmap": "AA"}})", "precompiled_charsmap: expected base64"},
    {"unigram", R"({"normalizer": {"precompiled_charsmap": "A A="}})", "precompiled_charsmap: expected base64"},
    {"unigram", R"({"normalizer": {"precompiled_charsmap": null}})", "normalizer.precompiled_charsmap: missing"},
    {"unigram", R"({"normalizer": {"precompiled_charsmap": ""}})",
     "normalizer.precompiled_charsmap: the map has 0 bytes; expected at least 4"},
    {"unigram", R"({"normalizer": {"precompiled_charsmap": "/////wAA"}})",
     "precompiled_charsmap: the trie of the map has 4294967295 bytes"},
    {"unigram", R"({"normalizer": {"type": "NFKC"}})",
     "normalizer: the type \"NFKC\" is not supported with Unigram; expected Precompiled, Replace, Prepend"},
    {"unigram", R"({"normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}]}})",
     "normalizer.normalizers[0]: the type \"Nmt\" is not supported"},
    {"unigram", R"({"normalizer": {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}})",
     "normalizer.pattern.Regex: the regular expression \"\\\\s+\" is not supported; expected \" {2,}\""},
    {"unigram", R"({"normalizer": {"type": "Replace", "pattern": {"String": ""}, "content": " "}})",
     "normalizer.pattern.String: expected at least one character"},
    {"unigram", R"({"normalizer": {"type": "Replace", "pattern": {"String": "a"}}})", "normalizer.content: missing"},
    {"unigram", R"({"normalizer": {"type": "Strip", "strip_left": true}})", "normalizer.strip_right: missing"},
    {"unigram", R"({"pre_tokenizer": {"type": "Digits"}})", "the type \"Digits\" is not supported with Unigram"},
    {"unigram", R"({"pre_tokenizer": {"type": "Metaspace"}})", "pre_tokenizer.replacement: missing"},
    {"unigram", R"({"pre_tokenizer": {"type": "Metaspace", "replacement": "ab"}})",
     "pre_tokenizer.replacement: expected one character, got 2"},
    {"unigram", R"({"pre_tokenizer": {"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"}})",
     "pre_tokenizer.prepend_scheme: \"last\" is not supported; expected always, first or never"},
    {"unigram",
     R"({"pre_tokenizer": {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "add_prefix_space": false}})",
     "pre_tokenizer.prepend_scheme: 'first' does not go with add_prefix_space false"},
};

TEST(TokenizerErrors, EveryMalformedTokenizerJsonIsNamedWithThePlace) {
  for (const JsonCase& item : kJsonCases) {
    SCOPED_TRACE(item.patch);
    auto json = test::read_golden(std::filesystem::path(item.base) / "tokenizer.json");
    json.merge_patch(nlohmann::json::parse(item.patch));
    try {
      parse_tokenizer_json(json.dump(), "t.json");
      ADD_FAILURE() << "was loaded";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), HasSubstr(item.message));
      EXPECT_THAT(error.what(), testing::StartsWith("t.json: "));
    }
  }
}

TEST(TokenizerErrors, ATokenizerJsonCutAnywhereIsNotLoaded) {
  std::ifstream stream(test::golden_folder() / "wordpiece" / "tokenizer.json");
  const std::string whole((std::istreambuf_iterator<char>(stream)), {});
  for (std::size_t size = 0; size + 2 < whole.size(); size += 997) {
    EXPECT_THROW(parse_tokenizer_json(whole.substr(0, size), "t.json"), DataError) << size;
  }
}

TEST(TokenizerErrors, AMissingFolderIsAFileError) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(load_tokenizer(folder.path("nothing")), FileError);
}

}  // namespace
}  // namespace wordsway
