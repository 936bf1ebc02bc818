// Studies of texts whose words are changed: `words` and `substitute`. One task for each text.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/substitute.h"
#include "wordsway/audit/words.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// The texts of a study, encoded with their prompt, and the model they are asked about.
struct StudiedTexts {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Model> head;  // says what is plausible where the model cannot; may be null
  std::string name;                   // of the texts
  std::vector<LabelledText> texts;
  std::vector<Encoding> encodings;
  std::string layer;  // the user's name of the output
  ChangeOptions change;
  /// Progress within a single text. May be empty.
  Progress progress;
  /// For `words` on a single text: rows as far as they are known, without `text`. A word's row comes again when more of
  /// it is known; the rows at the end are complete. May be empty.
  std::function<void(const Record& row)> partial = {};
};

/// A task for every text that has a word; texts keep their numbers. Rows begin with `text`.
class TextStudy : public Study {
 public:
  explicit TextStudy(StudiedTexts texts);

  StudyContent content() const override;
  Index size() const override { return static_cast<Index>(tasks_.size()); }
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;

  Index text_of(Index task) const { return tasks_[static_cast<size_t>(task)]; }

 protected:
  Record settings() const;  // that both have
  ChangedText changed_text(Index task) const;
  std::vector<Word> words_of_task(Index task) const;
  double work_of(Index task, double texts_for_each_word) const;

  StudiedTexts texts_;
  CandidateWords candidates_;

 private:
  std::vector<Index> tasks_;
};

/// Rows: text, word, sensitivity, typical, worst_word, worst_change, synonym, synonym_change, antonym, antonym_change,
/// dropped; if a text has one vector, also typical_cosine, worst_cosine, synonym_cosine, antonym_cosine,
/// dropped_cosine, or, if the output is logits, the same with _divergence; token, tokens, begin, end.
class WordsStudy final : public TextStudy {
 public:
  /// Throws UsageError when the radius of the ball is out of range.
  WordsStudy(StudiedTexts texts, WordOptions options);

  std::string command() const override { return "words"; }
  Record config() const override;
  Index row_count(Index task) const override;
  double work(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  WordOptions options_;
};

/// Which words of each text to replace.
struct WordChoice {
  std::optional<std::string> word;  // all that are this word, without regard to case
  std::optional<Index> token;       // the word of this token
};

struct SubstituteStudyOptions {
  SubstituteOptions search;
  WordChoice choice = {};
  Index top = 5;
  /// The least cosine that still counts as the same; needs a pooled output.
  std::optional<double> threshold = {};
};

/// Rows: text, word, token, replacement, change, cosine, plausibility, relation, screened_rank: for each word the `top`
/// replacements that change most; for logits also divergence, next_before and next_after (the likeliest next token).
/// With a threshold there is one row for each word, about the replacements within it: the one whose word by itself is
/// least like the replaced one (`alone`, their cosine as texts of one word), up to top − 1 others (`also`), and how
/// many there are (`swaps`, of `evaluated`). Rows are ordered by `alone`; words without such a replacement come last.
class SubstituteStudy final : public TextStudy {
 public:
  /// Throws UsageError when a text does not have the word or token that was chosen, a threshold is given and the output
  /// is not pooled, or the vocabulary has no words.
  SubstituteStudy(StudiedTexts texts, SubstituteStudyOptions options);

  std::string command() const override { return "substitute"; }
  Record config() const override;
  Index row_count(Index task) const override;
  double work(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  std::vector<size_t> chosen_words(Index task) const;
  Index candidate_count(const std::string& text, const Word& word, const LexiconEntry& entry) const;
  std::vector<Record> rows_within(const ChangedText& text, const std::vector<WordSubstitutions>& found) const;

  SubstituteStudyOptions options_;
};

}  // namespace wordsway
