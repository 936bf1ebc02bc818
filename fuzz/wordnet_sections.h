// A WordNet in one input: index, data and exceptions of nouns, verbs, adjectives and adverbs each, then the counts,
// with form feeds between them.
#pragma once

#include <algorithm>
#include <string_view>

#include "wordsway/text/lexicon/wordnet.h"

namespace wordsway {

inline wordnet::Files wordnet_of_sections(std::string_view input) {
  wordnet::Files files;
  const auto take = [&] {
    const size_t end = std::min(input.find('\f'), input.size());
    const std::string section(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
    return section;
  };
  for (auto* group : {&files.index, &files.data, &files.exceptions})
    for (std::string& file : *group) file = take();
  files.counts = take();
  return files;
}

}  // namespace wordsway
