#include "wordsway/text/tokenizer/post_processing.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/byte_tokens.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

bool is_shown_space(char32_t code) {
  return code == byte_level::character_of(' ') || unicode::is_whitespace(code);
}

std::uint32_t leading_spaces(std::string_view token) {
  std::uint32_t count = 0;
  while (!token.empty()) {
    const unicode::Decoded next = unicode::decode_first(token);
    if (!is_shown_space(next.code)) break;
    token.remove_prefix(next.length);
    ++count;
  }
  return count;
}

std::uint32_t trailing_spaces(std::string_view token) {
  if (token.empty()) return 0;
  const auto last_byte = static_cast<unsigned char>(token.back());
  if (last_byte > ' ' && last_byte < 0x80) return 0;  // nearly always, and needs no decoding
  const std::u32string codes = unicode::decode(token);
  const auto last = std::find_if_not(codes.rbegin(), codes.rend(), is_shown_space);
  return static_cast<std::uint32_t>(last - codes.rbegin());
}

}  // namespace

void trim_offsets(TokenizedText& text, const Vocabulary& vocabulary, bool keep_prefix_space) {
  for (std::size_t i = 0; i < text.pieces.size(); ++i) {
    Piece& piece = text.pieces[i];
    const std::string& token = text.token_text(i, vocabulary);
    std::uint32_t leading = leading_spaces(token);
    const std::uint32_t trailing = trailing_spaces(token);
    if (leading == 1 && keep_prefix_space && (i == 0 || piece.begin == 0)) leading = 0;
    piece.begin = std::min(piece.begin + leading, piece.end);
    if (trailing > 0 && piece.end >= trailing) piece.end = std::max(piece.end - trailing, piece.begin);
  }
}

namespace {

int checked_id(const JsonView& value, const Vocabulary& vocabulary) {
  const std::int64_t id = value.integer();
  if (id < 0 || id >= vocabulary.size() || !vocabulary.has_id(static_cast<int>(id))) {
    value.fail(fmt::format("no token has the id {}", id));
  }
  return static_cast<int>(id);
}

/// ["[SEP]", 102], as BertProcessing and RobertaProcessing write a token.
int token_pair(const JsonView& value, const Vocabulary& vocabulary) {
  const std::vector<JsonView> parts = value.elements();
  if (parts.size() != 2) value.fail("expected a token and its id");
  return checked_id(parts[1], vocabulary);
}

void read_template(const JsonView& json, const Vocabulary& vocabulary, PostProcessing& post) {
  bool seen_text = false;
  for (const JsonView& item : json["single"].elements()) {
    if (item["Sequence"].exists()) {
      if (seen_text) item.fail("the text stands twice in the template");
      seen_text = true;
      continue;
    }
    const std::string name = item["SpecialToken"]["id"].string();
    for (const JsonView& id : json["special_tokens"][name]["ids"].elements()) {
      (seen_text ? post.after : post.before).push_back(checked_id(id, vocabulary));
    }
  }
  if (!seen_text) json["single"].fail("the text is not in the template");
}

void read_one(const JsonView& json, const Vocabulary& vocabulary, PostProcessing& post) {
  const std::string type = json["type"].string();
  if (type == "TemplateProcessing") {
    read_template(json, vocabulary, post);
  } else if (type == "BertProcessing" || type == "RobertaProcessing") {
    post.before.push_back(token_pair(json["cls"], vocabulary));
    post.after.push_back(token_pair(json["sep"], vocabulary));
  } else if (type != "ByteLevel") {
    json.fail(
        fmt::format("the type '{}' is not supported; expected TemplateProcessing, BertProcessing, "
                    "RobertaProcessing, ByteLevel or a Sequence of them",
                    type));
  }
  if (type == "RobertaProcessing" || type == "ByteLevel") {
    post.trim_offsets = json["trim_offsets"].boolean_or(true);
    post.keep_prefix_space = json["add_prefix_space"].boolean_or(true);
  }
}

}  // namespace

PostProcessing read_post_processing(const JsonView& json, const Vocabulary& vocabulary) {
  PostProcessing post;
  if (!json.exists()) return post;
  if (json["type"].string() != "Sequence") {
    read_one(json, vocabulary, post);
    return post;
  }
  for (const JsonView& processor : json["processors"].elements()) read_one(processor, vocabulary, post);
  return post;
}

}  // namespace wordsway
