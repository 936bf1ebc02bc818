#include "wordsway/text/pairs/pair_templates.h"

#include <array>

#include "wordsway/core/error.h"

namespace wordsway::pairs {
namespace {

// Every <a/b> becomes a on side 0 and b on side 1.
std::string take_side(std::string_view text, int side) {
  std::string taken;
  while (!text.empty()) {
    const std::size_t open = text.find('<');
    taken += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t slash = text.find('/', open), close = text.find('>', open);
    if (close == std::string_view::npos || slash > close) {
      throw UsageError("pair template: '<' without '/' and '>' in '" + std::string(text) + "'");
    }
    taken += side == 0 ? text.substr(open + 1, slash - open - 1) : text.substr(slash + 1, close - slash - 1);
    text.remove_prefix(close + 1);
  }
  return taken;
}

}  // namespace

std::span<const PairClass> pair_classes() {
  static const std::array classes{PairClass{"negation", negation_templates()},
                                  PairClass{"antonym", antonym_templates()},
                                  PairClass{"state", state_templates()},
                                  PairClass{"number", number_templates()},
                                  PairClass{"unit", unit_templates()},
                                  PairClass{"quantifier", quantifier_templates()},
                                  PairClass{"comparison", comparison_templates()},
                                  PairClass{"time", time_templates()},
                                  PairClass{"direction", direction_templates()},
                                  PairClass{"modality", modality_templates()},
                                  PairClass{"entity", entity_templates()},
                                  PairClass{"condition", condition_templates()},
                                  PairClass{"neutral", neutral_templates()},
                                  PairClass{"role-swap", role_swap_templates()}};
  return classes;
}

int side_of(std::size_t number, std::size_t templates) {
  return static_cast<int>((number % templates + number / templates) % 2);
}

TextPair fill(const PairTemplate& pair_template, int side, grammar::Writer& writer) {
  constexpr int kPolarity = 1;  // the fillers have one polarity only
  const std::string anchor = writer.expand(pair_template.anchor, kPolarity);
  const std::string control = writer.expand(pair_template.control, kPolarity);
  return {.anchor = grammar::finish_text(take_side(anchor, side)),
          .changed = grammar::finish_text(take_side(anchor, 1 - side)),
          .control = grammar::finish_text(take_side(control, side))};
}

}  // namespace wordsway::pairs
