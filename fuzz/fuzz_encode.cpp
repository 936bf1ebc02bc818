// Any bytes can be encoded; the offsets stay inside them, and byte-level tokens decode to the (repaired) text.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace {

using wordsway::Encoding;
using wordsway::Index;
using wordsway::Tokenizer;

constexpr std::string_view kWordPiece = R"({
  "added_tokens": [{"id": 1, "content": "[MASK]", "special": true}, {"id": 8, "content": "Ab", "normalized": true,
                    "single_word": true, "lstrip": true, "rstrip": true}],
  "normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
  "post_processor": {"type": "RobertaProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]},
  "model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "[MASK]": 1, "[CLS]": 2, "[SEP]": 3, "a": 4, "##b": 5, "i": 6, "中": 7}}})";

constexpr std::string_view kSentencePiece = R"({
  "added_tokens": [{"id": 1, "content": "<s>", "special": true}, {"id": 2, "content": "</s>", "normalized": true}],
  "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
                 {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
  "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
              {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
  "model": {"type": "BPE", "byte_fallback": true, "fuse_unk": true, "unk_token": "<unk>", "merges": ["▁ a", "a b", "▁ ab"],
            "vocab": {"<unk>": 0, "<s>": 1, "</s>": 2, "<0x0A>": 3, "<0xC3>": 4, "<0xA9>": 5, "▁": 6, "a": 7, "b": 8,
                      "▁a": 9, "ab": 10, "▁ab": 11}}})";

constexpr std::string_view kGpt2 = R"({"type": "ByteLevel", "add_prefix_space": false})";
constexpr std::string_view kLlama3 = R"({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"Regex":
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
  "behavior": "Isolated"}, {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})";

/// All 256 bytes and a few merges.
std::string byte_level_json(std::string_view pre_tokenizer) {
  std::string vocabulary;
  for (char32_t code = 0x21, id = 0; code < 0x144; ++code) {
    const bool skipped = (code > 0x7E && code < 0xA1) || code == 0xAD;
    if (skipped) continue;
    vocabulary += vocabulary.empty() ? "\"" : ", \"";
    if (code == U'"' || code == U'\\') vocabulary += '\\';
    wordsway::unicode::append_utf8(vocabulary, code);
    vocabulary += "\": " + std::to_string(id++);
  }
  return R"({"pre_tokenizer": )" + std::string(pre_tokenizer) +
         R"(, "post_processor": {"type": "ByteLevel"}, "decoder": {"type": "ByteLevel"},
             "model": {"type": "BPE", "merges": ["a b", "ab ab", "Ġ a", "Ġa b"], "vocab": {)" +
         vocabulary + R"(, "ab": 256, "abab": 257, "Ġa": 258, "Ġab": 259}}})";
}

Encoding encode(const Tokenizer& tokenizer, std::string_view text) {
  const Encoding encoding = tokenizer.encode(text);
  for (const auto& [begin, end] : encoding.byte_offsets) {
    if (begin < 0 || begin > end || end > static_cast<Index>(text.size())) std::abort();
  }
  return encoding;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto wordpiece = wordsway::parse_tokenizer_json(kWordPiece, "WordPiece");
  static const auto sentencepiece = wordsway::parse_tokenizer_json(kSentencePiece, "SentencePiece BPE");
  static const auto gpt2 = wordsway::parse_tokenizer_json(byte_level_json(kGpt2), "GPT-2");
  static const auto llama3 = wordsway::parse_tokenizer_json(byte_level_json(kLlama3), "Llama 3");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  encode(*wordpiece, text);
  sentencepiece->decode(encode(*sentencepiece, text).ids);
  std::string repaired;
  for (const char32_t code : wordsway::unicode::decode(text)) wordsway::unicode::append_utf8(repaired, code);
  for (const Tokenizer* byte_level : {gpt2.get(), llama3.get()}) {
    if (byte_level->decode(encode(*byte_level, text).ids) != repaired) std::abort();
  }
  return 0;
}
