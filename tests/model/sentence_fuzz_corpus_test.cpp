// The seeds of the fuzz target for sentence-transformers folders, run in every build: good_* are read, bad_* are
// refused.
#include <sstream>

#include <gtest/gtest.h>

#include "../fuzz/sentence_folder_files.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/model/sentence_folder.h"

namespace wordsway::test {
namespace {

bool is_accepted(const std::filesystem::path& folder) {
  try {
    read_sentence_folder(folder);
    return true;
  } catch (const DataError&) {
    return false;
  } catch (const FileError&) {
    return false;
  }
}

TEST(SentenceFuzzCorpus, Runs) {
  const TemporaryFolder folder;
  int seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "fuzz/corpus/sentence_folder")) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    write_sentence_files(folder.folder(), bytes.str());
    const std::string name = entry.path().filename().string();
    const bool accepted = is_accepted(folder.folder());
    EXPECT_FALSE(accepted && name.starts_with("bad_")) << name;
    EXPECT_FALSE(!accepted && name.starts_with("good_")) << name;
    ++seeds;
  }
  EXPECT_GE(seeds, 10) << "the seeds have gone missing";
}

}  // namespace
}  // namespace wordsway::test
