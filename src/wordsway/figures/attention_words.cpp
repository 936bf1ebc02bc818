// Figure 1 of the paper: changing one word changes the pattern of attention.
#include <algorithm>
#include <cmath>

#include "wordsway/figures/attention_study.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"

namespace wordsway {
namespace {

constexpr const char *kFirst = "I love her much", *kSecond = "I love her smile";
constexpr double kLeastFactor = 1.25;  // by which attention to the changed word must change

FigureStudy study(const FigureSetting& setting) {
  AttentionStudyConfig config;
  config.transformer = setting.transformer;
  config.tokenizer = setting.tokenizer;
  config.texts = {kFirst, kSecond};
  config.options.seed = setting.seed;
  return {std::make_shared<AttentionStudy>(config), {}};
}

// Only the rows of words: [CLS] and [SEP] look at [CLS] so much that nothing else would be visible beside it.
HeatPanel panel_of(const Record& row) {
  const auto pieces = texts_of(row, "pieces");
  const auto words = integers_of(row, "words");
  const Matrix attention = attention_matrix(row, "attention");
  HeatPanel panel{row.text("text"), {}, pieces, {}};
  std::vector<Index> shown;
  for (size_t j = 0; j < words.size(); ++j)
    if (words[j] >= 0) {
      panel.row_labels.push_back(pieces[j]);
      shown.push_back(static_cast<Index>(j));
    }
  panel.values = attention(shown, Eigen::all);
  return panel;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  HeatMap map;
  map.title = "Where the tokens look: first layer, mean of all heads";
  map.row_label = "token";
  map.column_label = "looks at";
  for (const Record& row : rows) map.panels.push_back(panel_of(row));
  return {heat_panel(std::move(map), 440, 360)};
}

struct Shared {
  Index prefix = 0, suffix = 0;  // numbers of tokens that both texts begin and end with
};

Shared shared_tokens(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  Shared shared;
  const size_t shorter = std::min(a.size(), b.size());
  while (static_cast<size_t>(shared.prefix) < shorter &&
         a[static_cast<size_t>(shared.prefix)] == b[static_cast<size_t>(shared.prefix)])
    ++shared.prefix;
  while (static_cast<size_t>(shared.prefix + shared.suffix) < shorter &&
         a[a.size() - 1 - static_cast<size_t>(shared.suffix)] == b[b.size() - 1 - static_cast<size_t>(shared.suffix)])
    ++shared.suffix;
  return shared;
}

// The attention that each earlier word pays to the word that differs. [CLS] and [SEP] look at themselves in any text.
std::vector<double> given_to_word(const Record& row, const Shared& shared) {
  const Matrix attention = attention_matrix(row, "attention");
  const auto words = integers_of(row, "words");
  const Index changed = attention.rows() - shared.prefix - shared.suffix;
  std::vector<double> given;
  for (Index j = 0; j < shared.prefix; ++j)
    if (words.at(static_cast<size_t>(j)) >= 0) given.push_back(attention.row(j).segment(shared.prefix, changed).sum());
  return given;
}

// The factor, up or down, by which a word's attention to the last one changes: the geometric mean over words. One model
// is not a sample of models, so there is no interval.
Interval change(const Rows& rows) {
  const Rows first = rows_where(rows, "text", kFirst), second = rows_where(rows, "text", kSecond);
  if (first.size() != 1 || second.size() != 1) return mean_of({});
  const Shared shared = shared_tokens(texts_of(first.front(), "pieces"), texts_of(second.front(), "pieces"));
  const auto a = given_to_word(first.front(), shared), b = given_to_word(second.front(), shared);
  std::vector<double> logs;
  for (size_t k = 0; k < a.size(); ++k) logs.push_back(std::abs(std::log(b.at(k) / a[k])));
  const double factor = std::exp(mean_of(logs).value);
  return {factor, factor, factor};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  return {judge_above({"When the last word of “I love her much” becomes “smile”, the model's words before it change "
                       "how much attention they give it.",
                       "Figure 1"},
                      "attention given to the last word changes by a factor of", change(rows), kLeastFactor,
                      "(mean over “I”, “love”, “her”)")};
}

}  // namespace

void register_attention_words(FigureRegistry& registry) {
  registry.add(
      "attention-words",
      {10, "“I love her much” and “I love her smile”",
       "Figure 1: when one word is replaced, the attention scores of the other words change with it, as the meaning of "
       "the sentence does.",
       "Row by row, where a token looks. A noun at the end is looked at by the words before it, most of all by “love” "
       "and “her”, which now belong to it. The first layer of the small "
       "built-in model shows the effect more weakly than BERT does in the paper.",
       "two sentences, through the model", study, panels, verdicts});
}

}  // namespace wordsway
