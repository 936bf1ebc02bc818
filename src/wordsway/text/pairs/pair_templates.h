// The templates of the built-in pairs (text/pairs/data, a file for each class), and how one of them becomes texts.
//
// A template holds the anchor and its control, with two kinds of marks:
//   {=name}   a word or two of the rule `name` (fillers.txt), the same wherever the template says {=name}
//   <a/b>     a on side 0 and b on side 1; the changed text is the anchor taken from the other side
// so the control says on each side what the anchor says on that side. "a" before a vowel becomes "an" everywhere: what
// follows an article must begin alike on both sides.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/pairs/text_pair.h"

namespace wordsway::pairs {

struct PairTemplate {
  std::string_view domain;  // "support", "banking", "medicine", "operations", "calendar", "shopping", "law" or "film"
  std::string_view anchor;
  std::string_view control;
};

struct PairClass {
  std::string_view name;
  std::vector<PairTemplate> templates;
};

/// The classes of the built-in pairs in their order. Read at the first call, from any thread; throws InternalError when
/// a template names an unknown domain or rule, or has a mark that is not closed.
std::span<const PairClass> pair_classes();

/// Which side the anchor of pair `number` of a class is taken from: the sides take turns from template to template and
/// from one use of a template to the next.
int side_of(std::size_t number, std::size_t templates);

/// A template filled by `writer`, with the anchor taken from `side`; its class and line are left empty.
/// Throws UsageError when a mark is not closed or names no rule.
TextPair fill(const PairTemplate& pair_template, int side, grammar::Writer& writer);

/// The rules that fill the templates: names, things and numbers.
std::span<const grammar::Rule> filler_rules();

}  // namespace wordsway::pairs
