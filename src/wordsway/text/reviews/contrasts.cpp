#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"contrast",
     "I expected {it_short} to be {!adjective}, but {reaction}.|Although {craft_part} is {!adjective}, {story_part} "
     "is {adverb} {adjective}.|{story_part} may be {!adjective}, yet {=lead_last} {carries} the {kind} with "
     "{quality}.|[Friends/Critics/Some people] call {it_short} {!adjective}; i [found/thought/considered] it "
     "{adjective}.|[True/Granted/Admittedly/To be fair], the {sequence} scene is {!adjective}, but {story_part} "
     "{works}.|I wanted to {!feel_verb} {it_short}, and for {while} i did, until {story_part} [began/arrived/took "
     "over] and {reaction}.|It could have been {!adjective} in other hands; here it is {adjective}.|Despite "
     "{!quality} in {craft_part}, the {kind} is {adverb} {adjective}.|{person} is {!adjective} as the {role}, but "
     "{=lead_last} is {adjective} and {story_part} {works}.|Not as {!adjective} as {other_film}, and a more "
     "{adjective} {kind} than i [feared/hoped/was told].|For every {!adjective} minute there are {number} "
     "{adjective} ones.|The {music_style} music is {!adjective}, i admit, while {craft_part} is {adverb} "
     "{adjective}.|On paper a {film_noun} about a {job} sounds {!adjective}; on screen it is {adjective}.|My "
     "{relative} thought it was {!adjective}, [whereas/while] i was left {left_me}.|What starts as {degree} "
     "{!adjective} {kind} turns into {degree} {adjective} one [after {while}/by the end/in the second half].|Neither "
     "{!adjective} nor {!adjective}, it is simply {adjective}.|{craft_part} is {!adjective}; {story_part}, [by "
     "contrast/in contrast/luckily or not], is {adjective}."},
    {"feel_verb+", "love|like|admire|praise|enjoy|defend|cherish"},
    {"feel_verb-", "hate|dislike|dismiss|mock|resent|attack|despise"},
    {"while",
     "ten minutes|half an hour|a while|the first act|an hour or so|a scene or two|twenty minutes|most of the first "
     "reel"},
    {"number", "two|three|four|five|six|ten|twenty|thirty|a dozen"},
    {"hedge",
     "I would not call {story_part} {!adjective}, [exactly/really/as such], but {craft_part} is {adjective}.|"
     "[Maybe/Perhaps] i was [tired/hungry/in a good mood/in a bad mood/distracted], but {story_part} seemed "
     "{adjective}.|It is hard to say why {craft_part} is {adjective} and {story_part} is [so/merely/only] "
     "{!adjective}.|Some will find {it_short} {!adjective}, others {adjective}, and both [have a point/are half "
     "right/may be right].|I am [not sure/still unsure/of two minds] about {story_part}, though {=costar} is "
     "{adjective}.|There is [some/a little/a certain amount of] {!quality} in {story_part}, and [rather more/much "
     "more] {quality}.|Your [mileage/taste/opinion] may vary, since {genre} films about {abstract} are not for "
     "everyone.|It may not be {other_film}, [nor does it try to be/and few films are], but {craft_part} {works}.|I "
     "[suppose/guess/imagine] {story_part} is {adverb} {adjective}, at least for [fans of/people who like] "
     "{music_style} music and {genre} stories.|To some extent {craft_part} is {!adjective}, [as if/almost as though] "
     "somebody else had [shot/cut/lit/planned] it."},
    {"concession",
     "{craft_part} is {!adverb} {!adjective}, i must say.|[Still/Then again/On the other hand], {person} is "
     "{!adjective} as the {neutral_adjective} {role}.|The {sequence} scene in {setting} is {!adjective}, [no "
     "question/without doubt/there is no denying it].|One thing about {story_part}: it has {!quality}.|I did "
     "{!enjoy} the {music_style} [song/number/piece] with the {instrument}.|{=costar}, [sadly or not/for what it is "
     "worth/as usual], is {!adjective} in {=his} few scenes.|Parts of {story_part} are {!adverb} {!adjective}, "
     "[especially/mainly] the bit with the {thing}."},
    {"enjoy+", "enjoy|like|appreciate|love"},
    {"enjoy-", "not enjoy|not like|not care for|hate"},
};
// clang-format on

}  // namespace

std::span<const Rule> contrast_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
