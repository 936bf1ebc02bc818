// Figure 3 (last panel) of the paper: a token moved as in the proof of Theorem 3 draws all attention to itself.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/figures/attention_study.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/text/reviews/example_texts.h"

namespace wordsway {
namespace {

constexpr double kMostBefore = 0.2, kLeastAfter = 0.8;  // mean attention that the other tokens pay to it

FigureStudy study(const FigureSetting& setting) {
  AttentionStudyConfig config;
  config.transformer = setting.transformer;
  config.tokenizer = setting.tokenizer;
  config.texts = {std::string(kPaperTitle)};
  config.options.head = 0;
  config.options.token = kPaperTitleToken;
  config.options.seed = setting.seed;
  return {std::make_shared<AttentionStudy>(config), {}};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  HeatMap map;
  map.title = "Where the tokens look: first layer, head 0";
  map.row_label = "token";
  map.column_label = "looks at";
  for (const Record& row : rows) {
    const auto pieces = texts_of(row, "pieces");
    map.panels.push_back({"before", pieces, pieces, attention_matrix(row, "attention")});
    map.panels.push_back(
        {fmt::format("token {} moved", row.number("token")), pieces, pieces, attention_matrix(row, "attention_after")});
  }
  return {heat_panel(std::move(map), 560, 560)};
}

// The attention that each other token pays to the token.
std::vector<double> received(const Rows& rows, const std::string& field) {
  std::vector<double> shares;
  for (const Record& row : rows) {
    const Matrix attention = attention_matrix(row, field);
    const Index token = static_cast<Index>(row.number("token"));
    for (Index j = 0; j < attention.rows(); ++j)
      if (j != token && token < attention.cols()) shares.push_back(attention(j, token));
  }
  return shares;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const std::string place = "proof of Theorem 3, Figure 3";
  return {judge_below({"In the model's first layer a token of the paper's title gets a small part of the others' "
                       "attention before it moves.",
                       place},
                      "mean attention from the others", mean_of(received(rows, "attention")), kMostBefore, ""),
          judge_above({"In the model's first layer one move of length √d draws the attention of all other tokens of "
                       "the paper's title to the token that moves.",
                       place},
                      "mean attention from the others", mean_of(received(rows, "attention_after")), kLeastAfter, "")};
}

}  // namespace

void register_attract(FigureRegistry& registry) {
  registry.add(
      "attract",
      {33, "One token draws all attention to itself",
       "The proof of Theorem 3 moves a token so that its score with every query grows equally; the softmax then "
       "gives it all the attention. Figure 3 shows it for head 0 of the first layer on the paper's title.",
       "Token 6 moves by √d along the least-squares direction that raises the first layer's scores on it, in all "
       "heads at once. Every other row turns to it.",
       "the paper's title, through the model", study, panels, verdicts});
}

}  // namespace wordsway
