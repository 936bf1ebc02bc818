// A page as a PDF, by the browser that is there.
#pragma once

#include <filesystem>

namespace wordsway {

/// Prints `page`, an HTML file, to `pdf` with Chromium. Throws FileError when there is none, when it fails, or when the
/// file cannot be written; a file that was there stays as it was then.
void print_page(const std::filesystem::path& page, const std::filesystem::path& pdf);

}  // namespace wordsway
