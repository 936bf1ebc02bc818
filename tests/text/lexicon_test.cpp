#include "wordsway/text/lexicon/lexicon.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/text/lexicon/inflection.h"

namespace wordsway {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// The entry of a word, where it stands first in a text.
LexiconEntry entry_in(const std::string& text, const std::string& word) {
  const auto begin = static_cast<Index>(text.find(word));
  const std::vector<ByteRange> places = {{begin, begin + static_cast<Index>(word.size())}};
  return english_lexicon().look_up(text, places).front();
}

std::string first(const std::vector<std::string>& words) {
  return words.empty() ? "-" : words.front();
}

TEST(Lexicon, KnowsSynonymsAndOppositesOfLeadingSenses) {
  const auto look = [](const char* word) { return english_lexicon().look_up(word); };
  EXPECT_EQ(first(look("film").synonyms), "movie");
  EXPECT_THAT(look("film").synonyms, Not(Contains("celluloid")));
  EXPECT_EQ(first(look("buy").synonyms), "purchase");
  EXPECT_EQ(first(look("buy").antonyms), "sell");
  EXPECT_EQ(first(look("enable").antonyms), "disable");
  EXPECT_EQ(first(look("legal").antonyms), "illegal");
  EXPECT_EQ(first(look("safe").antonyms), "dangerous");
  EXPECT_EQ(first(look("slow").antonyms), "fast");
  EXPECT_THAT(look("good").synonyms, Not(Contains("full")));
  EXPECT_THAT(look("like").synonyms, Not(Contains("wish")));
  EXPECT_THAT(look("woman").antonyms, IsEmpty());
  EXPECT_EQ(look("film").part, "noun");
  EXPECT_EQ(look("film").source, "WordNet 3.0");
}

TEST(Lexicon, AnUnknownWordHasNothing) {
  const std::vector<std::string> words = {"xyzzy", "", "naïveté", "…", "\xff\xfe", std::string(10'000, 'q')};
  for (const std::string& word : words) {
    const LexiconEntry entry = english_lexicon().look_up(word);
    EXPECT_FALSE(entry.part.has_value()) << word.substr(0, 20);
    EXPECT_THAT(entry.alike, IsEmpty());
  }
}

TEST(Lexicon, APartOfAWordOfTheTextIsNotKnown) {
  // A tokenizer that cuts "don't" in three makes a word "don" of it, and that is no don of Oxford.
  EXPECT_FALSE(entry_in("I don't know", "don").part.has_value());
}

TEST(Lexicon, TheSentenceDecidesThePartOfSpeech) {
  EXPECT_EQ(entry_in("I watch a play", "play").part, "noun");
  EXPECT_EQ(entry_in("They play well", "play").part, "verb");
  EXPECT_EQ(entry_in("I like this film", "like").part, "verb");
  EXPECT_EQ(entry_in("It was like this film", "like").part, "preposition");
  EXPECT_EQ(entry_in("I think that it is legal", "that").part, "conjunction");
  EXPECT_EQ(entry_in("I saw that film", "that").part, "determiner");
  EXPECT_EQ(entry_in("It may rain in May", "may").part, "modal");
  EXPECT_EQ(entry_in("It may rain in May", "May").part, "month");
  EXPECT_EQ(entry_in("Wait a minute", "minute").part, "unit");
}

TEST(Lexicon, WordsComeInTheFormAndWithTheCapitalsOfTheirPlace) {
  EXPECT_EQ(first(entry_in("Two films and a play", "films").synonyms), "movies");
  EXPECT_EQ(first(entry_in("We bought a car", "bought").synonyms), "purchased");
  EXPECT_EQ(first(entry_in("We bought a car", "bought").antonyms), "sold");
  EXPECT_EQ(first(entry_in("It is slower today", "slower").antonyms), "faster");
  EXPECT_EQ(first(entry_in("Films are long", "Films").synonyms), "Movies");
  EXPECT_EQ(first(entry_in("BUY it", "BUY").synonyms), "PURCHASE");
  EXPECT_EQ(first(entry_in("He has forgotten it", "forgotten").antonyms), "remembered");
  EXPECT_EQ(first(entry_in("Is smoking permitted on the balcony?", "permitted").antonyms), "forbidden");
}

TEST(Lexicon, ClosedClassesTurnOrChangeADetail) {
  EXPECT_THAT(entry_in("do it before noon", "before").antonyms, Contains("after"));
  EXPECT_THAT(entry_in("with sugar", "with").antonyms, ElementsAre("without"));
  EXPECT_THAT(entry_in("if it rains", "if").antonyms, ElementsAre("unless"));
  EXPECT_THAT(entry_in("All students came", "All").antonyms, ElementsAre("No"));
  EXPECT_THAT(entry_in("on Monday", "Monday").alike, Contains("Friday"));
  EXPECT_THAT(entry_in("in Paris", "Paris").alike, Contains("London"));
  EXPECT_THAT(entry_in("within 30 days", "30").alike, Contains("31"));
  EXPECT_THAT(entry_in("within 30 days", "days").alike, Contains("weeks"));
  EXPECT_THAT(entry_in("ten cats", "ten").alike, Contains("nine"));
  EXPECT_EQ(entry_in("ten cats", "ten").source, "closed classes");
  EXPECT_EQ(entry_in("He met Voight there", "Voight").part, "name");
}

TEST(Lexicon, AVerbWithAParticleHasNoSynonym) {
  EXPECT_FALSE(entry_in("Remember the film", "Remember").synonyms.empty());
  EXPECT_TRUE(entry_in("They bought up the shares", "bought").synonyms.empty());
}

TEST(Lexicon, AVerbIsReplacedByVerbsThatTakeWhatStandsAroundIt) {
  EXPECT_THAT(entry_in("I was moved by the family.", "moved").alike, Not(Contains("gone")));
  EXPECT_THAT(entry_in("No matter how hard you try, you fail.", "try").alike, Not(Contains("achieve")));
  // Constructions of few words have no words alike, nor synonyms and opposites.
  for (const auto& [text, word] : {std::pair{"A twist that leaves you speechless.", "leaves"},
                                   {"They make the film seem long.", "make"},
                                   {"Did anything get resolved?", "get"},
                                   {"We picked up the box.", "picked"}}) {
    const LexiconEntry entry = entry_in(text, word);
    EXPECT_EQ(entry.part, "verb") << text;
    EXPECT_THAT(entry.alike, IsEmpty()) << text;
    EXPECT_THAT(entry.antonyms, IsEmpty()) << text;
  }
}

TEST(Lexicon, AnAdjectiveWithAComplementOrInPlaceOfANounHasNoReplacement) {
  for (const auto& [text, word] : {std::pair{"I'm not sure why it failed.", "sure"},
                                   {"I'm afraid I burst into tears.", "afraid"},
                                   {"I suggest you rent the original with Jack Lemmon.", "original"},
                                   {"Overall, it was a disappointment.", "Overall"}}) {
    const LexiconEntry entry = entry_in(text, word);
    EXPECT_THAT(entry.alike, IsEmpty()) << text;
    EXPECT_THAT(entry.antonyms, IsEmpty()) << text;
  }
  EXPECT_EQ(first(entry_in("A long and boring film.", "long").antonyms), "short");
  EXPECT_THAT(entry_in("It is slightly better than the first.", "better").alike, Not(Contains("new")));
}

TEST(Lexicon, ANounIsReplacedByNounsOfItsForm) {
  EXPECT_THAT(entry_in("It is a wonderful show.", "show").alike, Not(Contains("gambling")));
  EXPECT_THAT(entry_in("It is a good TV series.", "series").alike, Not(Contains("masses")));
  EXPECT_THAT(entry_in("It has a vote from 600 people.", "people").alike, Contains("women"));
  EXPECT_THAT(entry_in("It does not have pop stars.", "pop").synonyms, IsEmpty()) << "a part of a compound";
}

TEST(Lexicon, NamesForShortAreNamesByTheirCapital) {
  EXPECT_EQ(entry_in("Mike could go on without Bobby.", "Mike").part, "first name");
  EXPECT_EQ(entry_in("They gave him a mike to sing with.", "mike").part, "noun");
  EXPECT_THAT(entry_in("There is a film.", "There").antonyms, IsEmpty()) << "it says that something is";
  EXPECT_THAT(entry_in("She lives there now.", "there").alike, Contains("elsewhere"));
}

TEST(Lexicon, SuggestsNoWordTwiceAndNeverTheWordItself) {
  const LexiconTable table(lexicon_bytes());
  for (LexiconTable::WordId word = 0; word < table.size(); word += 37) {
    const std::string text(table.text(word));
    const LexiconEntry entry = english_lexicon().look_up(text);
    std::set<std::string> seen = {text};
    for (const auto* list : {&entry.synonyms, &entry.antonyms, &entry.alike})
      for (const std::string& one : *list) EXPECT_TRUE(seen.insert(one).second) << text << ": " << one;
  }
}

std::vector<std::vector<std::string>> golden_rows(const std::string& name) {
  std::ifstream file(test::source_folder() / "tests/golden/lexicon" / name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, '\t');) rows.back().push_back(field);
  }
  rows.erase(rows.begin());
  return rows;
}

LexiconEntry entry_at(const std::vector<std::string>& row) {
  const Index begin = std::stol(row[0]);
  const std::vector<ByteRange> places = {{begin, begin + static_cast<Index>(row[1].size())}};
  return english_lexicon().look_up(row[2], places).front();
}

struct Share {
  int good = 0, all = 0, changed = 0;

  void add(const std::string& proposed, const std::string& judged, const std::string& verdict) {
    if (proposed == "-") return;
    if (proposed != judged)
      ++changed;
    else
      ++all, good += verdict == "yes";
  }
};

// 200 words of IMDb sentences, drawn by seed and judged in their sentences (docs/lexicon.md). What the lexicon proposes
// must be what was judged, or nothing, but for a few words.
TEST(Lexicon, ProposesWhatWasJudgedToBeRight) {
  Share synonyms, antonyms;
  int grammatical = 0, alike = 0, changed = 0;
  for (const auto& row : golden_rows("judged_words.tsv")) {
    ASSERT_EQ(row.size(), 10U) << row[2];
    const LexiconEntry entry = entry_at(row);
    synonyms.add(first(entry.synonyms), row[4], row[7]);
    antonyms.add(first(entry.antonyms), row[5], row[8]);
    std::string three;
    for (size_t k = 0; k < std::min<size_t>(3, entry.alike.size()); ++k) three += (k == 0 ? "" : "|") + entry.alike[k];
    if (three.empty()) continue;
    if (three != row[6]) {
      ++changed;
    } else {
      grammatical += std::stoi(row[9]);
      alike += std::stoi(row[9].substr(row[9].find('/') + 1));
    }
  }
  RecordProperty("synonyms", synonyms.good);
  EXPECT_GE(synonyms.good, 0.9 * synonyms.all) << synonyms.all;
  EXPECT_GE(antonyms.good, 0.95 * antonyms.all) << antonyms.all;
  EXPECT_GE(grammatical, 0.9 * alike) << alike;
  EXPECT_GE(synonyms.all, 15);
  EXPECT_GE(antonyms.all, 20);
  EXPECT_GE(alike, 250);
  EXPECT_LE(synonyms.changed + antonyms.changed + changed, 10) << "judge the words again: draw_words.py";
}

// More words of such sentences, of which only synonyms and opposites were judged.
TEST(Lexicon, ProposesSynonymsAndOppositesThatWereJudgedToBeRight) {
  Share synonyms, antonyms;
  for (const auto& row : golden_rows("judged_relations.tsv")) {
    ASSERT_EQ(row.size(), 8U) << row[2];
    const LexiconEntry entry = entry_at(row);
    synonyms.add(first(entry.synonyms), row[4], row[6]);
    antonyms.add(first(entry.antonyms), row[5], row[7]);
  }
  EXPECT_GE(synonyms.good, 0.88 * synonyms.all) << synonyms.all;
  EXPECT_GE(antonyms.good, 0.93 * antonyms.all) << antonyms.all;
  EXPECT_GE(synonyms.all, 80);
  EXPECT_GE(antonyms.all, 110);
}

TEST(Lexicon, FindsAWholeWordOfAText) {
  const std::string text = "Goodness, a good film and Good night";
  EXPECT_EQ(english_lexicon().find(text, "good"), (ByteRange{12, 16}));
  EXPECT_EQ(english_lexicon().find(text, "GOODNESS"), (ByteRange{0, 8}));
  EXPECT_FALSE(english_lexicon().find(text, "goo"));
}

TEST(Lexicon, TellsWhetherATextIsEnglish) {
  EXPECT_NE(lexicon_of("The film was not good"), nullptr);
  EXPECT_NE(lexicon_of(""), nullptr);
  EXPECT_EQ(lexicon_of("Der Film hat mir leider nicht gefallen"), nullptr);
  EXPECT_EQ(lexicon_of("Фильм мне не понравился"), nullptr);
}

TEST(Lexicon, ArticlesFollowTheNextWord) {
  const Lexicon& english = english_lexicon();
  EXPECT_EQ(english.article_before("a", "excellent"), "an");
  EXPECT_EQ(english.article_before("An", "good"), "A");
  EXPECT_EQ(english.article_before("a", "hour"), "an");
  EXPECT_EQ(english.article_before("an", "useful"), "a");
  EXPECT_EQ(english.article_before("an", "European"), "a");
  EXPECT_EQ(english.article_before("a", "unimportant"), "an");
  EXPECT_EQ(english.article_before("the", "excellent"), "the");
}

TEST(Inflection, RulesAndExceptionsGiveTheForms) {
  const LexiconTable table(lexicon_bytes());
  const auto form = [&](const char* lemma, PartOfSpeech part, WordForm wanted) {
    return inflected(table, table.find(lemma).value(), part, wanted).value_or("-");
  };
  using enum PartOfSpeech;
  using enum WordForm;
  EXPECT_EQ(form("film", kNoun, kPlural), "films");
  EXPECT_EQ(form("story", kNoun, kPlural), "stories");
  EXPECT_EQ(form("child", kNoun, kPlural), "children");
  EXPECT_EQ(form("woman", kNoun, kPlural), "women");
  EXPECT_EQ(form("human", kNoun, kPlural), "humans");
  EXPECT_EQ(form("box", kNoun, kPlural), "boxes");
  EXPECT_EQ(form("buy", kVerb, kPast), "bought");
  EXPECT_EQ(form("give", kVerb, kParticiple), "given");
  EXPECT_EQ(form("stop", kVerb, kPast), "stopped");
  EXPECT_EQ(form("visit", kVerb, kPast), "visited");
  EXPECT_EQ(form("admit", kVerb, kPast), "admitted");
  EXPECT_EQ(form("hope", kVerb, kGerund), "hoping");
  EXPECT_EQ(form("see", kVerb, kGerund), "seeing");
  EXPECT_EQ(form("die", kVerb, kGerund), "dying");
  EXPECT_EQ(form("try", kVerb, kThirdPerson), "tries");
  EXPECT_EQ(form("go", kVerb, kThirdPerson), "goes");
  EXPECT_EQ(form("put", kVerb, kPast), "put");
  EXPECT_EQ(form("slow", kAdjective, kComparative), "slower");
  EXPECT_EQ(form("big", kAdjective, kSuperlative), "biggest");
  EXPECT_EQ(form("happy", kAdjective, kComparative), "happier");
  EXPECT_EQ(form("bad", kAdjective, kComparative), "worse");
  EXPECT_EQ(form("interesting", kAdjective, kComparative), "-");
}

TEST(Inflection, EveryFormIsReadBack) {
  const LexiconTable table(lexicon_bytes());
  int checked = 0;
  for (LexiconTable::WordId word = 0; word < table.size(); word += 5)
    for (const auto& entry : table.entries(word)) {
      if (entry.count < 3 || table.text(word).size() < 3) continue;
      const auto forms = entry.part == PartOfSpeech::kNoun   ? std::vector{WordForm::kPlural}
                         : entry.part == PartOfSpeech::kVerb ? std::vector{WordForm::kThirdPerson, WordForm::kPast,
                                                                           WordForm::kParticiple, WordForm::kGerund}
                                                             : std::vector{WordForm::kComparative};
      for (const WordForm form : forms) {
        const auto text = inflected(table, word, entry.part, form);
        if (!text) continue;
        const auto readings = readings_of(table, *text);
        EXPECT_TRUE(std::ranges::any_of(
            readings,
            [&](const WordReading& one) { return one.lemma == word && one.part == entry.part && one.form == form; }))
            << table.text(word) << " -> " << *text;
        ++checked;
      }
    }
  EXPECT_GT(checked, 2000);
}

TEST(LexiconTable, FindsWhatAScanFinds) {
  const LexiconTable table(lexicon_bytes());
  for (LexiconTable::WordId word = 0; word < table.size(); ++word) ASSERT_EQ(table.find(table.text(word)), word);
  for (const char* missing : {"", "a b", "zzzz", "Film", "filmz"}) EXPECT_FALSE(table.find(missing)) << missing;
}

// Words that a language model tagged, sentence by sentence, without a tagger. Nobody looked at them one by one while
// the tagger was made, but their score was known.
TEST(Tagger, IsRightInNineOfTenWords) {
  std::ifstream file(test::source_folder() / "tests/golden/lexicon/tagged_words.tsv");
  std::string line;
  std::getline(file, line);
  int right = 0, all = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string begin, word, part, sentence;
    std::getline(fields, begin, '\t');
    std::getline(fields, word, '\t');
    std::getline(fields, part, '\t');
    std::getline(fields, sentence);
    const std::vector<ByteRange> place = {{std::stol(begin), std::stol(begin) + static_cast<Index>(word.size())}};
    std::string found = english_lexicon().look_up(sentence, place).front().part.value_or("other");
    if (found == "unit" || found == "direction" || found == "currency") found = "noun";
    if (found == "degree" || found == "courtesy") found = "adverb";
    if (found != "noun" && found != "verb" && found != "adjective" && found != "adverb") found = "other";
    ++all;
    right += found == part;
  }
  ASSERT_EQ(all, 400);
  RecordProperty("accuracy", std::to_string(right / 400.0));
  EXPECT_GE(right, 360);  // 370, 92.5%
}

}  // namespace
}  // namespace wordsway
