// Which words two texts do not share.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

/// [begin, end) in bytes of a text.
using TextPlace = std::array<size_t, 2>;

/// Words stand between white space; punctuation around them does not belong to them. What is left out of the longest
/// common sequence of words differs.
struct WordDiff {
  std::vector<TextPlace> in_first, in_second;  // words that the other text does not have there, in order
};

WordDiff word_diff(std::string_view first, std::string_view second);

/// The words themselves: those of the first text, then those of the second.
std::vector<std::string> changed_words(std::string_view first, std::string_view second);

}  // namespace wordsway
