#include "wordsway/text/pairs/pair_templates.h"

#include <array>

namespace wordsway::pairs {

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
  return {.anchor = grammar::finish_text(grammar::take_side(anchor, side)),
          .changed = grammar::finish_text(grammar::take_side(anchor, 1 - side)),
          .control = grammar::finish_text(grammar::take_side(control, side))};
}

}  // namespace wordsway::pairs
