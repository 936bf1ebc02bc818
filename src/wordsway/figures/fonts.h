// Which characters the fonts of this machine can draw. An SVG holds texts, shown with the fonts of its reader; a PNG or
// a PDF is drawn here, with whatever font of this machine has a character, and with a question mark where none has.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wordsway {

/// The characters of `text` that no font has, each once, in order. Asks fontconfig (fc-list); nothing when that is not
/// installed or fails, for then nothing is known. Marks that are drawn as nothing, such as joiners, are left out.
std::u32string characters_without_font(std::string_view text);

/// What to say of a chart that shows `text`, drawn as .png or .pdf, when no font has some of its characters; else
/// nothing, and nothing of an .svg.
std::string remark_on_fonts(const std::filesystem::path& chart, std::string_view text);

/// True when fontconfig's list of ranges ("20-7e a0-17f 192") holds the character.
bool covers(std::string_view ranges, char32_t character);

}  // namespace wordsway
