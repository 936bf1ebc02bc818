// The table of words that the build makes of WordNet and puts into the library.
#pragma once

#include <cstddef>
#include <span>

namespace wordsway {

std::span<const std::byte> lexicon_bytes();

}  // namespace wordsway
