#include "wordsway/text/reviews/builtin_reviews.h"

#include <string_view>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/reviews/tables.h"

namespace wordsway {
namespace {

using grammar::Grammar;
using grammar::Writer;

constexpr std::uint64_t kSeed = 2402'02969;

const Grammar& review_grammar() {
  static const Grammar grammar(reviews::all_tables());
  return grammar;
}

bool is_word_character(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\'' || c == '-' || u > 127;
}

Index count_words(std::string_view text) {
  Index count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool now = is_word_character(c);
    count += now && !inside;
    inside = now;
  }
  return count;
}

// How a review spreads its sentences. `agreement` is the share of opinions that speak for the label.
struct Manner {
  double agreement, opinions, contrasts;
};

Manner draw_manner(Writer& writer) {
  return {0.78 + 0.22 * writer.uniform(), 0.5 + 0.2 * writer.uniform(), 0.08 + 0.12 * writer.uniform()};
}

std::string_view one_of(Writer& writer, std::initializer_list<std::string_view> names) {
  return names.begin()[writer.below(names.size())];
}

std::string write_sentence(Writer& writer, const Manner& manner, int label) {
  const double kind = writer.uniform();
  if (kind < manner.opinions) {
    const int polarity = writer.uniform() < manner.agreement ? label : -label;
    return writer.write(
        one_of(writer, {"acting", "acting", "character", "plot_opinion", "scene", "scene", "craft", "sound"}),
        polarity);
  }
  if (kind < manner.opinions + manner.contrasts) {
    const int polarity = writer.uniform() < manner.agreement ? label : -label;
    return writer.write(one_of(writer, {"contrast", "contrast", "hedge", "concession"}), polarity);
  }
  return writer.write(one_of(writer, {"premise", "premise", "scene_fact", "sound_fact", "digression", "digression"}),
                      label);
}

}  // namespace

Review builtin_review(std::uint64_t index, Index words) {
  if (words < kShortestReview || words > kLongestReview) {
    throw UsageError("built-in reviews have " + std::to_string(kShortestReview) + " to " +
                     std::to_string(kLongestReview) + " words; " + std::to_string(words) + " were asked for");
  }
  const int label = index % 2 == 0 ? 1 : -1;
  const Stream stream = Stream(kSeed).derive("built-in review").derive(index);
  Writer writer(review_grammar(), stream.derive("body"));
  const Manner manner = draw_manner(writer);
  std::string text = writer.write("opening", label);
  const std::string verdict = writer.write("verdict", label);
  while (count_words(text) + count_words(verdict) < words) text += ' ' + write_sentence(writer, manner, label);
  return {grammar::finish_text(text + ' ' + verdict), label};
}

std::vector<std::string> sentences_of(const std::string& review) {
  std::vector<std::string> sentences;
  size_t begin = 0;
  for (size_t k = 0; k + 1 < review.size(); ++k) {
    const bool ends = review[k] == '.' || review[k] == '!' || review[k] == '?';
    if (!ends || review[k + 1] != ' ') continue;
    sentences.push_back(review.substr(begin, k + 1 - begin));
    begin = k + 2;
  }
  sentences.push_back(review.substr(begin));
  return sentences;
}

std::string builtin_reviews_digest() {
  constexpr std::uint64_t kReviews = 16;  // to notice another way of applying the same rules
  constexpr Index kWords = 260;
  Digest digest;
  for (const auto& [name, options] : review_grammar().rules()) {
    digest.add(std::string_view(name));
    for (const std::string& option : options) digest.add(std::string_view(option));
  }
  for (std::uint64_t index = 0; index < kReviews; ++index)
    digest.add(std::string_view(builtin_review(index, kWords).text));
  return digest.text();
}

}  // namespace wordsway
