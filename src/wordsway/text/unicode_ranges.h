// Sorted ranges of code points and the one table of them that wordsway holds itself.
#pragma once

namespace wordsway::unicode {

/// Marks, punctuation and format characters that came after Unicode 8: the tables of `tokenizers` do not know them, so
/// BERT's normaliser and pre-tokenizer treat them as plain characters.
bool is_unknown_to_unicode_8(char32_t code);

}  // namespace wordsway::unicode
