// Any bytes are either a journal or an error about data or usage.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <unistd.h>

#include "wordsway/core/error.h"
#include "wordsway/io/journal.h"

namespace {

// A journal is a file; this one has no name and is written anew for every input.
int nameless_file() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) std::abort();
  return fileno(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = nameless_file();
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    const wordsway::JournalContent content = wordsway::read_journal(path);
    if (content.whole_bytes > static_cast<std::int64_t>(size)) std::abort();
  } catch (const wordsway::DataError&) {
  } catch (const wordsway::UsageError&) {
  }
  return 0;
}
