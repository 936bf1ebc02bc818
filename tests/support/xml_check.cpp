#include "support/xml_check.h"

#include <vector>

#include "wordsway/core/utf8.h"

namespace wordsway::test {
namespace {

std::string wrong_characters(std::string_view text) {
  if (!unicode::is_valid_utf8(text)) return "not UTF-8";
  for (const char32_t c : unicode::decode(text)) {
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') return "a control character";
    if (c == 0xFFFE || c == 0xFFFF) return "U+FFFE or U+FFFF";
  }
  return "";
}

std::string wrong_entities(std::string_view text) {
  for (size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const std::string_view name = text.substr(at + 1, text.find(';', at) - at - 1);
    if (name != "amp" && name != "lt" && name != "gt" && name != "quot" && name != "apos" && !name.starts_with('#'))
      return "an & that is no entity";
  }
  return "";
}

// Where an opening tag ends: at the first '>' outside quotes.
size_t end_of_tag(std::string_view text, size_t at) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    if (quote == 0 && text[at] == '>') return at;
    if (quote == 0 && (text[at] == '"' || text[at] == '\'')) {
      quote = text[at];
    } else if (text[at] == quote) {
      quote = 0;
    }
  }
  return std::string_view::npos;
}

std::string_view name_of(std::string_view tag) {
  return tag.substr(0, tag.find_first_of(" \t\r\n/>"));
}

}  // namespace

std::string what_is_wrong_with_xml(std::string_view document) {
  if (const std::string wrong = wrong_characters(document); !wrong.empty()) return wrong;
  std::vector<std::string_view> open;
  size_t at = 0, elements = 0;
  while (at < document.size()) {
    const size_t tag = document.find('<', at);
    const std::string_view content = document.substr(at, tag == std::string_view::npos ? tag : tag - at);
    if (content.find("]]>") != std::string_view::npos) return "]]> in content";
    if (const std::string wrong = wrong_entities(content); !wrong.empty()) return wrong;
    if (open.empty() && content.find_first_not_of(" \t\r\n") != std::string_view::npos) return "text outside the root";
    if (tag == std::string_view::npos) break;
    const std::string_view rest = document.substr(tag);
    const bool comment = rest.starts_with("<!--");
    const size_t end = comment ? document.find("-->", tag) : end_of_tag(document, tag);
    if (end == std::string_view::npos) return "a tag that does not end";
    at = end + (comment ? 3 : 1);
    if (comment || rest.starts_with("<?") || rest.starts_with("<!")) continue;
    const std::string_view inside = document.substr(tag + 1, end - tag - 1);
    if (inside.find('<') != std::string_view::npos) return "a < inside a tag";
    if (inside.starts_with('/')) {
      if (open.empty() || open.back() != name_of(inside.substr(1))) return "a closing tag without its opening one";
      open.pop_back();
    } else {
      if (open.empty() && elements > 0) return "two roots";
      ++elements;
      if (!inside.ends_with('/')) open.push_back(name_of(inside));
    }
  }
  if (elements == 0) return "no element";
  return open.empty() ? "" : "an element that is not closed";
}

}  // namespace wordsway::test
