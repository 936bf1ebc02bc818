// Any bytes in the JSON files of a sentence-transformers folder are either settings or an error about data or files.
#include <cstdint>
#include <cstdlib>

#include <unistd.h>

#include "sentence_folder_files.h"
#include "wordsway/core/error.h"
#include "wordsway/model/sentence_folder.h"

namespace {

// One folder for the process, in memory where the system has such a place.
std::filesystem::path scratch_folder() {
  const char* place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  return std::filesystem::path(place) / ("wordsway_fuzz_" + std::to_string(getpid()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path folder = scratch_folder();
  static const int at_exit = std::atexit([] {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  });
  if (at_exit != 0) std::abort();
  write_sentence_files(folder, {reinterpret_cast<const char*>(data), size});
  try {
    const wordsway::SentenceFolder found = wordsway::read_sentence_folder(folder);
    if (found.chain.modes.empty() || found.chain.output_size(8) < 1) std::abort();
  } catch (const wordsway::DataError&) {
  } catch (const wordsway::FileError&) {
  }
  return 0;
}
