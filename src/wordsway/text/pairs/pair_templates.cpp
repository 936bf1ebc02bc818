#include "wordsway/text/pairs/pair_templates.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/text/tables/tables.h"

namespace wordsway::pairs {
namespace {

constexpr std::string_view kClasses[] = {"negation",   "antonym",    "state",   "number",    "unit",
                                         "quantifier", "comparison", "time",    "direction", "modality",
                                         "entity",     "condition",  "neutral", "role-swap"};
constexpr std::string_view kDomains[] = {"support",  "banking",  "medicine", "operations",
                                         "calendar", "shopping", "law",      "film"};

// What is wrong with a text of a template, or nothing.
std::string fault_in(std::string_view text) {
  try {
    grammar::take_side(text, 0);
  } catch (const UsageError& error) {
    return error.what();
  }
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos || text.substr(open, 2) != "{=") return "expected {=name}";
    const std::string_view name = text.substr(open + 2, close - open - 2);
    if (std::ranges::find(filler_rules(), name, &grammar::Rule::name) == filler_rules().end())
      return fmt::format("fillers.txt has no rule '{}'", name);
  }
  return {};
}

std::vector<PairTemplate> read_templates(std::string_view class_name) {
  const std::string file = fmt::format("pairs/{}.tsv", class_name);
  std::vector<PairTemplate> templates;
  for (const tables::Row& row : tables::rows_of(file, {"domain", "anchor", "control"})) {
    if (std::ranges::find(kDomains, row[0]) == std::end(kDomains))
      tables::refuse_table(file, row[1], fmt::format("unknown domain '{}'", row[0]));
    for (const std::string_view text : {row[1], row[2]})
      if (const std::string fault = fault_in(text); !fault.empty()) tables::refuse_table(file, text, fault);
    templates.push_back({row[0], row[1], row[2]});
  }
  return templates;
}

}  // namespace

std::span<const PairClass> pair_classes() {
  static const std::vector<PairClass> classes = [] {
    std::vector<PairClass> all;
    for (const std::string_view name : kClasses) all.push_back({name, read_templates(name)});
    return all;
  }();
  return classes;
}

std::span<const grammar::Rule> filler_rules() {
  static const tables::RuleTable table("pairs/fillers.txt");
  return table.rules();
}

int side_of(std::size_t number, std::size_t templates) {
  return static_cast<int>((number % templates + number / templates) % 2);
}

TextPair fill(const PairTemplate& pair_template, int side, grammar::Writer& writer) {
  constexpr int kPolarity = 1;  // the fillers have one polarity only
  const std::string anchor = writer.expand(pair_template.anchor, kPolarity);
  const std::string control = writer.expand(pair_template.control, kPolarity);
  return {.anchor = grammar::finish_text(grammar::take_side(anchor, side)),
          .changed = grammar::finish_text(grammar::take_side(anchor, 1 - side)),
          .control = grammar::finish_text(grammar::take_side(control, side))};
}

}  // namespace wordsway::pairs
