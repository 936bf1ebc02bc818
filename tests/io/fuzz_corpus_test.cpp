// The seeds of the fuzz targets, run in every build: those named good_* are read, those named bad_* are refused, and
// the rest (found by the fuzzer) may do either but nothing else.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_header.h"
#include "wordsway/io/journal.h"
#include "wordsway/io/npy.h"
#include "wordsway/io/safetensors_header.h"

namespace wordsway {
namespace {

using Parser = std::function<void(std::span<const std::byte>)>;

bool is_accepted(const Parser& parse, const std::string& content) {
  try {
    parse(test::as_bytes(content));
    return true;
  } catch (const DataError&) {
    return false;
  }
}

void run_corpus(const std::string& corpus, const Parser& parse) {
  int seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() / "fuzz/corpus" / corpus)) {
    const std::string name = entry.path().filename().string();
    const bool accepted = is_accepted(parse, test::read_bytes(entry.path()));
    EXPECT_FALSE(accepted && name.starts_with("bad_")) << name;
    EXPECT_FALSE(!accepted && name.starts_with("good_")) << name;
    ++seeds;
  }
  EXPECT_GE(seeds, 5) << "the corpus has gone missing";
}

TEST(FuzzCorpus, OfNpyRuns) {
  run_corpus("npy", [](auto bytes) { parse_npy(bytes, "seed"); });
}

TEST(FuzzCorpus, OfSafetensorsRuns) {
  run_corpus("safetensors", [](auto bytes) { parse_safetensors_header(bytes, "seed"); });
}

TEST(FuzzCorpus, OfSafetensorsIndexesRuns) {
  run_corpus("safetensors_index", [](auto bytes) { parse_safetensors_index(bytes, "seed"); });
}

TEST(FuzzCorpus, OfGgufRuns) {
  run_corpus("gguf", [](auto bytes) { parse_gguf_header(bytes, "seed"); });
}

TEST(FuzzCorpus, OfJournalsRuns) {
  const test::TemporaryFolder folder;
  run_corpus("journal", [&](auto bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    test::write_bytes(folder.path("seed"), text);
    read_journal(folder.path("seed"));
  });
}

}  // namespace
}  // namespace wordsway
