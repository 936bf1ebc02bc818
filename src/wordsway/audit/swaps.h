// Which words of a text can be swapped without leaving a similarity, and which of these swaps do harm.
//
// A swap does harm if somebody may write it and means something else: its word is likely in the place, or similar in
// use to the replaced word, but its meaning differs. With both words embedded by themselves,
//
//   harm = fits · (1 − cosine of the two words)
//
// fits is 1 for two numbers and for two names of one group, else the larger one of √plausibility and likeness.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wordsway/audit/substitute.h"

namespace wordsway {

struct Swap {
  Substitution substitution;
  double alone;  // cosine of the two words by themselves, each a text of one word with the prompt
  double harm;
};

struct WordSwaps {
  size_t word = 0;          // its index in the text's words
  std::vector<Swap> swaps;  // the most harmful one first
  Index evaluated = 0;      // how many substitutions there were
};

/// The substitutions whose texts are still similar: their cosine is at least `threshold`. The word with the most
/// harmful swap comes first, words without any swap last. The output of `text` must be a pooled vector.
std::vector<WordSwaps> swaps_within(double threshold, const Model& model, const ChangedText& text,
                                    std::span<const WordSubstitutions> found, const std::string& prompt);

}  // namespace wordsway
