// SVG pictures as PDF and PNG, drawn by librsvg where it is installed.
#pragma once

#include <string>

namespace wordsway {

/// Whether librsvg is installed. The first call looks for it.
bool can_print();
/// What to say if it is not.
inline constexpr const char* kCannotPrint =
    "librsvg writes charts as .pdf and .png, and it is not installed (Debian: librsvg2-2); .svg and .tex work";

enum class PrintFormat { kPdf, kPng };

/// The picture as bytes of a file. Throws FileError if librsvg fails, UsageError if it is not installed, and
/// SystemError if the system refuses a process.
std::string print_svg(const std::string& svg, int width, int height, PrintFormat format);

}  // namespace wordsway
