// Words of texts whose tokenizer sees none: SentencePiece's BPE, that of Llama 2 and Mistral, takes a whole text for
// one.
#pragma once

#include <string>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Splits words of the encoding at tokens that begin with a space or follow a line break, and renumbers the words after
/// them. Words without such a token, which is the case for most tokenizers, stay as they are.
void split_words_at_spaces(const std::string& text, Encoding& encoding);

}  // namespace wordsway
