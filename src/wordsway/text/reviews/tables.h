// The tables of the reviews' grammar (text/reviews/data). Rules whose names end in + or - are for praise or blame; all
// others serve both.
#pragma once

#include <span>
#include <vector>

#include "wordsway/text/grammar/grammar.h"

namespace wordsway::reviews {

/// The tables that say nothing for or against a film: names, film, plot, acting, scenes, craft, sound and digressions.
/// Read at the first call, from any thread.
std::span<const std::span<const grammar::Rule>> neutral_tables();
/// All tables: those, and opinions, verdicts and contrasts.
std::span<const std::span<const grammar::Rule>> all_tables();

}  // namespace wordsway::reviews
