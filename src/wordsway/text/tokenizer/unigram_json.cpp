// read_unigram of text/tokenizer/tokenizer_json.h.
#include <cmath>

#include <fmt/format.h>

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
  options.pre_tokenizers = read_pre_tokenizers(json["pre_tokenizer"], "Unigram");
  return make_unigram(vocabulary, std::move(options));
}

}  // namespace wordsway
