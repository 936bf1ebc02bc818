#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"acting",
     "{=lead} is {adverb} {adjective} as the {neutral_adjective} {role}.|{=lead_last} gives {degree} {adjective} "
     "performance, {full_of} {quality}.|The {supporting} cast is {adjective}, [especially/above all/most of all] "
     "{=costar} as the {role}.|{=costar} [plays/portrays] the {kin} with {quality}, and every "
     "[line/glance/gesture/pause] feels {adjective}.|I have [rarely/seldom/never] seen a {job} played with such "
     "{quality}.|The [scenes/moments/exchanges] between {=lead_last} and {=costar} are {adverb} {adjective}.|"
     "{person} {steals} as the {neutral_adjective} {role}, and that {body_part} alone is {adjective}.|{=villain} "
     "makes {degree} {adjective} villain, [all/nothing but] {quality} and {trait}.|{=his} accent is {adjective}, "
     "{=his} timing is {adjective}, and {=he} {carries} the {kind}.|The characters are {adverb} {drawn}, from the "
     "{role} to the {neutral_adjective} {kin}.|As an {=actor}, {=lead_last} has [always/often/lately] been known for "
     "{trait}, and here {=he} is {adjective}.|Even the {extra} [in the background/at the bar/on the train/in the "
     "courtroom] seem {adjective}.|The chemistry between the {role} and the {role} is {adjective}, and {audience} "
     "{cared}.|Whoever plays the {kin} is {adjective}, {adverb} {adjective} in fact.|{=director} gets {degree} "
     "{adjective} performance out of {person} as a {neutral_adjective} {job}.|When {=lead_last} "
     "[cries/laughs/whispers/shouts/stares at the {thing}], {it_feels} {adjective}.|Casting {person} as the {role} "
     "was {degree} {adjective} [choice/decision/move]."},
    {"it_feels", "it feels|it comes across as|the effect is|the moment is|the result looks"},
    {"full_of+", "full of|rich in|alive with|built on|glowing with"},
    {"full_of-", "drowning in|ruined by|full of|weighed down by|marred by"},
    {"supporting", "supporting|secondary|entire|largely unknown|veteran|ensemble|young|guest"},
    {"steals+",
     "steals the show|shines|is a revelation|lights up the screen|walks off with every scene|delivers|amazes|is a "
     "delight|excels"},
    {"steals-",
     "embarrasses everyone|sleepwalks through the part|overacts|mumbles every line|looks lost|is miscast|stumbles|"
     "hams it up|fails to register"},
    {"carries+", "carries|elevates|anchors|enriches|rescues|brightens|ennobles"},
    {"carries-", "sinks|ruins|drags down|cheapens|derails|spoils|flattens"},
    {"drawn+", "drawn|observed|written|developed|imagined|rounded|sketched with care"},
    {"drawn-", "underwritten|neglected|confused|forgotten by the script|interchangeable|undeveloped|reduced to types"},
    {"body_part", "face|voice|smile|walk|posture|stare|laugh|silence|eyebrow|profile|handshake|limp|hairline|forehead"},
    {"trait",
     "swagger|melancholy|sarcasm|restraint|shouting|mannerisms|silence|menace|modesty|nervous energy|dry humor|"
     "physical comedy|brooding|mimicry|accents|stubbornness|innocence|poker-faced calm"},
    {"extra",
     "extras|waiters|soldiers|villagers|dancers|passengers|children|policemen|nurses|jurors|sailors|animals|"
     "musicians|monks|guards|gamblers|stuntmen"},
    {"character",
     "The {role} is {adverb} {adjective}, [a person/somebody/a soul] {audience} {cared_about}.|[Few/Not many] films "
     "let a {neutral_adjective} {job} be so {adjective}.|{=hero_name} is written as a {neutral_adjective} {job}, and "
     "the part is {adverb} {adjective}.|The relationship between the {role} and {=his} {kin} [is/seems/feels] "
     "{adjective}.|Their motives are {adjective}: the {role} wants to {goal}, the {kin} wants {abstract}.|You "
     "[will/may/are going to] remember the {neutral_adjective} {kin} for {=his} {quality}.|Everyone in {setting} is "
     "{adjective} [in some way/somehow/at heart], [even/including/except perhaps] the {role}.|What the {role} learns "
     "about {abstract} is {adverb} {adjective}.|The {kin} and the {neutral_adjective} {role} share {degree} "
     "{adjective} conversation about {abstract}."},
};
// clang-format on

}  // namespace

std::span<const Rule> acting_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
