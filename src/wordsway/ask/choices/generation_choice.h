// How a decoder writes: how long, how it chooses tokens, what ends the text.
#pragma once

#include "wordsway/ask/fields.h"
#include "wordsway/audit/generate.h"

namespace wordsway {

struct GenerationChoice {
  GenerateOptions options;

  static void describe(Fields<GenerationChoice>& fields);
};

}  // namespace wordsway
