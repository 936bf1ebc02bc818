// The paper's choice of texts: short ones, as many of each label, in an order that a seed decides.
#pragma once

#include <optional>
#include <vector>

#include "wordsway/random/stream.h"
#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

struct SelectionOptions {
  Index max_tokens = 240;           // texts have fewer tokens than this, special tokens included ...
  bool special_tokens = true;       // ... unless this is false
  std::optional<Index> count = {};  // how many texts; all that fit when not given
  bool balanced = true;             // equally many of each label; texts without a label are left out
};

/// Walks through the corpus in an order drawn from `stream` and takes what fits until it has enough. The result does
/// not depend on the number of threads. With an odd count the smaller label gets the extra text. Throws DataError when
/// there are too few, saying how many there are; UsageError on a count that is not positive.
std::vector<LabelledText> select_texts(const std::vector<LabelledText>& corpus, const Tokenizer& tokenizer,
                                       const Stream& stream, const SelectionOptions& options = {});

}  // namespace wordsway
