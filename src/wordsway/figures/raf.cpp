// Figure 3 (first panel) of the paper: the word sensitivity of softmax attention does not decay with n.
#include "wordsway/figures/attention_against_length.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"

namespace wordsway {
namespace {

constexpr double kLowExponent = -0.15, kHighExponent = 0.15;
constexpr double kLeastSensitivity = 1;

FigureStudy study(const FigureSetting& setting) {
  return attention_against_length(setting, "raf");
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return {
      line_panel(sensitivity_chart("Softmax attention: one word is seen in any text", curves_against_n(rows, {"d"})))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows widest = at_largest(rows, "d"), longest = at_largest(widest, "n");
  return {
      judge_between({"The word sensitivity of softmax attention does not decay with n.", "Theorem 3, Figure 3"},
                    "exponent of S in n", exponent_of(widest), kLowExponent, kHighExponent, at_size(widest, "d")),
      judge_above({"In the longest texts one word can move the output of softmax attention by more than its own size.",
                   "Theorem 3, Figure 3"},
                  "S", mean_of(numbers_of(longest, "sensitivity")), kLeastSensitivity, at_size(longest, "n"))};
}

}  // namespace

void register_raf(FigureRegistry& registry) {
  registry.add("raf",
               {30, "Softmax attention against context length",
                "Theorem 3 and Figure 3: the word sensitivity of random attention features stays of constant order "
                "as the context grows, while n is at most of order d.",
                "Curves are means over trials, bands one standard deviation. The dashed line is what a decay as "
                "1/√n would look like. The theorem speaks of n up to the order of d, so it is judged at the largest "
                "d; where n is well above d the curves begin to bend.",
                "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
