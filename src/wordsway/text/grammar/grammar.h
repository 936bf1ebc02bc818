// A small generative grammar for English text.
//
// A rule has a name and options separated by '|'; runs of white space count as one blank. Inside an option
//   {name}        another rule, expanded; without such a rule, "name+" or "name-" by the polarity in force, or
//                 "name:m" or "name:f" by the gender that the text was given
//   {!name}       the same with the polarity turned round, down to its leaves
//   {=name}       expanded once a text; later uses repeat the same words
//   [a/b/c]       one of the parts, which may be empty
// Sentence ends, capitals and "a" before a vowel are repaired afterwards (finish_text).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/random/stream.h"

namespace wordsway::grammar {

struct Rule {
  std::string_view name;
  std::string_view options;
};

/// The options of a rule, between its bars; white space at their ends is gone, and runs of it became one blank.
std::vector<std::string> split_options(std::string_view options);

/// The rules of a language, ready for use. Immutable, so any number of threads may share one.
class Grammar {
 public:
  /// Throws UsageError on a rule given twice or without options.
  explicit Grammar(std::span<const std::span<const Rule>> tables);

  /// The options of the rule that `name` means under this polarity (+1 or -1) and gender ('m' or 'f').
  /// Throws UsageError when there is none.
  const std::vector<std::string>& options(std::string_view name, int polarity, char gender) const;

  /// All rules with their options, by name.
  const std::map<std::string, std::vector<std::string>, std::less<>>& rules() const { return rules_; }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> rules_;
};

/// One text in the making: draws in order from its stream, remembers what was bound and what was used.
class Writer {
 public:
  Writer(const Grammar& grammar, const Stream& stream);

  /// An expansion of a rule. Options that this text has used already are avoided while others are left.
  std::string write(std::string_view rule, int polarity);

  /// What a text with {references} and [choices] becomes, drawn and bound as in a rule.
  std::string expand(std::string_view text, int polarity);

  /// The next number in (0, 1).
  double uniform() { return stream_.uniform(drawn_++); }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(uniform() * static_cast<double>(count)); }

 private:
  std::string expand_reference(std::string_view reference, int polarity);
  std::string expand_choice(std::string_view parts, int polarity);
  const std::string& pick(const std::vector<std::string>& options);

  const Grammar& grammar_;
  Stream stream_;
  std::uint64_t drawn_ = 0;
  char gender_;
  std::map<std::string, std::string, std::less<>> bound_;
  std::set<const std::string*> used_;
};

/// Capitals after sentence ends and for "i", "an" before a vowel, no doubled blanks.
std::string finish_text(std::string_view raw);

/// A text with two sides: every <a/b> becomes a on side 0 and b on side 1; all else stays. Sides are taken after rules
/// and choices were expanded. Throws UsageError when a '<' has no '/' and '>'.
std::string take_side(std::string_view text, int side);

}  // namespace wordsway::grammar
