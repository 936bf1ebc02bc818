// The pooled vector of a text, by the model's own sentence chain or by another one.
#pragma once

#include "wordsway/model/readout.h"
#include "wordsway/model/sentence_chain.h"

namespace wordsway {

/// Pools by `chain` instead of the model's own chain.
std::shared_ptr<const Readout> pooled_readout(SentenceChain chain);

}  // namespace wordsway
