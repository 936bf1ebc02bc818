#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"craft_part",
     "the camera work|the cinematography|the color scheme|the costume design|the editing|the framing|the lighting|"
     "the location work|the makeup|the matte painting|the production design|the set design|the effects work|the "
     "stunt work|the visual style|the black and white photography|the use of close-ups|the choreography|the slow "
     "motion|the animation|the pacing|the direction|the computer imagery|the handheld footage|the wardrobe|the "
     "miniature work|the habit of long takes"},
    {"craft",
     "{craft_part} is {adverb} {adjective}, [particularly/especially/mostly] in {setting}.|{craft_part} and "
     "{craft_part} [work/come/play] together with {quality}.|[Visually/Technically/As a spectacle/From a technical "
     "point of view], {it_short} is {adjective}, and {craft_part} {works}.|{craft_part} looks {adjective} next to "
     "that of {other_film}.|{=director} shoots {place} with {quality}, and {craft_part} [adds/contributes] to "
     "{effect}.|The {color} [light/fog/curtains/walls/shadows] in {setting} are {adverb} {adjective}.|You can tell "
     "from {craft_part} that {=director} had {quality} and {budget}.|At {minutes} minutes, the {kind} feels {adverb} "
     "{adjective}.|The pace is {adjective}: {minutes} minutes {passed}.|{craft_part} gives {setting} a {adjective} "
     "look, [somewhere between/halfway between/a mix of] {other_film} and {other_film}.|Shot [in/around/outside] "
     "{place} for {budget}, {it_short} looks {adjective}.|The {thing} in {setting} [was/is] {degree} {adjective} "
     "piece of design.|Somebody spent {quality_time} on {craft_part}, and it [shows/tells/can be seen].|I kept "
     "looking at {craft_part}, which is {adjective} [throughout/for once/in every frame/in most scenes].|The {genre} "
     "elements are {adverb} {adjective}, above all {craft_part}."},
    {"color",
     "amber|blue|brown|copper|crimson|emerald|gray|green|ivory|orange|pink|purple|scarlet|silver|turquoise|violet|"
     "white|yellow"},
    {"budget",
     "almost no money|a decent budget|somebody else's money|a shoestring|forty million dollars|a few thousand "
     "dollars|borrowed equipment|a television budget|studio money|three weeks of shooting"},
    {"minutes",
     "seventy|eighty|eighty-five|ninety|ninety-five|a hundred|a hundred and ten|a hundred and twenty|a hundred and "
     "forty|a hundred and eighty"},
    {"passed+", "flew by|passed like twenty|were over too soon|never dragged|went by in a flash|were not enough"},
    {"passed-",
     "felt like a week|crawled by|would not end|dragged on forever|seemed like a prison sentence|went nowhere"},
    {"effect+", "the mood|the magic|the suspense|the warmth|the wonder|the charm|the emotional power|the atmosphere"},
    {"effect-",
     "the confusion|the boredom|the headache|the mess|the tedium|the general ugliness|the irritation|the gloom"},
    {"quality_time+", "months of loving care|real talent|a lot of thought|years of craft|true devotion|great skill"},
    {"quality_time-",
     "no time at all|five careless minutes|very little thought|an afternoon at most|no effort|too much money"},
};
// clang-format on

}  // namespace

std::span<const Rule> craft_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
