// Shared by the figures on learning a one-word change.
#pragma once

#include "wordsway/figures/figure_registry.h"
#include "wordsway/figures/judge.h"

namespace wordsway {

/// √error + γ of every row: near 2 or above if the word goes unnoticed, and near 0 if the model learns that it flips
/// the label although the old model did not notice it.
std::vector<double> unseen(const Rows& rows);

/// The smallest of them, without an interval: "for every Δ" allows no exception.
Interval least_unseen(const Rows& rows);

/// One panel for each map: error against γ, a column for each n, fine-tuned above and re-trained below.
std::vector<FigurePanel> learning_panels(const Rows& rows, const std::string& colour_field);

}  // namespace wordsway
