// The words a model expects in place of masks.
#pragma once

#include <string>
#include <vector>

#include "wordsway/audit/model.h"

namespace wordsway {

struct ExpectedWord {
  Index token;  // of the mask
  int id;
  std::string piece;
  double probability;
};

/// The `top` most likely words at every mask of the text, masks in order, the likeliest first. Throws DataError when
/// the model predicts no words, UsageError when the text has no mask.
std::vector<ExpectedWord> fill_masks(const Model& model, const Encoding& encoding, Index top);

}  // namespace wordsway
