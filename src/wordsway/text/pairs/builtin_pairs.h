// Pairs of texts written by us, so that `pairs` has something to ask about without a file: short everyday sentences
// from eight fields (software support, banking, medicine, operations, calendars, shopping, law, film), made from
// some five hundred templates (text/pairs/data).
//
// In twelve classes one word is exchanged for one other word, and the meaning turns. In the class "neutral" one word is
// exchanged as well, and the meaning stays; in "role-swap" the words stay, and two of them change places. Every pair
// has a control.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/pairs/text_pair.h"

namespace wordsway {

inline constexpr Index kBuiltinPairsPerClass = 200;

/// All built-in pairs, class by class in the order of builtin_pair_classes(), kBuiltinPairsPerClass of each; they have
/// no line. The same on every machine; made at the first call, from any thread.
const std::vector<TextPair>& builtin_pairs();

/// The names of their classes in their order: twelve that turn the meaning, then "neutral" and "role-swap".
std::span<const std::string_view> builtin_pair_classes();

/// The pairs by content: a digest of all their texts and classes.
std::string builtin_pairs_digest();

}  // namespace wordsway
