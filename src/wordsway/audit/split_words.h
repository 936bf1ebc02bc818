// Words of texts whose tokenizer sees none: SentencePiece's BPE, that of Llama 2 and Mistral, takes a whole text for
// one.
#pragma once

#include <string>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Splits words of the encoding where a token begins with a space or after a line break, and counts on from there.
/// Words that hold no such token, as those of most tokenizers, stay what they are.
void split_words_at_spaces(const std::string& text, Encoding& encoding);

}  // namespace wordsway
