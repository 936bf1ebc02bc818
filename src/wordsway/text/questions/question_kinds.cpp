#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

// clang-format off: the tables are wrapped like prose
constexpr Answer kAgain[] = {
    {"adjective", "<Yes/No>, because of the word <{=good}/{=bad}>."},
    {"feeling", "<Yes/No>, because of the word <{=loved}/{=hated}>."},
    {"noun", "<Yes/No>, because of the word <{=gem}/{=mess}>."},
    {"wish", "<Yes/No>, because of the word <{=gladly}/{=never}>."},
};
constexpr Answer kRecommend[] = {
    {"adjective", "<Yes/No>, because of the word <{=good}/{=bad}>."},
    {"feeling", "<Yes/No>, because of the word <{=loved}/{=hated}>."},
    {"noun", "<Yes/No>, because of the word <{=gem}/{=mess}>."},
    {"advice", "<Yes/No>, because of the word <{=see}/{=skip}>."},
};
constexpr Answer kContinue[] = {
    {"adjective", "My last word is <{=good}/{=bad}>."}, {"feeling", "My last word is <{=loved}/{=hated}>."},
    {"noun", "My last word is <{=gem}/{=mess}>."},      {"wish", "My last word is <{=gladly}/{=never}>."},
    {"advice", "My last word is <{=see}/{=skip}>."},
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
    // Pieces of statements. Openers, tails and the like are in phrases.cpp: each split has its own.
    {"opener", "{aside}|{aside}|"},
    {"closer", "{tail}|"},
    {"fact_opener", "{fact_aside}|{fact_aside}||"},
    {"movie", "film|movie|picture|production|feature|work"},
    {"this_film", "it|it|this|the film|the movie|this picture|the whole thing|this {movie}|{=film}"},
    {"film_object", "it|it|this film|this movie|this one|{=film}"},
    {"was", "was|is|was|is|remains|proved"},
    {"found", "found|thought|considered"},
    {"we", "we|all of us|the two of us|my {relative} and i|everyone at home, me included,"},
    {"i_admit", "i must admit|i confess|i can say|i told everyone|my diary says|it is no secret|it is true"},
    {"every_bit", "every minute|every scene|each minute|most|all"},
    {"cinema", "cinema|entertainment|storytelling|filmmaking"},
    {"would", "would|would|will|shall"},
    {"rewatch", "watch|see|sit through|look at|return to"},
    {"again", "again|a second time|once more|one more time"},
    {"much", "much|far|a lot||"},
    {"honor", "praise|applause|a prize|a medal|an award|the flowers"},
    {"scorn", "blame|boos|a scolding|a bad grade|the tomatoes"},
    {"work", "performance|work|acting"},
    {"home", "house|flat|home|street|garden|apartment|bed"},
    {"at_home_in", "here in|back in|at home in"},
    {"all_evening", "all evening|in the dark|the whole time"},
    {"as_always", "so we went|and that was nice|as always"},
    {"season_name", "autumn|winter|spring|summer"},
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
    {"gladly", "gladly|readily|certainly|definitely|surely|eagerly"},
    {"never", "never|not|hardly|scarcely"},
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
    {"drink", "{beverage}"},
    {"other_drink", "{beverage}"},
    {"beverage", "tea|coffee|milk|water|beer|wine|cider|lemonade|cocoa|juice"},
    {"other_title", "{title_noun}"},
    {"third_title", "{title_noun}"},
    {"seat", "{digit}"},
    {"other_seat", "{digit}"},
    {"market_day", "{weekday}"},
    {"other_market_day", "{weekday}"},
    {"kinsman", "{relative}"},
    {"other_kinsman", "{relative}"},
    {"material", "{stuff}"},
    {"other_material", "{stuff}"},
    {"stuff", "silver|brass|glass|wood|stone|paper|bronze|tin|clay|leather"},
    {"flower", "{blossom}"},
    {"other_flower", "{blossom}"},
    {"blossom", "roses|lilies|tulips|daisies|violets|poppies|orchids|daffodils"},
    {"tongue", "{language}"},
    {"other_tongue", "{language}"},
    {"language", "French|Polish|Greek|Dutch|Danish|Latin|Turkish|Spanish|Welsh|Hungarian"},
    {"vehicle", "{conveyance}"},
    {"other_vehicle", "{conveyance}"},
    {"conveyance", "train|bus|boat|tram|ferry|plane|taxi|bicycle|truck|canoe"},
    {"manner", "{slowness}"},
    {"other_manner", "{slowness}"},
    {"slowness", "slowly|quickly|quietly|silently|noisily|secretly|calmly|carefully"},
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
