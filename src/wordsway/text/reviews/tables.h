// The tables of the reviews' grammar, by theme. Rules are described in text/grammar/grammar.h; rules whose name ends in
// + or - are for praise or blame, all others serve both.
#pragma once

#include <span>

#include "wordsway/text/grammar/grammar.h"

namespace wordsway::reviews {

using grammar::Rule;

std::span<const Rule> name_rules();        // people, places, film titles
std::span<const Rule> film_rules();        // genres, periods, kinds of film, openings
std::span<const Rule> plot_rules();        // premises and what is thought of them
std::span<const Rule> acting_rules();      // players and characters
std::span<const Rule> scene_rules();       // single scenes and objects in them
std::span<const Rule> craft_rules();       // pictures, sets, effects, editing, pace
std::span<const Rule> sound_rules();       // music, dialogue, noise
std::span<const Rule> opinion_rules();     // words of praise and blame
std::span<const Rule> contrast_rules();    // hedges, turns and concessions
std::span<const Rule> digression_rules();  // what reviewers talk about besides the film
std::span<const Rule> verdict_rules();     // closing sentences

}  // namespace wordsway::reviews
