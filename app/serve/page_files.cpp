#include "serve/page_files.h"

#include <zlib.h>

#include "wordsway/core/error.h"

namespace wordsway::serve {

std::string content_of(const PageFile& file) {
  z_stream stream{};
  stream.next_in = const_cast<unsigned char*>(file.gzip.data());
  stream.avail_in = static_cast<unsigned>(file.gzip.size());
  constexpr int kGzip = 15 + 16;
  ensure(inflateInit2(&stream, kGzip) == Z_OK, "zlib unpacks gzip");
  std::string content;
  int state = Z_OK;
  while (state == Z_OK) {
    char buffer[4096];
    stream.next_out = reinterpret_cast<unsigned char*>(buffer);
    stream.avail_out = sizeof(buffer);
    state = inflate(&stream, Z_NO_FLUSH);
    content.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  inflateEnd(&stream);
  ensure(state == Z_STREAM_END, "a file of the page is whole");
  return content;
}

std::string type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  if (name.ends_with(".png")) return "image/png";
  return "application/octet-stream";
}

}  // namespace wordsway::serve
