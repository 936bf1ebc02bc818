// read_normalizer of text/tokenizer/tokenizer_json.h.
#include <memory>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/io/base64.h"
#include "wordsway/text/tokenizer/precompiled.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"

namespace wordsway {
namespace {

constexpr const char* kRunsOfSpaces = " {2,}";  // the one regular expression that saved tokenizers of this kind have

Normalizer read_precompiled(const JsonView& json) {
  const JsonView value = json["precompiled_charsmap"];
  const auto bytes = decode_base64(value.string());
  if (!bytes) value.fail("expected base64");
  const auto map = std::make_shared<const PrecompiledMap>(*bytes, value.where());
  return [map](Characters& text) { map->normalize(text); };
}

std::u32string read_replacement(const JsonView& json) {
  std::u32string content = unicode::decode(json.string());
  if (content.size() > kMostGrowth)
    json.fail(fmt::format("expected at most {} characters, got {}", kMostGrowth, content.size()));
  return content;
}

Normalizer read_replace(const JsonView& json) {
  const std::u32string content = read_replacement(json["content"]);
  const JsonView pattern = json["pattern"];
  if (const JsonView regex = pattern["Regex"]; regex.exists()) {
    if (regex.string() != kRunsOfSpaces)
      regex.fail(
          fmt::format("the regular expression {} is not supported; expected \"{}\"", regex.shown(), kRunsOfSpaces));
    return [content](Characters& text) { replace_runs_of_spaces(text, content); };
  }
  const std::u32string string = unicode::decode(pattern["String"].string());
  if (string.empty()) pattern["String"].fail("expected at least one character");
  return [string, content](Characters& text) { replace_all(text, string, content); };
}

Normalizer read_strip(const JsonView& json) {
  const bool left = json["strip_left"].boolean();
  const bool right = json["strip_right"].boolean();
  return [left, right](Characters& text) { strip(text, left, right); };
}

Normalizer read_prepend(const JsonView& json) {
  const std::u32string text = read_replacement(json["prepend"]);
  return [text](Characters& characters) { prepend(characters, text); };
}

void read_into(const JsonView& json, std::string_view model, std::vector<Normalizer>& steps) {
  const std::string type = json["type"].string();
  if (type == "Sequence") {
    for (const JsonView& part : json["normalizers"].elements()) read_into(part, model, steps);
  } else if (type == "Precompiled") {
    steps.push_back(read_precompiled(json));
  } else if (type == "Replace") {
    steps.push_back(read_replace(json));
  } else if (type == "Prepend") {
    steps.push_back(read_prepend(json));
  } else if (type == "Strip") {
    steps.push_back(read_strip(json));
  } else if (type == "NFC") {
    steps.emplace_back(compose_nfc);
  } else {
    json.fail(
        fmt::format("the type {} is not supported with {}; expected Precompiled, Replace, Prepend, Strip, NFC or a "
                    "Sequence of them",
                    json["type"].shown(), model));
  }
}

}  // namespace

Normalizer read_normalizer(const JsonView& json, std::string_view model) {
  if (!json.exists()) return {};
  std::vector<Normalizer> steps;
  read_into(json, model, steps);
  return in_sequence(std::move(steps));
}

}  // namespace wordsway
