// The templates of the built-in pairs, by class, and how one of them becomes texts.
//
// A template holds the anchor and its control, with two kinds of marks:
//   {=name}   a word or two of the rule `name` (fillers.cpp), the same wherever the template says {=name}
//   <a/b>     a on side 0 and b on side 1; the changed text is the anchor taken from the other side
// so the control says on each side what the anchor says on that side. "a" before a vowel becomes "an" everywhere: what
// follows an article must begin alike on both sides.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

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
  std::span<const PairTemplate> templates;
};

/// The classes of the built-in pairs in their order.
std::span<const PairClass> pair_classes();

/// Which side the anchor of pair `number` of a class is taken from: the sides take turns from template to template and
/// from one use of a template to the next.
int side_of(std::size_t number, std::size_t templates);

/// A template filled by `writer`, with the anchor taken from `side`; its class and line are left empty.
/// Throws UsageError when a mark is not closed or names no rule.
TextPair fill(const PairTemplate& pair_template, int side, grammar::Writer& writer);

std::span<const grammar::Rule> filler_rules();  // names, things and numbers

std::span<const PairTemplate> negation_templates();
std::span<const PairTemplate> antonym_templates();
std::span<const PairTemplate> state_templates();
std::span<const PairTemplate> number_templates();
std::span<const PairTemplate> unit_templates();
std::span<const PairTemplate> quantifier_templates();
std::span<const PairTemplate> comparison_templates();
std::span<const PairTemplate> time_templates();
std::span<const PairTemplate> direction_templates();
std::span<const PairTemplate> modality_templates();
std::span<const PairTemplate> entity_templates();
std::span<const PairTemplate> condition_templates();
std::span<const PairTemplate> neutral_templates();
std::span<const PairTemplate> role_swap_templates();

}  // namespace wordsway::pairs
