// Error against γ after a one-word change: one column of panels for each map and n, fine-tuned models above and
// re-trained ones below. Colours tell training sizes (or penalties) apart, circles are for the align objective and
// crosses for the error one; the line is max(0, 2 − γ)², below which no features can come that barely notice the word.
#pragma once

#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/gnuplot.h"

namespace wordsway {

/// `rows` as `wordsway generalize` gives them; failed ones are left out, and the picture says so when none is left. The
/// canvas is made as large as the panels need. Colours are for `colour_field`, train_size or penalty. Throws what
/// run_gnuplot throws.
void write_generalization_chart(const std::vector<Record>& rows, const Canvas& canvas,
                                const std::string& colour_field = "train_size");

}  // namespace wordsway
