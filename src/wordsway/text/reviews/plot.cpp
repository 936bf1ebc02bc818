#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"role", "{=hero_job}|{=hero_job}|{=second_job}|{=third_job}|{job}"},
    {"hero_job", "{job}"},
    {"second_job", "{job}"},
    {"third_job", "{job}"},
    {"kin", "{=first_kin}|{=second_kin}|{relative}"},
    {"first_kin", "{relative}"},
    {"second_kin", "{relative}"},
    {"thing", "{=first_thing}|{=second_thing}|{object}"},
    {"first_thing", "{object}"},
    {"second_thing", "{object}"},
    {"job",
     "accountant|acrobat|architect|astronaut|baker|banker|barber|bartender|biologist|blacksmith|bodyguard|boxer|"
     "butcher|butler|captain|carpenter|chauffeur|chemist|clerk|clown|colonel|con artist|cook|cowboy|dancer|dentist|"
     "detective|diplomat|doctor|engineer|farmer|fisherman|gambler|gardener|general|governess|hacker|hitman|"
     "housekeeper|inspector|janitor|journalist|judge|kidnapper|lawyer|librarian|lieutenant|magician|mechanic|"
     "millionaire|miner|musician|nun|nurse|officer|orphan|philosopher|photographer|pianist|pilot|plumber|poet|priest|"
     "prince|princess|prisoner|professor|psychiatrist|reporter|salesman|scientist|sculptor|secretary|senator|"
     "sergeant|sheriff|shopkeeper|smuggler|sorcerer|student|surgeon|tailor|taxi driver|teacher|thief|translator|"
     "undertaker|waitress|watchmaker|widow|writer"},
    {"neutral_adjective",
     "aging|American|anonymous|bald|bearded|blind|blond|British|Catholic|Chinese|deaf|disgraced|divorced|elderly|"
     "exiled|foreign|former|French|German|homeless|idle|immigrant|Irish|Italian|Japanese|jealous|lonely|married|"
     "masked|middle-aged|modern|modest|mute|mysterious|nameless|nervous|obscure|ordinary|stubborn|curious|cautious|"
     "absent-minded|proud|bookish|orphaned|penniless|polite|provincial|rebellious|reclusive|religious|retired|rich|"
     "rural|Russian|Scottish|shy|silent|single|skeptical|small-town|Spanish|suburban|superstitious|Swedish|talkative|"
     "tall|teenage|unemployed|unlucky|wealthy|weary|widowed|young"},
    {"goal",
     "bury {his_own} father|catch a killer|clear {his_own} name|collect a debt|cross the border|deliver a {object}|"
     "escape from {place}|expose a senator|find a missing {job}|forget the war|guard a {object}|hide a body|inherit "
     "a castle|learn to dance|marry a {job}|pay off a gambling debt|prove a theory|raise a stolen child|rescue a "
     "{job}|return a {object}|rob a casino|save the family farm|sell a cursed {object}|solve a murder|start over in "
     "{place}|steal a {object}|stop a war|survive the winter|win a boxing match|write one last novel|reach {place} "
     "before dawn|repair an old {object}|protect a witness|confess to a crime|open a restaurant|smuggle a {object} "
     "into {place}"},
    {"his_own", "{=his}"},
    {"obstacle",
     "a {neutral_adjective} {job}|a corrupt {job}|the {role} next door|an old flame from {place}|a storm at sea|"
     "{=his} own {relative}|a gang of smugglers|the secret police|a broken {object}|a jealous {relative}|a pack of "
     "wolves|an army of lawyers|a rival {job}|a mistaken identity|the plague|a {job} with a grudge|a curse from "
     "{era}|the weather"},
    {"relative",
     "aunt|brother|cousin|daughter|father|godfather|grandfather|husband|mother|nephew|niece|sister|son|stepmother|"
     "twin|uncle|wife"},
    {"premise",
     "The story [follows/concerns/is about] a {neutral_adjective} {=hero_job} who wants to {goal} [but/and/until "
     "{=he}] meets {obstacle}.|{=lead} plays a {neutral_adjective} {=hero_job} who must {goal} while {obstacle} "
     "[waits/closes in/interferes].|{=hero_name}, a {neutral_adjective} {=second_job} from {place}, is asked to "
     "{goal}.|Somewhere between {place} and {place}, a {job} and a {neutral_adjective} {job} decide to {goal}.|The "
     "[first/opening/second] half takes place in {setting}, where a {job} tries to {goal}.|Then {obstacle} turns up, "
     "and the {role} has to {goal} [after all/instead/alone/by morning].|A {neutral_adjective} {relative} dies in "
     "{place} and leaves behind a {object}, which a {job} [tries to/must/hopes to] sell.|Years later, in {place}, "
     "{=hero_name} works as a {=third_job} and [still/never] talks about {abstract}.|By the middle, a "
     "{neutral_adjective} {job} has learned to {goal}, and {obstacle} has other plans.|It is {season} in {place}, "
     "and {=hero_name} shares {setting} with a {neutral_adjective} {job}.|Most of the plot turns on a {=first_thing} "
     "hidden in {setting} by a {neutral_adjective} {job}.|In the end {=hero_name} must choose between {abstract} and "
     "{abstract}, [or/so to speak/more or less] between a {job} and a {job}.|The {neutral_adjective} {role} is "
     "played by {=costar}, who meets {=lead_last} in {setting} and offers to {goal}.|Without giving too much away, "
     "there is a {=second_thing}, a {neutral_adjective} {job}, and a reason to {goal}.|[Halfway through/Around the "
     "one hour mark/Near the end] the action moves to {setting}, and a {job} vanishes.|The script is based on a "
     "[novel/play/newspaper article/short story] about a {job} in {place} during {era}."},
    {"season",
     "autumn|winter|spring|summer|harvest time|Christmas|carnival week|the rainy season|August|December|election year"},
    {"setting", "the {=setting_a}|the {=setting_b}|the {=setting_c}|a {setting_noun}|the old {setting_noun}"},
    {"setting_a", "{setting_noun}"},
    {"setting_b", "{setting_noun}"},
    {"setting_c", "{setting_noun}"},
    {"setting_noun",
     "lighthouse|monastery|submarine|abandoned hospital|boarding school|circus tent|crowded apartment|decaying "
     "mansion|desert outpost|fishing village|flooded cellar|gas station|grand hotel|haunted orchard|hospital ward|"
     "hunting lodge|laundry|library|mining town|motel|mountain cabin|museum|night train|nightclub|parking garage|"
     "piano shop|prison yard|ranch|ruined abbey|shopping mall|ski resort|space station|steel factory|subway tunnel|"
     "traveling fair|trailer park|vineyard|warehouse|airport|asylum|attic|embassy|puppet theatre|opera house"},
    {"story_part",
     "the ending|the final act|the first half|the middle section|the mystery|the opening|the outcome|the plot|the "
     "premise|the romance|the screenplay|the script|the second half|the story|the subplot about {abstract}|the twist|"
     "the writing|the last reel|the prologue|the structure"},
    {"plot_opinion",
     "{story_part} is {adverb} {adjective}, and {story_part} {works}.|{story_part} {works}, [since/because/as] the "
     "{role} {arc}.|I found {story_part} {adjective} and {story_part} {adverb} {adjective}.|[Scene by scene/Bit by "
     "bit/Step by step/Slowly], {story_part} becomes more {adjective}.|{=director} handles {story_part} with "
     "{quality}, [especially/above all/particularly] when the {role} {arc}.|As for {story_part}, it is {adjective} "
     "[and/as well as/and, in places,] {done}.|The idea of a {job} who wants to {goal} is {adjective} [on paper/in "
     "itself/by any standard], and {story_part} {works}.|A {story_noun} about {abstract} [needs/calls for/depends "
     "on] {virtue}, and this one has {quality}.|[Even/Only] {story_part} feels {adjective}, thanks to {quality} in "
     "the writing.|By the time the {role} {arc}, {audience} {cared}.|There is {quality} in the way {story_part} "
     "[treats/handles/approaches] {abstract}.|{story_part} left me {left_me}, and so did {story_part}."},
    {"story_noun", "story|tale|script|plot|mystery|fable|romance|screenplay"},
    {"virtue",
     "patience|discipline|wit|a light touch|nerve|heart|research|a good ear|tact|imagination|structure|rhythm"},
    {"arc",
     "finally confesses|meets {=his} {kin}|burns the {thing}|leaves {place}|finds the {thing}|forgives the {job}|"
     "returns to {place}|opens the {thing}|is arrested|loses the {thing}|learns the truth|walks away|reads the "
     "letter|pulls the trigger|boards the train|buries the {thing}"},
};
// clang-format on

}  // namespace

std::span<const Rule> plot_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
