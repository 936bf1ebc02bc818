// Nouns, verbs, adjectives and adverbs: the words of which a language has thousands.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wordsway {

enum class PartOfSpeech : std::uint8_t { kNoun, kVerb, kAdjective, kAdverb };

inline constexpr std::array kPartsOfSpeech = {PartOfSpeech::kNoun, PartOfSpeech::kVerb, PartOfSpeech::kAdjective,
                                              PartOfSpeech::kAdverb};
inline constexpr std::array<std::string_view, 4> kPartNames = {"noun", "verb", "adjective", "adverb"};

constexpr std::string_view name_of(PartOfSpeech part) {
  return kPartNames[static_cast<size_t>(part)];
}

}  // namespace wordsway
