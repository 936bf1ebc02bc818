// The seeds of the fuzz targets for texts, run in every build: good_* are read, bad_* are refused.
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

#include "../../fuzz/wordnet_sections.h"
#include "support/bytes.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_header.h"
#include "wordsway/text/corpus/corpus.h"
#include "wordsway/text/lexicon/lexicon_writer.h"
#include "wordsway/text/pairs/pair_file.h"
#include "wordsway/text/tokenizer/gguf_tokenizer.h"
#include "wordsway/text/tokenizer/precompiled.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {
namespace {

using Reader = std::function<void(const std::string& bytes)>;

bool is_accepted(const Reader& read, const std::string& bytes) {
  try {
    read(bytes);
    return true;
  } catch (const DataError&) {
    return false;
  } catch (const UsageError&) {
    return false;
  }
}

void run_seeds(const std::string& target, const Reader& read) {
  int seeds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() / "fuzz/corpus" / target)) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string name = entry.path().filename().string();
    const bool accepted = is_accepted(read, bytes.str());
    EXPECT_FALSE(accepted && name.starts_with("bad_")) << name;
    EXPECT_FALSE(!accepted && name.starts_with("good_")) << name;
    ++seeds;
  }
  EXPECT_GE(seeds, 5) << "the seeds have gone missing";
}

Reader corpus_reader(CorpusFormat format) {
  return [format](const std::string& bytes) {
    std::istringstream input(bytes);
    CorpusOptions options;
    options.format = format;
    options.standard_input = &input;
    read_corpus("-", options);
  };
}

TEST(TextFuzzCorpus, OfTokenizerJsonRuns) {
  run_seeds("tokenizer_json", [](const std::string& bytes) {
    const auto tokenizer = parse_tokenizer_json(bytes, "seed");
    tokenizer->decode(tokenizer->encode("The [MASK] <mask> 中 ab").ids);
  });
}

TEST(TextFuzzCorpus, OfTokenizersInGgufFilesRuns) {
  run_seeds("gguf_tokenizer", [](const std::string& bytes) {
    const GgufHeader header = parse_gguf_header(test::as_bytes(bytes), "seed");
    const Tokenizer tokenizer(read_gguf_tokenizer(header.metadata));
    tokenizer.decode(tokenizer.encode("The <s> <|end|> 中 ab 1234").ids);
  });
}

TEST(TextFuzzCorpus, OfPrecompiledMapsRuns) {
  run_seeds("precompiled", [](const std::string& bytes) {
    Characters text = decode_text("a\r\n e\u0301 \uFB01 \u00A9\u200D" + bytes).characters;
    PrecompiledMap(bytes, "seed").normalize(text);
  });
}

TEST(TextFuzzCorpus, OfJsonLinesRuns) {
  run_seeds("jsonl", corpus_reader(CorpusFormat::kJsonLines));
}

TEST(TextFuzzCorpus, OfCsvRuns) {
  run_seeds("csv", corpus_reader(CorpusFormat::kCsv));
}

TEST(TextFuzzCorpus, OfPairsRuns) {
  run_seeds("pairs", [](const std::string& bytes) {
    std::istringstream input(bytes);
    TextLines lines(open_bytes("-", input), "seed");
    read_pairs(lines, bytes.starts_with("{") ? CorpusFormat::kJsonLines : CorpusFormat::kCsv);
  });
}

TEST(TextFuzzCorpus, OfWordNetRuns) {
  run_seeds("wordnet", [](const std::string& bytes) { write_lexicon(wordnet::parse(wordnet_of_sections(bytes)), ""); });
}

}  // namespace
}  // namespace wordsway
