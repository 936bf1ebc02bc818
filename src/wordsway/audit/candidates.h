// Real words that could stand in the place of a word of a text.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsway/audit/changed_text.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/lexicon/lexicon.h"
#include "wordsway/text/words/whole_words.h"

namespace wordsway {

/// What a candidate of the lexicon is to the word that it replaces.
enum class Relation { kSynonym, kAntonym, kAlike };
std::string_view name_of(Relation relation);

/// Where candidates come from: the lexicon, what a masked-word head expects among words of the same kind, the whole
/// vocabulary, or the user.
enum class CandidateSource { kAlike, kSynonyms, kAntonyms, kPlausible, kAll, kGiven };
std::string_view name_of(CandidateSource source);
/// For a source of the lexicon.
std::optional<Relation> relation_of(CandidateSource source);

struct Candidate {
  std::string_view text;                    // of the CandidateWords, or of the caller
  std::optional<int> id = {};               // its token in the model's vocabulary, if it is a single one
  std::optional<double> plausibility = {};  // the probability that a masked-word head gives it at this place
  std::optional<double> likeness = {};      // of its word vector and that of the replaced word, from −1 to 1
  std::optional<Relation> relation = {};    // of a word that the lexicon has
};

/// Where words are, as the lexicon asks for them.
std::vector<ByteRange> places_of(std::span<const Word> words);

/// The user's candidates for a word: views of `given`. Each of these is a word that is tried at every word, or a group
/// of words with tabs between them, whose members replace each other. A word never replaces itself.
std::vector<Candidate> given_candidates(const std::vector<std::string>& given, const std::string& word);

/// Whether a model can itself rank the words for a place: it predicts masked words and has a mask token.
bool predicts_masked_words(const Model& model);

/// The words of a model's vocabulary, and those that a masked-word head expects. Made once for a model; immutable.
class CandidateWords {
 public:
  /// `head` is a model that predicts masked words, for models that do not. If it is null and the model has no head of
  /// its own, all words are equally plausible. Both must outlive this object.
  CandidateWords(const Model& model, const Model* head);
  CandidateWords(const CandidateWords&) = delete;  // candidates are views of its words
  CandidateWords& operator=(const CandidateWords&) = delete;

  /// The model that ranks candidates, or null.
  const Model* head() const { return head_; }

  /// The whole words of the vocabulary but the word itself: letters of the same script and numbers for a word or a
  /// number, punctuation for punctuation; single letters only for a single letter.
  std::vector<Candidate> all(const Word& word) const;

  /// For each of the words, the `most` likeliest words in its place, likeliest first: numbers for a number, names for a
  /// name, punctuation for punctuation. With a stream, draws as many distinct words by their probability instead.
  /// Without a head they are drawn from all() with equal probability, and the stream is required. With `kind`, only
  /// words of the same part of speech and form, where the lexicon knows the word.
  enum class Kind { kAny, kSame };
  std::vector<std::vector<Candidate>> plausible(const std::string& text, std::span<const Word> words, Index most,
                                                const std::optional<Stream>& draw = {}, Kind kind = Kind::kAny) const;

  /// The `most` words of the vocabulary whose word vectors are most similar to that of the word, such as "after" for
  /// "before". For a name, names of the same group; none for other names, numbers and words of several tokens. Likeness
  /// is the cosine of hidden_states[0] of both at the word's place, less their mean over the vocabulary.
  std::vector<Candidate> neighbours(const std::string& text, const Word& word, Index most) const;

  /// How many words plausible() can choose from; counts no further than `most`.
  Index count_plausible(const std::string& text, const Word& word, Kind kind, Index most) const;

 private:
  using KindFilter = std::function<bool(std::string_view word)>;  // empty: any word

  /// What says whether a word is of the kind of each word.
  static std::vector<KindFilter> kind_filters(const std::string& text, std::span<const Word> words);
  std::vector<const WholeWord*> fitting(const std::string& text, const Word& word) const;
  std::optional<int> id_of(std::string_view word) const;  // ignores case if the vocabulary does
  std::vector<Candidate> likeliest(const std::string& text, const Word& word, ConstRowFRef logits, Index most,
                                   const std::optional<Stream>& draw, const KindFilter& fits_kind) const;
  MatrixF masked_logits(const std::string& text, std::span<const Word> words) const;

  const Model& model_;
  const Model* head_;
  std::vector<WholeWord> words_;       // of the model
  std::vector<WholeWord> head_words_;  // of the head; empty if it has the model's tokenizer
  std::unordered_map<std::string_view, int> ids_;
};

}  // namespace wordsway
