// What happens to the pieces of a text at the end: special tokens around them, and offsets without spaces.
#pragma once

#include <vector>

#include "wordsway/text/tokenizer/subword_model.h"
#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

class JsonView;

/// What happens to the pieces of a text at the end.
struct PostProcessing {
  std::vector<int> before, after;  // special tokens of the template
  bool trim_offsets = false;       // offsets without the spaces at the ends of a piece ...
  bool keep_prefix_space = true;   // ... but with the first one at the start of the text
};

/// Trims the offsets of byte-level pieces in place, exactly as `tokenizers` does: without the spaces at their ends
/// ("Ġthe" is "the"). With `keep_prefix_space` a piece at the start of the text keeps a single leading space, because
/// the pre-tokenizer may have put it there.
void trim_offsets(TokenizedText& text, const Vocabulary& vocabulary, bool keep_prefix_space);

/// Reads the "post_processor" of a tokenizer.json: TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel, a
/// Sequence of them, or null. Throws DataError on any other, and on special tokens that are not in the vocabulary.
PostProcessing read_post_processing(const JsonView& json, const Vocabulary& vocabulary);

}  // namespace wordsway
