#include "wordsway/text/lexicon/wordnet.h"

#include <gmock/gmock.h>

#include "support/small_wordnet.h"
#include "support/temporary_folder.h"
#include "support/tensor_files.h"
#include "wordsway/core/error.h"
#include "wordsway/text/lexicon/lexicon_table.h"
#include "wordsway/text/lexicon/lexicon_writer.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kNoun = PartOfSpeech::kNoun;
constexpr auto kVerb = PartOfSpeech::kVerb;
constexpr auto kAdjective = PartOfSpeech::kAdjective;

// "show" above film = movie (the first senses), and a rare sense of film = celluloid.
test::SmallWordNet films() {
  test::SmallWordNet words;
  words.synset("show", 'n', {"show"}, {{"~", "film"}, {"~", "play"}});
  words.synset("film", 'n', {"movie", "film"}, {{"@", "show"}});
  words.synset("play", 'n', {"play"}, {{"@", "show"}});
  words.synset("celluloid", 'n', {"celluloid", "film"}, {{"@", "show"}});
  words.lemma("film", 'n', {"film", "celluloid"}, {20, 1});
  words.lemma("movie", 'n', {"film"}, {30});
  words.lemma("play", 'n', {"play"}, {9});
  words.lemma("celluloid", 'n', {"celluloid"}, {2});
  words.lemma("show", 'n', {"show"}, {5});
  return words;
}

std::vector<std::string> texts(const LexiconTable& table, const std::vector<LexiconTable::WordId>& words) {
  std::vector<std::string> result;
  for (const auto word : words) result.emplace_back(table.text(word));
  return result;
}

// Keeps the bytes that a table is a view of, in place for its numbers.
class Written {
 public:
  explicit Written(test::SmallWordNet words, std::string_view corrections = "")
      : bytes_(write_lexicon(wordnet::parse(words.files()), corrections)), table_(std::as_bytes(std::span(bytes_))) {}

  const LexiconTable& table() const { return table_; }
  LexiconTable::Entry entry(std::string_view word, PartOfSpeech part) const {
    return table_.entry(table_.find(word).value(), part).value();
  }
  std::vector<std::string> synonyms(std::string_view word, PartOfSpeech part) const {
    return texts(table_, entry(word, part).synonyms);
  }
  std::vector<std::string> antonyms(std::string_view word, PartOfSpeech part) const {
    return texts(table_, entry(word, part).antonyms);
  }

 private:
  std::string bytes_;
  LexiconTable table_;
};

TEST(WordNet, HasWordsSensesCountsAndLinks) {
  const auto found = wordnet::parse(films().files());
  ASSERT_EQ(found.lemmas.size(), 5U);
  const wordnet::Lemma& film = found.lemmas[1];
  EXPECT_EQ(film.text, "film");
  ASSERT_EQ(film.senses.size(), 2U);
  EXPECT_EQ(film.senses[0].count, 20);
  EXPECT_EQ(film.senses[1].count, 1);
  const wordnet::Synset& synset = found.synsets[film.senses[0].synset];
  EXPECT_THAT(synset.words, ElementsAre("movie", "film"));
  ASSERT_EQ(synset.links.size(), 1U);
  EXPECT_EQ(synset.links[0].symbol, '@');
  EXPECT_THAT(found.synsets[synset.links[0].synset].words, ElementsAre("show"));
}

TEST(WordNet, RareSensesGiveNoSynonym) {
  const Written words(films());
  EXPECT_THAT(words.synonyms("film", kNoun), ElementsAre("movie"));
  EXPECT_THAT(words.synonyms("movie", kNoun), ElementsAre("film"));
  EXPECT_THAT(words.synonyms("celluloid", kNoun), IsEmpty());
  EXPECT_THAT(texts(words.table(), words.table().alike(words.entry("film", kNoun), 9)),
              testing::UnorderedElementsAre("play", "celluloid", "show"));
}

TEST(WordNet, AntonymsHoldBetweenTwoWordsAndSatellitesHaveThoseOfTheirHead) {
  test::SmallWordNet words;
  words.synset("dull", 'a', {"uninteresting"}, {{"!", "interesting", "0101"}, {"&", "boring"}});
  words.synset("interesting", 'a', {"interesting", "absorbing"}, {{"!", "dull", "0101"}});
  words.synset("boring", 's', {"boring(a)"}, {{"&", "dull"}});
  words.lemma("uninteresting", 'a', {"dull"}, {1});
  words.lemma("interesting", 'a', {"interesting"}, {40});
  words.lemma("absorbing", 'a', {"interesting"}, {1});
  words.lemma("boring", 'a', {"boring"}, {3});
  const Written written(words);
  EXPECT_THAT(written.antonyms("uninteresting", kAdjective), ElementsAre("interesting"));
  EXPECT_THAT(written.antonyms("absorbing", kAdjective), IsEmpty());
  EXPECT_THAT(written.antonyms("boring", kAdjective), ElementsAre("interesting"));
}

TEST(WordNet, VerbsAlikeGoWithTheSame) {
  test::SmallWordNet words;
  words.synset("perceive", 'v', {"perceive"}, {}, "01 + 08 00");
  words.synset("see", 'v', {"see"}, {{"@", "perceive"}}, "01 + 08 00");
  words.synset("hear", 'v', {"hear"}, {{"@", "perceive"}}, "01 + 08 00");
  words.synset("listen", 'v', {"listen"}, {{"@", "perceive"}}, "01 + 02 00");
  for (const char* word : {"perceive", "see", "hear", "listen"}) words.lemma(word, 'v', {word}, {10});
  const Written written(words);
  EXPECT_THAT(texts(written.table(), written.table().alike(written.entry("see", kVerb), 9)),
              ElementsAre("hear", "perceive"));
}

TEST(WordNet, HypernymsInACircleEnd) {
  test::SmallWordNet words;
  words.synset("egg", 'n', {"egg"}, {{"@", "hen"}});
  words.synset("hen", 'n', {"hen"}, {{"@", "egg"}});
  words.lemma("egg", 'n', {"egg"}, {5});
  words.lemma("hen", 'n', {"hen"}, {7});
  const Written written(words);
  EXPECT_THAT(texts(written.table(), written.table().alike(written.entry("egg", kNoun), 9)), ElementsAre("hen"));
}

TEST(WordNet, FormsLeadToTheirLemmas) {
  auto words = films();
  words.form("filmses", "film", 'n');
  const Written written(words);
  ASSERT_EQ(written.table().lemmas_of("filmses", kNoun).size(), 1U);
  EXPECT_EQ(written.table().text(written.table().lemmas_of("filmses", kNoun).front()), "film");
  EXPECT_THAT(written.table().lemmas_of("filmses", kVerb), IsEmpty());
  EXPECT_THAT(written.table().forms_of(*written.table().find("film"), kNoun), ElementsAre("filmses"));
}

TEST(WordNet, CorrectionsAddAndRemove) {
  const Written written(films(),
                        "# what readers found\nfilm\tnoun\tsynonym\tmovie\tremove\nmovie\tnoun\tantonym\tplay\tadd\n");
  EXPECT_THAT(written.synonyms("film", kNoun), IsEmpty());
  EXPECT_THAT(written.antonyms("movie", kNoun), ElementsAre("play"));
  const auto database = wordnet::parse(films().files());
  EXPECT_THAT(test::message_of<DataError>([&] { write_lexicon(database, "\nfilm\tnoun\tsynonym\tmovie\tdrop\n"); }),
              HasSubstr("line 2: 'drop' is neither add nor remove"));
  EXPECT_THAT(test::message_of<DataError>([&] { write_lexicon(database, "cinema\tnoun\tsynonym\tmovie\tadd\n"); }),
              HasSubstr("WordNet does not have 'cinema' as noun"));
}

TEST(WordNet, DamagedFilesAreRefusedWithFileAndLine) {
  const auto message_with = [](const std::function<void(wordnet::Files&)>& damage) {
    auto files = films().files();
    damage(files);
    return test::message_of<DataError>([&] { wordnet::parse(files); });
  };
  EXPECT_THAT(message_with([](auto& files) { files.data[0].insert(0, "x"); }), HasSubstr("data.noun, line 1"));
  EXPECT_THAT(message_with([](auto& files) { files.data[0] = files.data[0].substr(0, 60); }),
              HasSubstr("WordNet's data.noun, line 2"));
  EXPECT_THAT(message_with([](auto& files) { files.index[0] = "film n 1 0 1 0 99999999\n"; }),
              HasSubstr("index.noun, line 1: no synset of data.noun begins at 99999999"));
  EXPECT_THAT(message_with([](auto& files) { files.index[0] = "film n 0 0 0 0\n"; }), HasSubstr("'film' has no sense"));
  EXPECT_THAT(message_with([](auto& files) { files.index[0] = "film v 1 0 1 0 15\n"; }),
              HasSubstr("the part of speech is not that of the file"));
  EXPECT_THAT(message_with([](auto& files) { files.counts = "film%9:00:00:: 1 2\n"; }),
              HasSubstr("cntlist.rev, line 1: 'film%9:00:00::' is not a sense key"));
  EXPECT_THAT(message_with([](auto& files) { files.counts = "film%1:00:00:: 1 99999999999999999999\n"; }),
              HasSubstr("the count is '99999999999999999999', not a number up to"));
  EXPECT_THAT(message_with([](auto& files) { files.exceptions[1] = "bought\n"; }),
              HasSubstr("verb.exc, line 1: the lemma is missing"));
}

TEST(WordNet, AFolderWithoutItsFilesIsRefused) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(test::message_of<FileError>([&] { wordnet::read_files(folder.folder()); }), HasSubstr("index.noun"));
}

}  // namespace
}  // namespace wordsway
