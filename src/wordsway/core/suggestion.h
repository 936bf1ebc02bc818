// The end of a message about a name that does not exist: which names there are, and which one was probably meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wordsway {

/// The least number of changes that make `a` into `b`: one letter added, left out or replaced, or two neighbours
/// exchanged. Bytes count as letters.
size_t edit_distance(std::string_view a, std::string_view b);

/// The name that `given` was probably meant to be: the closest one when at most a third of its letters differ, else the
/// only one that begins with `given` (three letters or more). Nothing when no name is close; the first of several that
/// are equally close. Capital letters count as small ones.
std::optional<std::string> closest_name(std::string_view given, std::span<const std::string> names);

/// "; did you mean 'raf'?", or nothing.
std::string suggestion(std::string_view given, std::span<const std::string> names);

/// "a", "a or b", "a, b or c", with the given word before the last name.
std::string enumerate(std::span<const std::string> names, std::string_view word);

/// "unknown map 'rafe'; there are: raf, rf; did you mean 'raf'?"
std::string unknown_name(std::string_view kind, std::string_view given, std::span<const std::string> names);

}  // namespace wordsway
