// compile_lexicon FOLDER CORRECTIONS OUTPUT: writes the table of words that the library has within it, from WordNet's
// folder. Part of the build (src/wordsway/CMakeLists.txt).
#include <cstdio>
#include <exception>
#include <fstream>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"
#include "wordsway/text/lexicon/lexicon_writer.h"

int main(int count, char** arguments) try {
  if (count != 4) throw wordsway::UsageError("usage: compile_lexicon FOLDER CORRECTIONS OUTPUT");
  const auto words = wordsway::wordnet::parse(wordsway::wordnet::read_files(arguments[1]));
  const std::string bytes = wordsway::write_lexicon(words, wordsway::read_small_file(arguments[2]));
  std::ofstream file(arguments[3], std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
    throw wordsway::FileError(fmt::format("cannot write {}", arguments[3]));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "The lexicon could not be made: %s\n", error.what());
  return 1;
}
