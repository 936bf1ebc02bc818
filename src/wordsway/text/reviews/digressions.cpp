#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"digression",
     "[Incidentally/By the way/As an aside], my {relative} once worked as a {job} in {place}.|I {watched} it while "
     "eating {food}, and my {pet} [slept/snored/sat/sulked] on the {furniture}.|{place} has changed since {era}, and "
     "so have {genre} films.|The {kind} was released in {month}, the same {season} as {other_film}.|I have a "
     "{object} like the one in the film, [bought/found/inherited] in {place}.|[Years ago/As a child/In school] i "
     "wanted to be a {job}, or [failing that/else/possibly] a {job}.|{=director} also made {other_film}, which i "
     "{watched} {when} on {medium}.|According to the [booklet/credits/commentary/interview on the disc], "
     "{=lead_last} learned to play the {instrument} for this.|The theatre smelled of {food}, and a {job} in the next "
     "row kept [talking/coughing/texting/humming].|There is a {music_style} festival in {place} every {month}, where "
     "i met {company}.|The novel by {person} has a {job} instead of a {job}, and it ends in {place}.|My {pet} is "
     "called {hero_name}, after the {job} in {other_film}.|If you ever visit {place}, the {landmark} from the film "
     "is [next to/behind/opposite] the {landmark}.|It rained {when}, the {appliance} was broken, and we had {food} "
     "for dinner.|I should mention that i am a {neutral_adjective} {job} and [collect/repair/draw/photograph] "
     "{collection}.|{person} turned down the part of the {job} [to make/in favor of/because of] {other_film}.|The "
     "[budget/shoot/premiere] was in {place}, if the {month} issue of the magazine is [right/correct/to be "
     "believed].|My {relative} prefers {sport}, and my {relative} only watches programs about {collection}.|"
     "[Note/Remember] that the {medium_plain} version is {minutes} minutes long and has no {instrument} in it."},
    {"food",
     "popcorn|cold pizza|noodles|lentil soup|an apple|chocolate|ice cream|peanuts|a cheese sandwich|cereal|pancakes|"
     "pickles|rice pudding|fried chicken|onion rings|a banana|toast and jam|meatballs|tomato salad|leftover curry|"
     "ginger cookies|grilled fish|mushroom pie|strawberries|scrambled eggs|licorice"},
    {"pet", "cat|dog|parrot|rabbit|hamster|turtle|canary|goldfish|puppy|kitten|lizard|goat|pony|guinea pig"},
    {"furniture",
     "armchair|sofa|carpet|bookshelf|cushion|keyboard|windowsill|remote control|staircase|radiator|mattress|piano "
     "stool|hammock|laundry basket"},
    {"month", "January|February|March|April|May|June|July|August|September|October|November|December"},
    {"landmark",
     "bakery|bank|barracks|brewery|bus stop|canal|chapel|clock tower|courthouse|dock|embankment|ferry|florist|"
     "fountain|gasworks|market|mill|pharmacy|pier|post office|quarry|racetrack|railway bridge|school|stadium|"
     "synagogue|town hall|university|waterfall|windmill|zoo"},
    {"appliance",
     "heating|dishwasher|elevator|toaster|doorbell|oven|printer|refrigerator|washing machine|antenna|lawn mower|air "
     "conditioning"},
    {"collection",
     "stamps|old maps|butterflies|bottle caps|steam engines|ship models|postage scales|comic books|bus tickets|tin "
     "toys|minerals|orchids|vinyl records|clocks|antique spoons|fossils|mushrooms|lamps|matchboxes|beetles|chess "
     "sets|barometers|teapots"},
    {"sport",
     "baseball|basketball|bowling|boxing|chess|cricket|cycling|fencing|football|golf|gymnastics|hockey|ice skating|"
     "rowing|rugby|sailing|skiing|snooker|surfing|swimming|tennis|volleyball|wrestling"},
    {"medium_plain", "DVD|television|cinema|airline|European|American|restored|Japanese|festival|silent"},
};
// clang-format on

}  // namespace

std::span<const Rule> digression_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
