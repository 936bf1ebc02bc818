#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"object",
     "accordion|ambulance|axe|bathtub|bible|bicycle|blanket|boat|bottle|bracelet|briefcase|camera|candle|cannon|"
     "carpet|cigarette|clock|coffin|coin|crown|dagger|diary|doll|elevator|envelope|film reel|flag|flashlight|"
     "fountain|fur coat|guitar|gun|hammer|handkerchief|helicopter|helmet|horse|jewel|jukebox|kettle|key|kite|knife|"
     "lamp|ledger|letter|lottery ticket|machine|map|medal|microphone|mirror|motorcycle|necklace|newspaper|notebook|"
     "oil painting|overcoat|parachute|passport|pearl|photograph|piano|pistol|postcard|puppet|radio|rifle|ring|robot|"
     "rope|saddle|scarf|sewing machine|shovel|skeleton|statue|suitcase|telegram|telephone|telescope|tractor|treasure "
     "chest|trumpet|truck|typewriter|umbrella|vase|violin|wallet|wheelchair|wristwatch"},
    {"sequence",
     "chase|duel|dream|dinner|dance|courtroom|funeral|wedding|escape|interrogation|ambush|card game|bathroom|"
     "farewell|flashback|kiss|love|magic show|poker|rescue|riot|robbery|rooftop|shower|staircase|storm|sword fight|"
     "tavern|torture|training|underwater|breakfast|airport|ballroom|confession|hospital|hunting|kitchen|car wash|"
     "barn|cemetery|harbor|carnival"},
    {"scene",
     "The {sequence} scene with the {thing} is {adverb} {adjective}.|There is {degree} {adjective} {sequence} "
     "sequence [in/inside/outside/near] {setting}, and {audience} {cared}.|In one scene, the {role} "
     "[throws/hands/shows/sells/gives] a {object} to the {kin}, and {it_feels} {adjective}.|My [favorite/least "
     "favorite/companion's favorite] moment involves a {object}, a {neutral_adjective} {job} and {setting}; it is "
     "{adjective}.|Watch [for/out for/closely] the {sequence} scene, which {=director} [shot/staged/filmed] with "
     "{quality}.|The image of a {job} [holding/carrying/burning/polishing/dropping] a {object} is {adverb} "
     "{adjective}.|After the {sequence} scene, {story_part} {works}, and {audience} {cared}.|A long {sequence} "
     "sequence set in {setting} [proves/turns out/remains] {adjective}.|When the {thing} "
     "[falls/breaks/explodes/rings/disappears], the {kind} becomes {adverb} {adjective}.|{=director} films {setting} "
     "and a single {object} as if they were {adjective}.|[One/Another] {sequence} scene, shot in {place}, has "
     "{quality} and {degree} {adjective} {object}.|The business with the {thing} in {setting} [struck/impressed/hit] "
     "me as {adjective}.|Two {extra} and a {object} are enough for {degree} {adjective} {sequence} scene.|The "
     "{sequence} finale [on a bridge/at sea/in the snow/in the rain/at dawn/under a full moon] is {adjective} and "
     "{done}.|A joke about a {object} and a {job} [lands/arrives/is told] with {quality}.|Before the {sequence} "
     "scene ends, {audience} {cared} because of a {object}, of all things."},
    {"scene_fact",
     "In the {sequence} scene a {job} [drops/hides/finds/repairs/wraps] a {object} [beside/behind/under] a {object}.|"
     "The camera [follows/leaves/circles] a {neutral_adjective} {job} through {setting} to a {object}.|There is a "
     "{sequence} scene in {setting} with a {object} and two {extra}.|A {object} [appears/turns up/returns] three "
     "times, once in {setting} and twice in {place}.|The {extra} carry a {object} across {setting} while the {role} "
     "[sleeps/waits/counts money/sings].|Later a {neutral_adjective} {relative} [opens/closes/locks/paints] the "
     "{thing} in {setting}.|At {clock}, the {role} [buys/sells/loses/burns] a {object} and takes the "
     "[bus/ferry/train/tram] to {place}.|The {kind} opens on a {object} in {setting}, [near/outside/north of/far "
     "from] {place}."},
    {"clock", "noon|midnight|dawn|dusk|five in the morning|tea time|sunset|closing time|half past nine|lunch"},
};
// clang-format on

}  // namespace

std::span<const Rule> scene_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
