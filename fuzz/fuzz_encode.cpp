// Any bytes can be encoded; the offsets stay inside them, and byte-level tokens join to the (repaired) text.
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

/// All 256 bytes and a few merges.
std::string byte_level_json() {
  std::string vocabulary;
  for (char32_t code = 0x21, id = 0; code < 0x144; ++code) {
    const bool skipped = (code > 0x7E && code < 0xA1) || code == 0xAD;
    if (skipped) continue;
    vocabulary += vocabulary.empty() ? "\"" : ", \"";
    if (code == U'"' || code == U'\\') vocabulary += '\\';
    wordsway::unicode::append_utf8(vocabulary, code);
    vocabulary += "\": " + std::to_string(id++);
  }
  return R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "post_processor": {"type": "ByteLevel"},
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
  static const auto byte_level = wordsway::parse_tokenizer_json(byte_level_json(), "byte-level BPE");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  encode(*wordpiece, text);
  std::string joined;
  for (const int id : encode(*byte_level, text).ids) joined += byte_level->surface(id);
  std::string repaired;
  for (const char32_t code : wordsway::unicode::decode(text)) wordsway::unicode::append_utf8(repaired, code);
  if (joined != repaired) std::abort();
  return 0;
}
