// read_unigram of text/tokenizer/tokenizer_json.h.
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"
#include "wordsway/text/tokenizer/unigram.h"

namespace wordsway {
namespace {

/// [["piece", score], ...]; the id of a piece is its place.
std::vector<double> read_pieces(const JsonView& list, Vocabulary& vocabulary) {
  std::vector<double> scores;
  const std::string where = list.where();
  for (const JsonView& entry : list.elements()) {
    const std::vector<JsonView> pair = entry.elements();
    if (pair.size() != 2) entry.fail(fmt::format("expected a piece and its score, got {} values", pair.size()));
    vocabulary.add(pair[0].string(), static_cast<long long>(scores.size()), where);
    const double score = pair[1].number();
    if (!std::isfinite(score)) pair[1].fail("expected a finite score");
    scores.push_back(score_as_read_by_tokenizers(score));
  }
  if (scores.empty()) list.fail("the vocabulary is empty");
  return scores;
}

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

Metaspace read_metaspace(const JsonView& json) {
  Metaspace metaspace;
  const std::u32string mark = unicode::decode(json["replacement"].string());
  if (mark.size() != 1) json["replacement"].fail(fmt::format("expected one character, got {}", mark.size()));
  metaspace.mark = mark[0];
  metaspace.prepend = read_prepend_scheme(json);
  metaspace.split = json["split"].boolean_or(true);
  return metaspace;
}

void read_pre_tokenizers(const JsonView& json, std::vector<PreTokenizer>& rules) {
  if (!json.exists()) return;
  const std::string type = json["type"].string();
  if (type == "Sequence") {
    for (const JsonView& part : json["pretokenizers"].elements()) read_pre_tokenizers(part, rules);
  } else if (type == "Metaspace") {
    rules.emplace_back(read_metaspace(json));
  } else if (type == "WhitespaceSplit") {
    rules.emplace_back(WhitespaceSplit());
  } else {
    json.fail(
        fmt::format("the type {} is not supported with Unigram; expected Metaspace, WhitespaceSplit or a Sequence of "
                    "them",
                    json["type"].shown()));
  }
}

int read_unknown_id(const JsonView& value, int size) {
  if (!value.exists()) value.fail("Unigram without an unknown piece is not supported; expected its id");
  const std::int64_t id = value.integer();
  if (id < 0 || id >= size) value.fail(fmt::format("no piece has the id {}; expected 0 to {}", id, size - 1));
  return static_cast<int>(id);
}

}  // namespace

std::unique_ptr<SubwordModel> read_unigram(const JsonView& json, Vocabulary& vocabulary) {
  const JsonView model = json["model"];
  UnigramOptions options;
  options.scores = read_pieces(model["vocab"], vocabulary);
  options.unknown_id = read_unknown_id(model["unk_id"], vocabulary.size());
  options.byte_fallback = model["byte_fallback"].boolean_or(false);
  options.normalizer = read_normalizer(json["normalizer"], "Unigram");
  read_pre_tokenizers(json["pre_tokenizer"], options.pre_tokenizers);
  return make_unigram(vocabulary, std::move(options));
}

}  // namespace wordsway
