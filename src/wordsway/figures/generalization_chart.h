// Error against γ after a one-word change: one column of panels for each map and n, fine-tuned models above and
// re-trained ones below. Colours tell training sizes (or penalties) apart, rings are for the align objective and
// crosses for the error one; the line is max(0, 2 − γ)², below which features that barely notice the word cannot get.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/draw/chart.h"

namespace wordsway {

/// `rows` as `wordsway generalize` gives them; failed ones are left out, and the picture says so when none is left.
/// Colours are for `colour_field`, train_size or penalty.
Chart generalization_chart(const std::vector<Record>& rows, const std::string& colour_field = "train_size");

}  // namespace wordsway
