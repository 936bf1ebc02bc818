// The properties of characters that tokenizers ask for. The one place that knows utf8proc.
//
// The properties are those of the Python `tokenizers` library, whose tables for marks, punctuation and format
// characters stopped at Unicode 8, for combining classes and compositions at 9, and for graphemes, letters and numbers
// are newer than those of utf8proc 2.8, which knows Unicode 15. Everything else follows utf8proc. All functions are
// pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wordsway::unicode {

bool is_whitespace(char32_t code);
/// Control, format, private use; tab, newline and carriage return are not.
bool is_control(char32_t code);
/// Categories P*, and every ASCII character that is neither letter, digit, space nor control.
bool is_punctuation(char32_t code);
bool is_nonspacing_mark(char32_t code);
bool is_letter(char32_t code);
bool is_number(char32_t code);
/// What `\w` matches: letters, marks, decimal digits, connectors, joiners.
bool is_word_character(char32_t code);
/// Chinese, Japanese and Korean ideographs, the blocks that BERT sets between spaces.
bool is_cjk_ideograph(char32_t code);

/// Full lower-case mapping: one character, or two for U+0130.
std::u32string_view lowercase(char32_t code, char32_t (&buffer)[2]);

/// Simple upper-case mapping; the character itself where there is none.
char32_t uppercase(char32_t code);

/// Full canonical decomposition, without reordering across characters, appended to `out`.
void append_decomposition(char32_t code, std::u32string& out);
int combining_class(char32_t code);
/// The character that canonical composition makes of a starter and what follows it.
std::optional<char32_t> compose(char32_t first, char32_t second);

/// Whether an extended grapheme cluster ends between two neighbours. `state` starts at 0 and is handed on from pair to
/// pair through the text.
bool is_grapheme_break(char32_t before, char32_t after, int& state);

// The tables of code points that wordsway holds itself.

/// Marks, punctuation and format characters that came after Unicode 8: the tables of `tokenizers` do not know them, so
/// BERT's normaliser and pre-tokenizer treat them as plain characters.
bool is_unknown_to_unicode_8(char32_t code);
/// Marks with a combining class that came after Unicode 9: for the library they are characters of class 0.
bool is_mark_after_unicode_9(char32_t code);
/// Marks that came after Unicode 15: in the library they join the grapheme before them.
bool is_mark_after_unicode_15(char32_t code);
bool is_letter_after_unicode_15(char32_t code);
bool is_number_after_unicode_15(char32_t code);

}  // namespace wordsway::unicode
