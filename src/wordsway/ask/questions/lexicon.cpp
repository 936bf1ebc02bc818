// lexicon: what wordsway knows of a word.
#include "wordsway/text/lexicon/lexicon.h"

#include <fmt/format.h>

#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

struct LexiconRequest {
  std::vector<std::string> words;
  std::string sentence;

  static void describe(Fields<LexiconRequest>& fields) {
    fields.texts("words", &LexiconRequest::words, "Words to look up").argument("WORD").on_page("word");
    fields.text("in", &LexiconRequest::sentence, "A sentence that has the words: it decides their parts of speech")
        .value_name("SENTENCE")
        .by_default("the most usual part of speech")
        .in_python("sentence");
  }
};

Record row_of(const std::string& word, const LexiconEntry& entry) {
  return {{"word", word},
          {"part", optional_value(entry.part)},
          {"lemma", entry.lemma},
          {"synonyms", entry.synonyms},
          {"antonyms", entry.antonyms},
          {"alike", entry.alike},
          {"source", entry.source.empty() ? Value() : Value(entry.source)}};
}

Answer answer(const LexiconRequest& request, Context& context) {
  if (request.words.empty()) throw UsageError("there is no word to look up: give one or more as arguments");
  std::vector<Record> rows;
  std::vector<ByteRange> places;
  if (!request.sentence.empty())
    for (const std::string& word : request.words) {
      const auto place = english_lexicon().find(request.sentence, word);
      if (!place) throw UsageError(fmt::format("the sentence {{in}} does not have the word '{}'", word));
      places.push_back(*place);
    }
  const auto in_context = english_lexicon().look_up(request.sentence, places);
  for (size_t k = 0; k < request.words.size(); ++k)
    rows.push_back(
        row_of(request.words[k], places.empty() ? english_lexicon().look_up(request.words[k]) : in_context[k]));
  for (size_t k = 0; k < rows.size(); ++k)
    if (rows[k].missing("part")) context.warn(fmt::format("'{}' is not in the lexicon", request.words[k]));
  return rows_answer(std::move(rows));
}

Guide guide() {
  Guide guide;
  guide.order = 125;
  guide.quick = true;
  guide.summary = "What wordsway knows of a word: synonyms, opposites, words alike";
  guide.examples =
      "  wordsway lexicon good enable before\n"
      "  wordsway lexicon play --in \"They play well\"";
  guide.columns =
      "synonyms keep the meaning, antonyms turn it, and words alike say something else\n"
      "of the same kind; the commonest come first, in the form of the word. part is\n"
      "noun, verb, adjective, adverb, or the name of a small class such as preposition\n"
      "or weekday. Words are English; they come from WordNet 3.0 and from wordsway's\n"
      "own table of small classes.";
  guide.row_keys = {"word", "part", "lemma", "synonyms", "antonyms", "alike", "source"};
  guide.data_columns = {"source"};
  return guide;
}

}  // namespace

void register_lexicon(QuestionRegistry& registry) {
  add_question(registry, "lexicon", guide(), answer);
}

}  // namespace wordsway
