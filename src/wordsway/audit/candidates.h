// Which real words could stand in the place of a word of a text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsway/audit/changed_text.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/words/whole_words.h"

namespace wordsway {

struct Candidate {
  std::string_view text;                    // of the CandidateWords, or of the caller
  std::optional<int> id = {};               // its token in the model's vocabulary, where it is one
  std::optional<double> plausibility = {};  // the probability that a masked-word head gives it at this place
  std::optional<double> likeness = {};      // of its word vector and that of the replaced word, from −1 to 1
};

/// Whether a model can say itself which words fit a place: it predicts masked words and has a mask.
bool predicts_masked_words(const Model& model);

/// The words of a model's vocabulary, and those that a masked-word head expects. Made once for a model; immutable.
class CandidateWords {
 public:
  /// `head` is a model that predicts masked words, for models that do not; where it is not there and the model has no
  /// head itself, no word is more plausible than another. Both must outlive this.
  CandidateWords(const Model& model, const Model* head);
  CandidateWords(const CandidateWords&) = delete;  // candidates are views of its words
  CandidateWords& operator=(const CandidateWords&) = delete;

  /// Who says what is plausible; nothing: nobody.
  const Model* head() const { return head_; }

  /// The whole words of the vocabulary but the word itself: letters of the same script and numbers for a word or a
  /// number, punctuation for punctuation; single letters only for a single letter.
  std::vector<Candidate> all(const Word& word) const;

  /// For each of the words the `most` likeliest in its place, likeliest first: numbers for a number, names for a name,
  /// punctuation for punctuation. With a stream as many distinct words are drawn instead, by their probability. Where
  /// there is no head they are drawn from all(), each as likely as the others (then the stream must be there).
  std::vector<std::vector<Candidate>> plausible(const std::string& text, std::span<const Word> words, Index most,
                                                const std::optional<Stream>& draw = {}) const;

  /// The `most` words of the vocabulary whose word vectors are most like that of the word, which go where it goes:
  /// "after" for "before". Names of the same
  /// group for a name; none for other names, numbers and words of several tokens. Likeness is the cosine of
  /// hidden_states[0] of both at the word's place, their mean over the vocabulary taken off.
  std::vector<Candidate> neighbours(const std::string& text, const Word& word, Index most) const;

  /// How many words plausible() chooses from.
  Index count_plausible(const std::string& text, const Word& word) const;

 private:
  std::vector<const WholeWord*> fitting(const std::string& text, const Word& word) const;
  std::optional<int> id_of(std::string_view word) const;  // without regard to case where it has to be
  std::vector<Candidate> likeliest(const std::string& text, const Word& word, ConstRowFRef logits, Index most,
                                   const std::optional<Stream>& draw) const;
  MatrixF masked_logits(const std::string& text, std::span<const Word> words) const;

  const Model& model_;
  const Model* head_;
  std::vector<WholeWord> words_;       // of the model
  std::vector<WholeWord> head_words_;  // of the head; empty where it has the model's tokenizer
  std::unordered_map<std::string_view, int> ids_;
};

}  // namespace wordsway
