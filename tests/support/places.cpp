#include "support/places.h"

namespace wordsway::test {

std::filesystem::path source_folder() {
  return WORDSWAY_SOURCE_DIR;
}

std::filesystem::path program_path() {
  return WORDSWAY_PROGRAM;
}

}  // namespace wordsway::test
