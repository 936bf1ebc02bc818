// Texts in HTML.
#pragma once

#include <string>
#include <string_view>

namespace wordsway {

/// The text with everything escaped that HTML would read as markup, in content and in quoted attributes.
std::string escape_html(std::string_view text);

/// A name that an id and a link can hold: letters, digits and '-' stay, everything else becomes '-'.
std::string anchor_of(std::string_view name);

}  // namespace wordsway
