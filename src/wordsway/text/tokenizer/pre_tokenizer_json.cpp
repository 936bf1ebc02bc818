// read_pre_tokenizers and read_metaspace of text/tokenizer/tokenizer_json.h.
#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"

namespace wordsway {
namespace {

Metaspace::Prepend read_prepend_scheme(const JsonView& json) {
  const JsonView scheme = json["prepend_scheme"];
  // Files from before the library's version 0.14 only say whether.
  const bool prefix = json["add_prefix_space"].boolean_or(true);
  const std::string name = scheme.string_or(prefix ? "always" : "never");
  if (!prefix && name != "never")
    scheme.fail(fmt::format("'{}' does not go with add_prefix_space false; expected 'never'", name));
  if (name == "always") return Metaspace::Prepend::kAlways;
  if (name == "first") return Metaspace::Prepend::kFirst;
  if (name == "never") return Metaspace::Prepend::kNever;
  scheme.fail(fmt::format("{} is not supported; expected always, first or never", scheme.shown()));
}

void read_into(const JsonView& json, std::string_view model, std::vector<PreTokenizer>& rules) {
  const std::string type = json["type"].string();
  if (type == "Sequence") {
    for (const JsonView& part : json["pretokenizers"].elements()) read_into(part, model, rules);
  } else if (type == "Metaspace") {
    rules.emplace_back(read_metaspace(json));
  } else if (type == "WhitespaceSplit") {
    rules.emplace_back(WhitespaceSplit());
  } else {
    json.fail(
        fmt::format("the type {} is not supported with {}; expected Metaspace, WhitespaceSplit or a Sequence of them",
                    json["type"].shown(), model));
  }
}

}  // namespace

Metaspace read_metaspace(const JsonView& json) {
  Metaspace metaspace;
  const std::u32string mark = unicode::decode(json["replacement"].string());
  if (mark.size() != 1) json["replacement"].fail(fmt::format("expected one character, got {}", mark.size()));
  metaspace.mark = mark[0];
  metaspace.prepend = read_prepend_scheme(json);
  metaspace.split = json["split"].boolean_or(true);
  return metaspace;
}

std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& json, std::string_view model) {
  std::vector<PreTokenizer> rules;
  if (json.exists()) read_into(json, model, rules);
  return rules;
}

}  // namespace wordsway
