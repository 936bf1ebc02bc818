// Figure 4 of the paper: can a model learn that one changed word flips the label? Error against γ.
#include <algorithm>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/learning_rows.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/generalize_study.h"

namespace wordsway {
namespace {

constexpr double kLeastUnseen = 1.85;  // √error + γ of random features; theory says 2 less a term of order 1/√n
constexpr double kMostUnseen = 1.75;   // of softmax attention, clearly below; for the best move of each simulation
constexpr double kLeastLead = 0.1;     // of alignments, which lie between 1 (nothing changed) and -1 (turned around)

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  GeneralizeConfig config = generalize_config(setting);
  config.d = {sizes.values.back()};
  config.training_sizes = setting.by_profile<std::vector<Index>>({50}, {100, 300}, {100, 700, 1300});
  config.trials = setting.by_profile<Index>(3, 4, 10);
  config.data = labels_of(setting);
  // The weights of random features grow with n², so one length stands for all; theory says the same of each.
  config.maps = {"rf"};
  config.n = {40};
  config.d = {setting.by_profile<Index>(sizes.values.front(), sizes.values.back(), sizes.values.back())};
  auto random = std::make_shared<GeneralizeStudy>(config);
  config.maps = {"raf", "raf-relu"};
  config.n = {40, 120};
  config.d = {sizes.values.back()};
  auto attention = std::make_shared<GeneralizeStudy>(config);
  std::vector<StudyPart> parts = {{"random features", random}, {"attention", attention}};
  return {std::make_shared<JoinedStudy>("family", std::move(parts)), sizes.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return learning_panels(rows, "train_size");
}

// The best move of each simulation, over all trainings and objectives.
std::vector<double> best_moves(const Rows& rows) {
  std::vector<double> best;
  for (const double size : distinct_numbers(rows, "train_size"))
    for (const double trial : distinct_numbers(rows, "trial")) {
      const auto all = unseen(rows_where(rows_where(rows, "train_size", size), "trial", trial));
      if (!all.empty()) best.push_back(*std::min_element(all.begin(), all.end()));
    }
  return best;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows rf = rows_where(rows, "map", "rf"), raf = at_largest(rows_where(rows, "map", "raf"), "n");
  const Rows align = rows_where(rows, "objective", "align"), relu = rows_where(align, "map", "raf-relu");
  const auto alignments = [](const Rows& some) { return numbers_of(some, "alignment"); };
  return {
      judge_above({"On random features no move of one word is learnt: √error + γ ≥ 2 up to a small term.",
                   "Theorems 4 and 5, Figure 4"},
                  "smallest √error + γ", least_unseen(rf), kLeastUnseen, at_size(rf, "n")),
      judge_below({"On softmax attention there are moves of one word that are learnt: √error + γ lies well below 2.",
                   "Figure 4"},
                  "mean over simulations of the smallest √error + γ", mean_of(best_moves(raf)), kMostUnseen,
                  at_size(raf, "n")),
      judge_below({"The best move of one word turns the features of softmax attention further from themselves than "
                   "those of ReLU attention.",
                   "Figure 4"},
                  "mean alignment of raf less that of raf-relu",
                  difference_of(alignments(rows_where(raf, "objective", "align")), alignments(at_largest(relu, "n"))),
                  -kLeastLead, at_size(raf, "n")),
      judge_above({"ReLU attention loses the word as the text grows: the best move turns its features less in long "
                   "texts than in short ones.",
                   "Figure 4"},
                  "mean alignment of raf-relu in long texts less that in short ones",
                  difference_of(alignments(at_largest(relu, "n")), alignments(at_smallest(relu, "n"))), kLeastLead,
                  "")};
}

}  // namespace

void register_generalization(FigureRegistry& registry) {
  registry.add(
      "generalization",
      {40, "Learning that one word flips the label",
       "Theorems 4 and 5 and Figure 4: a model on random features cannot learn, from one sample, that a changed word "
       "flips "
       "the "
       "label: √error + γ stays at 2 whatever the change. On softmax attention it can; with ReLU it fails as n grows.",
       "γ says how much the old model noticed the word, error how wrong the new one is about the flipped label. "
       "Nothing "
       "below the dashed curve max(0, 2 − γ)² can come from features that do not see the word. Circles are moves "
       "chosen "
       "by the features alone, crosses moves chosen for their error. Crosses at γ = 2 show nothing: the old model "
       "flips "
       "there already; moves with γ above 4 are drawn at the right edge. The next figure asks for small γ.",
       "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
