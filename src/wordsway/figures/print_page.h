// A page as a PDF, printed by a browser on this machine.
#pragma once

#include <filesystem>

namespace wordsway {

/// Prints `page`, an HTML file, to `pdf` with Chromium. Throws FileError if there is none, if it fails, or if the file
/// cannot be written; an older file then stays as it was.
void print_page(const std::filesystem::path& page, const std::filesystem::path& pdf);

}  // namespace wordsway
