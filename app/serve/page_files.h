// The files of the page (app/page), which are part of the program: compressed by the build.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wordsway::serve {

struct PageFile {
  std::string_view name;                // "index.html"
  std::string_view digest;              // SHA-256 of the content, in hexadecimal digits
  std::span<const unsigned char> gzip;  // the content, compressed
};

/// All of them, in the order of their names. Written by cmake/embed_page.cmake.
std::span<const PageFile> page_files();

/// The content of a file, unpacked.
std::string content_of(const PageFile& file);

/// The media type by the end of the name.
std::string type_of(std::string_view name);

}  // namespace wordsway::serve
