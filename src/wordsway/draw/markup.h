// Any text, made fit to stand in HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace wordsway {

/// The characters of a text as pages and pictures may hold them. Bytes that are not UTF-8, control characters other
/// than tab and line feed, U+FFFE and U+FFFF become U+FFFD.
std::u32string displayable(std::string_view text);

/// The text with everything escaped that HTML and XML would read as markup, in content and in quoted attributes, and
/// everything replaced that is not displayable.
std::string escape_html(std::string_view text);

}  // namespace wordsway
