// A WordNet of a few words, written as its files are: a place for tests to break things.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "wordsway/text/lexicon/wordnet.h"

namespace wordsway::test {

/// Collects synsets and lemmas, and knows their offsets once all are there.
class SmallWordNet {
 public:
  struct Pointer {
    std::string symbol, to;      // the name of a synset
    std::string words = "0000";  // as in the file
  };

  /// A synset of a part (n, v, a, s, r) under a name of the test's own.
  void synset(const std::string& name, char type, const std::vector<std::string>& words,
              const std::vector<Pointer>& pointers = {}, const std::string& frames = "") {
    synsets_.push_back({name, type, words, pointers, frames});
  }

  void lemma(const std::string& text, char part, const std::vector<std::string>& senses,
             const std::vector<int>& counts = {}) {
    lemmas_.push_back({text, part, senses});
    for (size_t k = 0; k < counts.size(); ++k)
      if (counts[k] > 0)
        files_.counts += fmt::format("{}%{}:00:00:: {} {}\n", text, part_number(part) + 1, k + 1, counts[k]);
  }

  void form(const std::string& text, const std::string& lemma, char part) {
    files_.exceptions[part_number(part)] += text + " " + lemma + "\n";
  }

  wordnet::Files files() {
    for (const bool known : {false, true}) {  // offsets have eight digits, so the second time they are right
      for (auto& data : files_.data) data = "  1 A licence.\n";
      for (const auto& synset : synsets_) write(synset, known);
    }
    for (const auto& [text, part, senses] : lemmas_) {
      std::string line = fmt::format("{} {} {} 1 @ {} 0", text, part, senses.size(), senses.size());
      for (const std::string& sense : senses) line += " " + offsets_.at(sense);
      files_.index[part_number(part)] += line + "\n";
    }
    return files_;
  }

 private:
  struct Synset {
    std::string name;
    char type;
    std::vector<std::string> words;
    std::vector<Pointer> pointers;
    std::string frames;
  };
  struct Lemma {
    std::string text;
    char part;
    std::vector<std::string> senses;
  };

  static size_t part_number(char type) { return type == 'n' ? 0 : type == 'v' ? 1 : type == 'r' ? 3 : 2; }

  void write(const Synset& synset, bool known) {
    std::string& data = files_.data[part_number(synset.type)];
    offsets_[synset.name] = fmt::format("{:08}", data.size());
    types_[synset.name] = synset.type;
    data += fmt::format("{} 05 {} {:02x}", offsets_[synset.name], synset.type, synset.words.size());
    for (const std::string& word : synset.words) data += " " + word + " 0";
    data += fmt::format(" {:03}", synset.pointers.size());
    for (const Pointer& pointer : synset.pointers)
      data += fmt::format(" {} {} {} {}", pointer.symbol, known ? offsets_.at(pointer.to) : "00000000",
                          known ? types_.at(pointer.to) : 'n', pointer.words);
    if (synset.type == 'v') data += synset.frames.empty() ? " 01 + 08 00" : " " + synset.frames;
    data += " | a gloss\n";
  }

  std::vector<Synset> synsets_;
  std::vector<Lemma> lemmas_;
  std::map<std::string, std::string> offsets_;
  std::map<std::string, char> types_;
  wordnet::Files files_;
};

}  // namespace wordsway::test
