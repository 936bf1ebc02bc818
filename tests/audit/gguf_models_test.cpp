// A GGUF file as a model: with the tokenizer that is in it. Made by tests/golden/make_gguf_model_golden.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/places.h"
#include "wordsway/audit/model.h"

namespace wordsway::test {
namespace {

TEST(GgufAsModel, CutsTextsAsThePythonLibraryDoes) {
  for (const std::string& name : golden_gguf_names()) {
    SCOPED_TRACE(name);
    const Model model = load_model(golden_ggufs() / (name + ".gguf"));
    const std::string text = "the cat sat, 12!";  // TEXT of the script
    const std::vector<int> ids = model.tokenizer->encode(text).ids;
    EXPECT_EQ(ids, Golden(golden_ggufs() / (name + ".safetensors")).ids());
    EXPECT_EQ(model.tokenizer->decode(ids), text);
  }
}

TEST(GgufAsModel, IsDescribedLikeAFolder) {
  const Model model = load_model(golden_ggufs() / "split-00002-of-00003.gguf");
  EXPECT_EQ(model.most_tokens(), 64);
  const Record record = describe_model(model);
  EXPECT_EQ(record.text("model"), "split");
  EXPECT_EQ(record.text("architecture"), "qwen2");
  EXPECT_EQ(record.text("tokenizer"), "byte-level BPE");
  EXPECT_THAT(record.text("weights"), testing::MatchesRegex("BF16 .*, F32 .*"));
  EXPECT_EQ(record.text("pooling"), "mean");
  EXPECT_EQ(record.text("max_length_file"), "split-00002-of-00003.gguf");
}

}  // namespace
}  // namespace wordsway::test
