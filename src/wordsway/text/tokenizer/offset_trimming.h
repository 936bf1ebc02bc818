// Offsets of byte-level pieces without the spaces at their ends ("Ġthe" is "the").
#pragma once

#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

/// Trims in place, exactly as `tokenizers` does. With `keep_prefix_space` a piece at the start of the text keeps a
/// single leading space, because the pre-tokenizer may have put it there.
void trim_offsets(TokenizedText& text, const Vocabulary& vocabulary, bool keep_prefix_space);

}  // namespace wordsway
