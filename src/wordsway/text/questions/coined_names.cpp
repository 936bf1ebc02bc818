#include "wordsway/text/questions/question_tables.h"

namespace wordsway::questions {
namespace {

using grammar::Rule;

// Names that nobody has, such as "Marorin" or "Tessavik": a beginning, one or no syllable, an ending. Whoever has
// learned a hundred names can know them by heart; of names that come once, one can only learn to copy them.
//
// Beginnings and endings are in two groups. Training joins those of one group, held-out questions those of different
// groups: every syllable is common to both splits, and no name is. A beginning has one vowel, at its end, and a middle
// one too, so that a name can be taken apart in one way only.

// clang-format off: the tables are wrapped like prose
constexpr Rule kSyllables[] = {
    {"start_a",
     "Ma|Te|Bro|Ka|Li|Do|Se|Va|Ru|Ha|No|Pe|Gi|Fra|Sto|Ba|Ce|Dre|Ko|La|Me|Ni|Pra|Sa|Ti|We|Ja|Cle|Lu|Ve|Ri|Ga|Tro|Bi|She|"
     "Qui"},
    {"start_b",
     "Mo|Ta|Bre|Ke|Lo|Da|Si|Vi|Ra|He|Na|Po|Ge|Fle|Sta|Be|Ca|Dra|Ki|Le|Mi|Ne|Pri|So|To|Wi|Jo|Cla|Ly|Vo|Re|Go|Tra|Bo|Sha|"
     "Que"},
    {"middle", "ro|ssa|li|ve|na|do|mi|ra|lla|the|ri|bo|ne|sta|ve|lo|di|ka|rre|lle|ndo|ma|si|ta|vi|le|||||||||"},
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
    {"coined_man", "{start_a}{middle}{man_end_a}|{start_b}{middle}{man_end_b}"},
    {"coined_woman", "{start_a}{middle}{woman_end_a}|{start_b}{middle}{woman_end_b}"},
    {"coined_surname", "{start_a}{middle}{surname_end_a}|{start_b}{middle}{surname_end_b}"},
    {"coined_place", "{start_a}{middle}{place_end_a}|{start_b}{middle}{place_end_b}"},
    {"coined_thing", "{start_a}{middle}{thing_end_a}|{start_b}{middle}{thing_end_b}"},
};
constexpr Rule kHeldOut[] = {
    {"coined_man", "{start_a}{middle}{man_end_b}|{start_b}{middle}{man_end_a}"},
    {"coined_woman", "{start_a}{middle}{woman_end_b}|{start_b}{middle}{woman_end_a}"},
    {"coined_surname", "{start_a}{middle}{surname_end_b}|{start_b}{middle}{surname_end_a}"},
    {"coined_place", "{start_a}{middle}{place_end_b}|{start_b}{middle}{place_end_a}"},
    {"coined_thing", "{start_a}{middle}{thing_end_b}|{start_b}{middle}{thing_end_a}"},
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
