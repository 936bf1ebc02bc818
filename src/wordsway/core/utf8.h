// UTF-8 in and out, lossy on the way in: wordsway reads whatever bytes it is given. All functions are pure.
#pragma once

#include <string>
#include <string_view>

namespace wordsway::unicode {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code;
  int length;  // bytes taken, at least 1
};

/// The first character of non-empty `bytes`. What is not UTF-8 reads as U+FFFD, one for every maximal invalid part, as
/// in Python's errors="replace".
Decoded decode_first(std::string_view bytes);

bool is_valid_utf8(std::string_view bytes);

/// All characters of `bytes`, lossy like decode_first.
std::u32string decode(std::string_view bytes);

void append_utf8(std::string& out, char32_t code);

}  // namespace wordsway::unicode
