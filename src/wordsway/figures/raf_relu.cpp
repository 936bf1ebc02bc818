// Figure 3 (second panel) of the paper: with ReLU in place of the softmax, attention loses the word.
#include "wordsway/figures/attention_against_length.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"

namespace wordsway {
namespace {

constexpr double kMostExponent = -0.3;

FigureStudy study(const FigureSetting& setting) {
  return attention_against_length(setting, "raf-relu");
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return {line_panel(sensitivity_chart("ReLU attention: the word is lost again", curves_against_n(rows, {"d"})))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows widest = at_largest(rows, "d");
  return {judge_below({"The word sensitivity of attention with ReLU in place of the softmax falls with n.", "Figure 3"},
                      "exponent of S in n", exponent_of(widest), kMostExponent, at_size(widest, "d"))};
}

}  // namespace

void register_raf_relu(FigureRegistry& registry) {
  registry.add("raf-relu",
               {31, "ReLU attention against context length",
                "Figure 3: when the softmax is replaced by a ReLU whose rows are normalised, the word "
                "sensitivity decreases with the context length.",
                "The same data and weights as for the softmax above. Only the exponential lets one token draw the "
                "attention of all the others.",
                "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
