// Samples made of the built-in film reviews (text/reviews/builtin_reviews.h): `--data builtin`. There is no end to
// them: every trial has reviews of its own. A review is written long and cut to its first n tokens, special tokens
// included, so a trial has the same text at every n and d. Words that replace a token are the other tokens of the
// reviews.
#pragma once

#include <cstdint>
#include <memory>

#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/model/transformer.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Named "builtin", as are results, when the model that reads them is; "builtin through NAME" otherwise.
std::shared_ptr<const DataSource> review_source(std::shared_ptr<const Transformer> transformer,
                                                std::shared_ptr<const Tokenizer> tokenizer, std::uint64_t seed);

/// The labels are those of the reviews; they alternate within a training set, and the new sample's is a coin.
std::shared_ptr<const LabelledSource> labelled_review_source(std::shared_ptr<const Transformer> transformer,
                                                             std::shared_ptr<const Tokenizer> tokenizer,
                                                             std::uint64_t seed);

}  // namespace wordsway
