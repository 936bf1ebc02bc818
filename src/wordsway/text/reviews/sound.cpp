#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"instrument",
     "accordion|banjo|bass|bassoon|bells|brass|cello|choir|clarinet|drum|electric guitar|fiddle|flute|harmonica|harp|"
     "harpsichord|horn|mandolin|oboe|organ|percussion|saxophone|string quartet|synthesizer|tuba|viola|whistle|"
     "xylophone"},
    {"music_style",
     "baroque|bluegrass|blues|choral|classical|country|disco|electronic|folk|gospel|hip hop|jazz|Latin|opera|"
     "orchestral|pop|punk|ragtime|reggae|rock|romantic|soul|swing|techno"},
    {"sound",
     "The {music_style} score by {=composer} is {adverb} {adjective}.|A lone {instrument} plays over the {sequence} "
     "scene, and {it_feels} {adjective}.|The dialogue is {adjective}, [full of/made of/mostly] {talk}.|{=composer} "
     "wrote {degree} {adjective} theme for {instrument} and {instrument}.|The soundtrack mixes {music_style} with "
     "{music_style}, which [is/sounds/seems] {adverb} {adjective}.|The sound of {noise} in {setting} is {adjective}.|"
     "Every [other/second] line [about/on] {abstract} sounds {adverb} {adjective}.|The songs are {adjective}, [in "
     "particular/especially] the {music_style} number in {setting}.|The narration by {person} is {adjective} and "
     "[adds/brings] {quality} to {story_part}.|I could [hear/feel] the {instrument} coming [a mile off/before each "
     "kiss/every time], and {it_feels} {adjective}.|The {role} [sings/hums/whistles/recites] a {music_style} tune, "
     "{degree} {adjective} touch.|The jokes are {adverb} {adjective}, [mostly/usually] about {abstract} or a "
     "{object}.|Lines such as the one about the {thing} are {adjective} [even/also] on a second hearing."},
    {"sound_fact",
     "The score is mostly {instrument} and {instrument}, with some {music_style} [near the end/in the middle/for the "
     "credits].|A {music_style} song plays [while/as] the {role} [packs/drives/shaves/reads].|We hear {noise} and "
     "then a {instrument} [for a minute/twice/from far away].|Much of the talk is about {abstract}, {abstract} and a "
     "{object}.|The {neutral_adjective} {role} speaks [Italian/French/Russian/German/Spanish] and plays the "
     "{instrument}."},
    {"noise",
     "rain|footsteps|distant thunder|church bells|a ticking clock|crickets|traffic|a slamming door|gunfire|waves|a "
     "crying baby|wind|applause|broken glass|a steam whistle|barking dogs|typing|a dripping tap"},
    {"talk+",
     "sharp remarks|real wit|things people say|graceful turns of phrase|quiet wisdom|sparkling banter|lines worth "
     "quoting|honest feeling"},
    {"talk-",
     "stale remarks|speeches nobody would make|cheap insults|recycled catchphrases|empty slogans|clumsy exposition|"
     "shouting|forced banter"},
};
// clang-format on

}  // namespace

std::span<const Rule> sound_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
