// Unigram, the tokenizer of XLM-R and its multilingual relatives: every piece has a score, the logarithm of how likely
// it is, and a word is cut where the sum of the scores of its pieces is largest.
#pragma once

#include <memory>
#include <vector>

#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/pre_tokenizers.h"
#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

class JsonView;

struct UnigramOptions {
  Normalizer normalizer = {};  // nothing: the text as it is
  std::vector<PreTokenizer> pre_tokenizers = {};
  std::vector<double> scores = {};  // of every id of the vocabulary, finite
  int unknown_id = 0;               // characters without a piece, neighbours together
  bool byte_fallback = false;       // unknown text as pieces <0x00> … <0xFF>, where the vocabulary has all it needs
};

/// If two ways to cut up to a place have equal sums, the one with the longer last piece wins, as in `tokenizers`.
/// Sums are formed from the left.
/// The unknown piece scores 10 less than the worst one.
std::unique_ptr<SubwordModel> make_unigram(const Vocabulary& vocabulary, UnigramOptions options);

/// The double that `tokenizers` gets when it reads the number from JSON. Its reader does not round to nearest, and sums
/// that are equal but for the last bit decide where runs like "......" are cut. The number is taken to stand in the
/// file in its shortest form, as both libraries write it.
double score_as_read_by_tokenizers(double score);

/// Reads a Unigram model of a tokenizer.json with its normaliser and pre-tokenizers, and fills the vocabulary from it.
/// `json` is the whole file. Throws DataError naming the place of whatever is wrong or not supported.
std::unique_ptr<SubwordModel> read_unigram(const JsonView& json, Vocabulary& vocabulary);

}  // namespace wordsway
