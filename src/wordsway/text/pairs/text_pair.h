// Two texts that an encoder should tell apart, and a third that it should not: what `pairs` asks about.
#pragma once

#include <optional>
#include <string>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct TextPair {
  std::string anchor;
  std::string changed;                      // a word of it turned: it means something else
  std::optional<std::string> control = {};  // says what the anchor says, in other words
  std::string class_name = {};              // which kind of change this is: "negation", "number", …
  std::optional<Index> line = {};           // where it stands in its file, from 1
};

}  // namespace wordsway
