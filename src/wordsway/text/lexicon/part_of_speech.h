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

/// What a verb may take, as bits: "She sees it", "She sleeps", "She tries to sleep", "She says that it works".
namespace verb_takes {
inline constexpr std::uint32_t kObject = 1, kNothing = 2, kInfinitive = 4, kClause = 8;
inline constexpr int kBits = 4;
}  // namespace verb_takes

constexpr std::string_view name_of(PartOfSpeech part) {
  return kPartNames[static_cast<size_t>(part)];
}

}  // namespace wordsway
