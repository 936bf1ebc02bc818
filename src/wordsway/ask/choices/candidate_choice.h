// Which words are tried in place of a word of a text: the field `candidates` of every question that swaps words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/ask/fields.h"
#include "wordsway/audit/candidates.h"

namespace wordsway {

struct CandidateChoice {
  std::optional<std::string> name;  // a source, or a file
  std::vector<std::string> words;   // the candidates themselves

  /// `by_default` is for the help.
  static void describe(Fields<CandidateChoice>& fields, const std::string& by_default = "alike");

  struct Candidates {
    CandidateSource source = CandidateSource::kAlike;
    std::vector<std::string> given = {};
  };
  /// Reads the file, if one is named. Throws DataError if it has no word.
  Candidates read(CandidateSource by_default = CandidateSource::kAlike) const;
};

}  // namespace wordsway
