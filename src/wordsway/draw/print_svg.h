// SVG pictures as PDF and PNG, drawn by librsvg where the build has it.
#pragma once

#include <string>

namespace wordsway {

/// Whether this build has librsvg.
bool can_print();
/// What to say if it does not.
inline constexpr const char* kCannotPrint =
    "this build of wordsway has no librsvg, so it cannot write charts as .pdf or .png; .svg and .tex work";

enum class PrintFormat { kPdf, kPng };

/// The picture as bytes of a file. Throws FileError if librsvg fails, and UsageError if this build does not have it.
std::string print_svg(const std::string& svg, int width, int height, PrintFormat format);

}  // namespace wordsway
