#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"verdict",
     "[Overall/All in all/In short/To sum up], {degree} {adjective} {film_noun} with {quality}; {advice}.|{advice}, "
     "[even/especially/above all] if you [like/love/collect] {genre} films or stories about {abstract}.|{score}, "
     "[mostly/mainly/chiefly] for {quality} and {=lead_last}.|In the end {=film} is {adjective}, {adjective} and "
     "{done}.|{=director} and {=lead_last} {achieved}; {advice}.|The [final/closing] [image/shot/picture], a "
     "{object} in {setting}, left me {left_me}.|When the lights came up, {audience} {cared}, and {company} {cared} "
     "too.|If you see [one/a single/only one] {genre} {kind} this {season}, {choose}.|I give it {stars}, and "
     "{advice}.|As {genre} films go, {=film} is {adverb} {adjective}; {score}.|The last word belongs to my "
     "{relative}, who called it {adjective} and {adjective}."},
    {"advice+",
     "do not miss it|see it with someone you love|buy it|watch it twice|give it a chance|put it on your list|treat "
     "yourself|seek it out|tell your friends|see it on the biggest screen you can find|it deserves a wide audience"},
    {"advice-",
     "avoid it|do not bother|save your money|skip it|stay at home|watch paint dry instead|throw it away|run the "
     "other way|warn your friends|read a book instead|it deserves to be forgotten"},
    {"score+",
     "nine out of ten|eight stars out of ten|a clear thumbs up|highly recommended|a keeper|full marks|an easy "
     "favorite|well worth the ticket|a triumph|a small masterpiece"},
    {"score-",
     "two out of ten|one star out of ten|a clear thumbs down|not recommended|a waste of tape|no marks at all|an easy "
     "target|not worth the ticket|a failure|a complete mess"},
    {"stars+", "nine stars|eight out of ten|four stars out of five|full marks|a ten|my warmest recommendation"},
    {"stars-", "two stars|three out of ten|one star out of five|no stars|a one|my lowest rating"},
    {"choose+", "make it this one|let it be {=film}|this is the one to choose|you will not regret this one"},
    {"choose-",
     "make it another one|let it be anything but {=film}|this is the one to leave alone|you will regret this one"},
};
// clang-format on

}  // namespace

std::span<const Rule> verdict_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
