#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

using grammar::Rule;

// Names that nobody has, such as "Marovik" or "Tessalgard": a beginning, a middle and an ending. Whoever has learned a
// hundred names can know them by heart; of names that come once, one can only learn to copy them.
//
// All three are in two groups. In training an even number of them are of group b, in held-out questions an odd one:
// every two syllables meet in training, so that no two of them tell the third, and yet no name belongs to both splits.
// (When only beginnings and endings had groups, the network learned which endings go with which beginnings, and wrote
// "Sebolberg" where it had to copy "Sebolkin".) A beginning has one vowel, at its end, and a middle one too, so that a
// name can be taken apart in one way only.
//
// Training alone has two more sorts, against other short cuts: real names with something after them, so that to know a
// name does not tell where it ends, and letters in any order, which no
// real name ends like.

// clang-format off: the tables are wrapped like prose
constexpr Rule kSyllables[] = {
    {"start_a",
     "Ma|Te|Bro|Ka|Li|Do|Se|Va|Ru|Ha|No|Pe|Gi|Fra|Sto|Ba|Ce|Dre|Ko|La|Me|Ni|Pra|Sa|Ti|We|Ja|Cle|Lu|Ve|Ri|Ga|Tro|Bi|She|"
     "Qui"},
    {"start_b",
     "Mo|Ta|Bre|Ke|Lo|Da|Si|Vi|Ra|He|Na|Po|Ge|Fle|Sta|Be|Ca|Dra|Ki|Le|Mi|Ne|Pri|So|To|Wi|Jo|Cla|Ly|Vo|Re|Go|Tra|Bo|Sha|"
     "Que"},
    {"middle_a", "ro|ssa|li|na|do|mi|ra|lla|the|ri|bo|ne|va"},
    {"middle_b", "sta|ve|lo|di|ka|rre|lle|ndo|ma|si|ta|vi|le"},
    {"more", "ham|court|shire|kins|field|brook|stead|hurst|lock|berry|wright|combe"},
    {"vowel", "a|e|i|o|u"},
    {"capital_vowel", "A|E|I|O|U"},
    {"letter", "b|c|d|f|g|h|k|l|m|n|p|r|s|t|v|z|br|dr|kl|ll|nd|nt|rk|rt|sk|ss|st|th|tr"},
    {"last_letter", "x|z|ck|ft|lb|mp|nd|ng|nk|rk|sh|sk|xt|zz"},
    {"letters",
     "{capital_vowel}{letter}{vowel}{last_letter}|{capital_vowel}{letter}{vowel}{letter}{vowel}{last_letter}"},
    {"man_end_a", "leon|vik|rin|mund|dor|bert|naz|ric|lan|stan|mar|zek"},
    {"man_end_b", "verd|gan|mir|drek|tus|rolf|phen|lix|bin|nor|wyn|kos"},
    {"woman_end_a", "lla|nia|ssa|rinne|dine|beth|nelle|ria"},
    {"woman_end_b", "lya|vette|na|mira|lise|thea|ya|rosa"},
    {"surname_end_a", "nby|lard|sser|nski|rman|ckley|vane|ttson|lberg|dini|mont|sworth"},
    {"surname_end_b", "llow|rton|vich|ndell|ssen|rby|gard|zzi|lkin|scott|ber|thwick"},
    {"place_end_a", "lloway|mouth|burg|vale|nza|grad|ria|sk|port|dale|lund|pool"},
    {"place_end_b", "wold|ford|stad|vania|haven|ntz|cester|bridge|rno|heim|polis|wick"},
    {"thing_end_a", "lith|goon|rune|ndrake|mble|rax|stone"},
    {"thing_end_b", "phant|mor|dragon|ssel|quin|thorn|ngle"},
    // What a review calls people, places and films: made-up names twice as often as real ones.
    {"man", "{real_man}|{coined_man}|{coined_man}"},
    {"woman", "{real_woman}|{coined_woman}|{coined_woman}"},
    {"surname", "{real_surname}|{coined_surname}|{coined_surname}"},
    {"title_place", "{real_title_place}|{coined_place}|{coined_place}"},
    {"title_noun", "{real_title_noun}|{coined_thing}|{coined_thing}"},
    {"title_adjective", "{real_title_adjective}"},
    {"place", "{title_place}|{title_place}|{title_place}|[Port/New/Saint/East/Lake] {title_place}"},
};
constexpr Rule kTraining[] = {
    {"coined_man",
     "{start_a}{middle_a}{man_end_a}|{start_a}{middle_b}{man_end_b}|{start_b}{middle_a}{man_end_b}|"
     "{start_b}{middle_b}{man_end_a}|{real_man}{more}|{letters}"},
    {"coined_woman",
     "{start_a}{middle_a}{woman_end_a}|{start_a}{middle_b}{woman_end_b}|{start_b}{middle_a}{woman_end_b}|"
     "{start_b}{middle_b}{woman_end_a}|{real_woman}{more}|{letters}"},
    {"coined_surname",
     "{start_a}{middle_a}{surname_end_a}|{start_a}{middle_b}{surname_end_b}|{start_b}{middle_a}{surname_end_b}|"
     "{start_b}{middle_b}{surname_end_a}|{real_surname}{more}|{letters}"},
    {"coined_place",
     "{start_a}{middle_a}{place_end_a}|{start_a}{middle_b}{place_end_b}|{start_b}{middle_a}{place_end_b}|"
     "{start_b}{middle_b}{place_end_a}|{real_title_place}{more}|{letters}"},
    {"coined_thing",
     "{start_a}{middle_a}{thing_end_a}|{start_a}{middle_b}{thing_end_b}|{start_b}{middle_a}{thing_end_b}|"
     "{start_b}{middle_b}{thing_end_a}|{real_title_noun}{more}"},
};
constexpr Rule kHeldOut[] = {
    {"coined_man",
     "{start_a}{middle_a}{man_end_b}|{start_a}{middle_b}{man_end_a}|{start_b}{middle_a}{man_end_a}|"
     "{start_b}{middle_b}{man_end_b}"},
    {"coined_woman",
     "{start_a}{middle_a}{woman_end_b}|{start_a}{middle_b}{woman_end_a}|{start_b}{middle_a}{woman_end_a}|"
     "{start_b}{middle_b}{woman_end_b}"},
    {"coined_surname",
     "{start_a}{middle_a}{surname_end_b}|{start_a}{middle_b}{surname_end_a}|{start_b}{middle_a}{surname_end_a}|"
     "{start_b}{middle_b}{surname_end_b}"},
    {"coined_place",
     "{start_a}{middle_a}{place_end_b}|{start_a}{middle_b}{place_end_a}|{start_b}{middle_a}{place_end_a}|"
     "{start_b}{middle_b}{place_end_b}"},
    {"coined_thing",
     "{start_a}{middle_a}{thing_end_b}|{start_a}{middle_b}{thing_end_a}|{start_b}{middle_a}{thing_end_a}|"
     "{start_b}{middle_b}{thing_end_b}"},
};
// clang-format on

}  // namespace

std::span<const Rule> syllable_rules() {
  return kSyllables;
}

std::span<const Rule> coined_name_rules(QuestionSplit split) {
  return split == QuestionSplit::kTraining ? std::span<const Rule>(kTraining) : kHeldOut;
}

}  // namespace wordsway::questions
