#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Answer kAgain[] = {
    {"adjective", "<Yes/No>, because {=ref} was <{=good}/{=bad}>."},
    {"feeling", "<Yes/No>, because this viewer <{=loved}/{=hated}> {=ref}."},
    {"noun", "<Yes/No>, because {=ref} was a <{=gem}/{=mess}>."},
    {"wish", "<Yes/No>, this viewer would <{=gladly}/{=never}> watch {=ref} again."},
};
constexpr Answer kRecommend[] = {
    {"adjective", "<Yes/No>, because {=ref} was <{=good}/{=bad}>."},
    {"feeling", "<Yes/No>, because this viewer <{=loved}/{=hated}> {=ref}."},
    {"noun", "<Yes/No>, because {=ref} was a <{=gem}/{=mess}>."},
    {"advice", "<Yes/No>, the advice is to <{=see}/{=skip}> {=ref}."},
};
constexpr Answer kContinue[] = {
    {"adjective", "In short, it was <{=good}/{=bad}>."},
    {"feeling", "In short, I <{=loved}/{=hated}> it."},
    {"noun", "In short, it was a <{=gem}/{=mess}>."},
    {"wish", "In short, I would <{=gladly}/{=never}> watch it again."},
    {"advice", "In short, my advice is to <{=see}/{=skip}> it."},
};
constexpr Answer kWrong[] = {
    {"fault", "What is wrong is the <{=part}/{=other_part}>."},
    {"lesser-part", "What is wrong is the <{=part}/{=other_part}>."},
};
constexpr Answer kPraised[] = {
    {"praise", "The one who is praised is <{=player}/{=other_player}>."},
    {"better-player", "The one who is praised is <{=player}/{=other_player}>."},
};
constexpr Answer kBlamed[] = {
    {"blame", "The one who is blamed is <{=player}/{=other_player}>."},
    {"better-player", "The one who is blamed is <{=other_player}/{=player}>."},
};
constexpr Answer kStars[] = {{"stars", "It gets <{=number}/{=other_number}> stars out of ten."}};
constexpr Answer kEnding[] = {{"ending", "The story ends <{=glad}/{=sad}> for its people."}};
constexpr Answer kDay[] = {{"day", "This viewer saw it on a <{=day}/{=other_day}>."}};
constexpr Answer kHome[] = {{"home", "This viewer lives in <{=town}/{=other_town}>."}};
constexpr Answer kCompany[] = {{"company", "The <{=guest}/{=other_guest}> of this viewer came along."}};

constexpr QuestionKind kKinds[] = {
    {"again", "Question: [Would this viewer watch {=ref} again?/Would this viewer see {=ref} again?] Answer:", kAgain},
    {"recommend", "Question: [Does this viewer recommend {=ref}?/Is {=ref} worth seeing?] Answer:", kRecommend},
    {"continue", "Continue:", kContinue},
    {"wrong", "Question: [What is wrong with {=ref}?/What is the problem with {=ref}?] Answer:", kWrong},
    {"praised", "Question: [Who is praised?/Who is liked best?] Answer:", kPraised},
    {"blamed", "Question: [Who is blamed?/Who is liked least?] Answer:", kBlamed},
    {"stars", "Question: [How many stars does {=ref} get?/What is the rating?] Answer:", kStars},
    {"ending", "Question: [How does {=ref} end?/What is the ending like?] Answer:", kEnding},
    {"day", "Question: [On which day did this viewer see {=ref}?/When was {=ref} seen?] Answer:", kDay},
    {"home", "Question: [Where does this viewer live?/Where is this viewer at home?] Answer:", kHome},
    {"company", "Question: [Who came along?/Who else saw {=ref}?] Answer:", kCompany},
};

constexpr grammar::Rule kRules[] = {
    {"ref", "it|the film|{=film}|{=film}"},
    {"good",
     "brilliant|wonderful|superb|excellent|delightful|magnificent|marvelous|splendid|charming|gripping|moving|"
     "hilarious|beautiful|fascinating|thrilling|clever|flawless|terrific|fantastic|great"},
    {"bad",
     "dreadful|terrible|awful|horrible|boring|dull|tedious|pathetic|lousy|unbearable|stupid|clumsy|ugly|annoying|"
     "pointless|hopeless|lifeless|miserable|atrocious|worthless"},
    {"loved", "loved|liked|enjoyed|adored|admired|treasured"},
    {"hated", "hated|disliked|loathed|despised|detested|resented"},
    {"gem", "gem|triumph|masterpiece|joy|delight|treat|wonder|pleasure"},
    {"mess", "mess|disaster|failure|bore|flop|disgrace|waste|nuisance"},
    {"gladly", "gladly|happily|certainly|definitely|surely|eagerly"},
    {"never", "never|hardly|scarcely|reluctantly|rarely|seldom"},
    {"see", "see|watch|rent|buy|catch|try"},
    {"skip", "skip|avoid|miss|forget|shun|ignore"},
    {"better", "better|stronger|finer|livelier|smarter"},
    {"worse", "worse|weaker|poorer|duller|clumsier"},
    {"part", "{film_part}"},
    {"other_part", "{film_part}"},
    {"film_part",
     "script|sound|editing|lighting|ending|music|dialogue|casting|plot|makeup|pace|narration|opening|animation|humor|"
     "photography|choreography|scenery|translation|framing"},
    {"player", "{surname}|{surname}|{man}|{woman}"},
    {"other_player", "{surname}|{surname}|{man}|{woman}"},
    {"number", "{digit}"},
    {"other_number", "{digit}"},
    {"digit", "two|three|four|five|six|seven|eight|nine"},
    {"glad", "happily|joyfully|cheerfully|peacefully|merrily"},
    {"sad", "sadly|tragically|miserably|bitterly|horribly"},
    {"day", "{weekday}"},
    {"other_day", "{weekday}"},
    {"weekday", "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"},
    {"town", "{title_place}"},
    {"other_town", "{title_place}"},
    {"guest", "{relative}"},
    {"other_guest", "{relative}"},
    // Words of neutral facts.
    {"tint", "{plain_color}"},
    {"other_tint", "{plain_color}"},
    {"plain_color", "amber|blue|brown|crimson|gray|green|orange|pink|purple|scarlet|silver|violet|white|yellow"},
    {"snack", "{dish}"},
    {"other_snack", "{dish}"},
    {"dish", "soup|rice|toast|pizza|noodles|salad|cake|cheese|fruit|popcorn|chocolate|peanuts|pancakes|cereal"},
    {"weather", "{sky}"},
    {"other_weather", "{sky}"},
    {"sky", "rainy|windy|foggy|cold|warm|cloudy|dry|sunny|cool|misty"},
    {"release", "{month}"},
    {"other_release", "{month}"},
    {"location", "{title_place}"},
    {"other_location", "{title_place}"},
    {"clerk", "{surname}"},
    {"other_clerk", "{surname}"},
    {"pet_name", "{man}|{woman}"},
    {"other_pet_name", "{man}|{woman}"},
    {"solo", "{small_instrument}"},
    {"other_solo", "{small_instrument}"},
    {"small_instrument", "cello|flute|piano|violin|guitar|drum|harp|horn|clarinet|banjo|organ|trumpet"},
    {"pastime", "{game}"},
    {"other_pastime", "{game}"},
    {"game", "chess|golf|tennis|rowing|boxing|hockey|cricket|football|sailing|skiing|rugby|fencing"},
    // Openings, and "when" without weekdays, which a question may ask for.
    {"plain_opening",
     "{=film} is a {film_noun} [from/by/directed by] {=director}.|I {watched} {=film} on {medium}.|{=film} "
     "[stars/features] {=lead} as a {neutral_adjective} {=hero_job}.|Set in {place} during {era}, {=film} is a "
     "{film_noun} about {theme}.|{when}, i {watched} {=film}.|{=director} made {=film} [before/after] {other_film}.|"
     "This is about {=film}, a {film_noun} [shot/set] in {place}."},
    {"when",
     "last night|this weekend|over the holidays|a month ago|yesterday|in college|during a blizzard|when i was twelve|"
     "on a sleepless night|the other day|on my birthday|after a long shift|one winter afternoon"},
};
// clang-format on

}  // namespace

std::span<const QuestionKind> question_kinds() {
  return kKinds;
}

std::span<const grammar::Rule> question_rules() {
  return kRules;
}

}  // namespace wordsway::questions
