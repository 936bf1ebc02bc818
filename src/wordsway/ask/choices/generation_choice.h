// The options of generation: how long, how to choose tokens, and what ends the text.
#pragma once

#include "wordsway/ask/fields.h"
#include "wordsway/audit/generate.h"

namespace wordsway {

struct GenerationChoice {
  GenerateOptions options;

  static void describe(Fields<GenerationChoice>& fields);
};

}  // namespace wordsway
