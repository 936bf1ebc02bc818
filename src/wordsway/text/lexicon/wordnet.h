// Reads WordNet 3.0, the lexical database of English that Debian has as wordnet-base (`man 5 wndb`).
//
// Only what wordsway needs is kept: words, senses with the counts of a tagged corpus, synsets with their links, and
// irregular forms. Words are lower case, with '_' for a space, as in the index files.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/text/lexicon/part_of_speech.h"

namespace wordsway::wordnet {

struct Link {
  char symbol;    // '!' opposite, '@' hypernym, '~' hyponym, '&' similar, ';' of a domain, …
  char detail;    // what follows the symbol: 'u' in ";u", the domain of a usage; or 0
  size_t synset;  // its index in Database::synsets
  int from, to;   // numbers of words in the two synsets, from 1; 0: all
};

struct Synset {
  PartOfSpeech part;
  bool is_satellite = false;       // an adjective that is similar to a head
  int topic = 0;                   // the number of its lexicographer file: 18 for persons
  std::vector<std::string> words;  // as written: capitals are kept
  std::vector<Link> links;
  std::vector<int> frames;  // of verbs: the sentence frames of all its words, ascending
};

struct Sense {
  size_t synset;
  long count;  // in the tagged corpus
};

struct Lemma {
  std::string text;
  PartOfSpeech part;
  std::vector<Sense> senses;  // the commonest first
};

/// An irregular form, as "bought" of "buy".
struct Form {
  std::string text, lemma;
  PartOfSpeech part;
};

struct Database {
  std::vector<Synset> synsets;
  std::vector<Lemma> lemmas;  // by text, then part
  std::vector<Form> forms;    // in the order of the files
};

/// The files' contents: of nouns, verbs, adjectives and adverbs each, in this order.
struct Files {
  std::array<std::string, 4> index, data, exceptions;
  std::string counts;  // cntlist.rev
};

/// Throws FileError when a file of the folder cannot be read.
Files read_files(const std::filesystem::path& folder);

/// Throws DataError, with the file and line, when something is not as `man 5 wndb` describes it.
Database parse(const Files& files);

}  // namespace wordsway::wordnet
