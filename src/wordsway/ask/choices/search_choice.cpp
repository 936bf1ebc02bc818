#include "wordsway/ask/choices/search_choice.h"

namespace wordsway {

void SeedChoice::describe(Fields<SeedChoice>& fields, const std::string& help) {
  // Whole numbers in a journal have 64 bits with a sign.
  fields.whole("seed", &SeedChoice::seed, {0, 9223372036854775807.0}, help);
}

void SearchChoice::describe(Fields<SearchChoice>& fields, const Defaults& defaults) {
  fields.include(&SearchChoice::seed);
  auto trials = fields.whole("trials", &SearchChoice::trials, {1, 100'000'000},
                             "Independent draws of data and weights for each point");
  trials.by_default(defaults.trials).page_takes({1, 100});
  if (defaults.trials.empty()) trials.hidden();
  fields
      .whole("starts", &SearchChoice::starts, {1, 100'000},
             "Searches for each token, from different directions; the best one counts")
      .by_default(defaults.starts)
      .page_takes({1, 100});
  fields.whole("steps", &SearchChoice::steps, {1, 100'000'000}, "Most iterations of one search")
      .page_takes({1, 10'000});
  fields
      .number("tolerance", &SearchChoice::tolerance, {0, 1},
              "A search stops when an iteration gains less than this, relatively")
      .by_default(defaults.tolerance);
}

void RadiusChoice::describe(Fields<RadiusChoice>& fields) {
  fields.number("radius", &RadiusChoice::radius, {0, kLargestRadius},
                "How far the token moves, in the unit of --radius-unit");
  fields.choice("radius_unit", &RadiusChoice::radius_unit, {"sqrt-d", "token-norm", "abs"},
                "What the radius is measured in: sqrt-d, token-norm or abs");
}

}  // namespace wordsway
