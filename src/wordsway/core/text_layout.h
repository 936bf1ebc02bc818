// Texts in lines and columns of characters, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

/// Characters, not bytes.
size_t width_of(std::string_view text);

/// The lines of a text, at most `width` characters each: broken at spaces, and at its own line breaks; a word that is
/// longer than a line is cut. At least one line.
std::vector<std::string> wrapped(std::string_view text, size_t width);

/// Two texts in columns beside each other, each wrapped, within `width` characters.
std::string side_by_side(std::string_view left, std::string_view right, size_t width);

}  // namespace wordsway
