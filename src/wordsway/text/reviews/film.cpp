#include "wordsway/text/reviews/tables.h"

namespace wordsway::reviews {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Rule kRules[] = {
    {"genre",
     "action|adventure|crime|detective|disaster|espionage|family|fantasy|gangster|ghost|heist|historical|horror|"
     "martial arts|monster|musical|mystery|period|pirate|police|political|prison|revenge|road|romance|samurai|"
     "science fiction|slasher|spy|superhero|survival|vampire|war|western|zombie"},
    {"kind",
     "adaptation|biography|blockbuster|cartoon|classic|comedy|documentary|drama|epic|experiment|fable|farce|feature|"
     "film|flick|melodrama|movie|parody|picture|production|remake|sequel|short|story|tale|thriller"},
    {"it", "it|this|the film|the movie|this picture|{=film}|the whole thing|this production"},
    {"it_short", "it|this one|the film|the movie|{=film}"},
    {"era",
     "the twenties|the thirties|the forties|the fifties|the sixties|the seventies|the eighties|the nineties|the "
     "silent era|the turn of the century|the cold war|the great depression|medieval times|the Victorian age|the near "
     "future|the gold rush|the old empire"},
    {"medium",
     "DVD|video|cable|late night television|a long flight|the big screen|my laptop|a dusty tape|the festival circuit|"
     "a rented disc|public television|a rainy holiday|a double bill|an outdoor screening"},
    {"when",
     "last night|this weekend|last Tuesday|over the holidays|a month ago|yesterday|on Friday evening|in college|"
     "during a blizzard|when i was twelve|on a sleepless night|at noon on a Sunday|the other day|on my birthday|"
     "after a long shift|one winter afternoon"},
    {"company",
     "my brother|my wife|my husband|two old friends|my sister|my nephew|a colleague|my roommate|my parents|a class "
     "of students|my daughter|an old schoolmate|a room full of strangers|my neighbor|my grandmother|my teenage son|a "
     "patient cousin"},
    {"film_noun", "{genre} {kind}|{kind}|{genre} film|{genre} movie"},
    {"opening",
     "I {watched} {=film} [on {medium}/with {company}/{when}] and {reaction}.|{=film} is {degree} {adjective} "
     "{film_noun} [from/by/directed by] {=director}.|{when}, i finally {watched} {=film}, and {reaction}.|Directed "
     "by {=director}, {=film} is the {superlative} {film_noun} i have seen [in years/this year/since {other_film}/in "
     "a long time].|Where do i [begin/start] with {=film}? {it_is} {adjective}, {adjective} and {done}.|{company} "
     "recommended {=film} to me, and {reaction}.|I had never heard of {=director} before {when}, but {=film} is "
     "{degree} {adjective} {kind}.|Set in {place} during {era}, {=film} is {degree} {adjective} {film_noun} about "
     "{theme}.|What a {adjective}, {adjective} {kind}! {=director} {achieved} with {=film}.|Rarely has a {film_noun} "
     "about {theme} been this {adjective}.|There are [countless/many/foreign/plenty of/older] films about {theme}, "
     "and then there is {=film}, which is {adverb} {adjective}.|My [first/second/third] viewing of {=film} "
     "[was/came] {when}, and {reaction}.|{=film} [stars/features] {=lead} as a {neutral_adjective} {=hero_job}, and "
     "{reaction}.|I {watched} this {genre} {kind} with {company}, and {reaction}.|As a [fan/student/lover/collector] "
     "of {genre} movies, i {felt} {=film} [from the first minute/almost at once/within ten minutes/right away].|The "
     "[poster/trailer/cover/title] [suggests/promises/hints at] a "
     "[simple/standard/typical/conventional/modern/solemn] {genre} {kind}, but {=film} is {adjective} [in its own "
     "way/beyond words/from start to finish].|Every few years somebody makes a {film_noun} as {adjective} as this "
     "one.|[Forget/Ignore/Never mind] the [critics/ratings/reviews]: {=film} is {degree} {adjective} {kind}."},
    {"it_is", "it is|this is|the film is|the result is"},
    {"watched", "watched|saw|rented|caught|borrowed|sat through|discovered|stumbled upon|finished|revisited"},
    {"theme",
     "{abstract} and {abstract}|{abstract}|a {neutral_adjective} {job}|growing up in {place}|the {event} of {place}|"
     "two {family} who {quarrel}|the price of {abstract}|{abstract} in {era}"},
    {"abstract",
     "ambition|betrayal|childhood|class|courage|cruelty|desire|duty|envy|exile|faith|fame|fate|forgiveness|freedom|"
     "friendship|greed|grief|guilt|honor|hope|identity|innocence|jealousy|justice|loneliness|loyalty|madness|"
     "marriage|memory|money|mourning|obsession|poverty|power|pride|race|regret|religion|revenge|revolution|sacrifice|"
     "shame|solitude|survival|time|trust|truth|vanity|war|youth"},
    {"event",
     "fall|siege|trial|flood|famine|election|strike|plague|liberation|wedding|funeral|bombing|fire|earthquake"},
    {"family", "brothers|sisters|cousins|twins|neighbors|rivals|friends|widows|lovers|partners|strangers|orphans"},
    {"quarrel",
     "fall out over an inheritance|share a secret|run a failing hotel|cannot stop fighting|swap identities|rob a "
     "train|love the same woman|cross a desert|search for their father|never speak"},
};
// clang-format on

}  // namespace

std::span<const Rule> film_rules() {
  return kRules;
}

}  // namespace wordsway::reviews
