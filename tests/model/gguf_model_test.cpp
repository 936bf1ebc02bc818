// Models in GGUF files: what is theirs beside the numbers, which transformer_test.cpp compares. And files that lie:
// each is refused with a sentence that names the file and the key or the tensor. The files were made by
// tests/golden/make_gguf_model_golden.py.
#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.h"
#include "support/gguf_bytes.h"
#include "support/golden.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "support/tensor_files.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_set.h"
#include "wordsway/model/transformer.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;
using Path = std::filesystem::path;

MatrixF last_state(const Transformer& transformer) {
  const std::vector<int> ids = {3, 1, 4, 1, 5, 9, 2, 6};
  return transformer.forward(transformer.embed(ids), transformer.config().layers);
}

TEST(GgufModel, HasTheNameOfItsFile) {
  EXPECT_EQ(Transformer::load(golden_ggufs() / "llama3.gguf")->name(), "llama3");
}

TEST(GgufModel, IsKnownByItsFile) {
  const Record content = Transformer::load(golden_ggufs() / "llama3.gguf")->content();
  EXPECT_NE(content.find("weights in llama3.gguf"), nullptr);
}

TEST(GgufModel, SaysWhatItIs) {
  const auto transformer = Transformer::load(golden_ggufs() / "qwen3.gguf");
  const ModelConfig& config = transformer->config();
  EXPECT_EQ(config.architecture, "qwen3");
  EXPECT_EQ(config.vocabulary, 64);
  EXPECT_EQ(config.attention.heads, 4);
  EXPECT_EQ(config.attention.kv_heads, 2);
  EXPECT_EQ(config.attention.width, 24);
  EXPECT_EQ(config.most_tokens(), 64);
  EXPECT_FALSE(config.tied_decoder);
  EXPECT_TRUE(transformer->is_decoder());
  EXPECT_TRUE(transformer->predicts_next_word());
}

TEST(GgufModel, OfAWindowIsReadAsMistral) {
  EXPECT_EQ(Transformer::load(golden_ggufs() / "mistral.gguf")->config().architecture, "mistral");
}

// ------------------------------------------------------------------------------------------------------ several files

class SplitGguf : public testing::Test {
 protected:
  SplitGguf() {
    for (int number = 1; number <= 3; ++number) std::filesystem::copy_file(golden_ggufs() / part(number), file(number));
  }
  static std::string part(int number) { return "split-0000" + std::to_string(number) + "-of-00003.gguf"; }
  Path file(int number) const { return folder_.path(part(number)); }

  const TemporaryFolder folder_;
};

TEST_F(SplitGguf, IsOneModelWhicheverFileIsGiven) {
  const MatrixF expected = last_state(*Transformer::load(golden_ggufs() / "qwen2.gguf"));
  for (int number = 1; number <= 3; ++number) {
    const auto transformer = Transformer::load(file(number));
    EXPECT_EQ(transformer->name(), "split");
    EXPECT_EQ(last_state(*transformer), expected);
    const Record content = transformer->content();
    for (int other = 1; other <= 3; ++other) EXPECT_NE(content.find("weights in " + part(other)), nullptr);
  }
}

TEST_F(SplitGguf, NamesTheFileThatIsMissing) {
  std::filesystem::remove(file(2));
  EXPECT_THAT(message_of<FileError>([&] { Transformer::load(file(1)); }),
              testing::AllOf(HasSubstr(file(2).string()), HasSubstr("part 2 of 3 of the model split")));
}

TEST_F(SplitGguf, RefusesAFileInThePlaceOfAnother) {
  std::filesystem::copy_file(file(3), file(2), std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(message_of<DataError>([&] { Transformer::load(file(1)); }),
              HasSubstr("-00002-of-00003.gguf: the key \"split.no\" is 2; expected 1"));
}

TEST_F(SplitGguf, RefusesATensorThatIsInTwoFiles) {
  std::string bytes = read_bytes(file(3));
  const std::string number = text("split.no") + u32(2);
  const std::size_t at = bytes.find(number) + number.size();
  bytes[at] = '\1';
  write_bytes(file(2), bytes);
  EXPECT_THAT(message_of<DataError>([&] { GgufSet::open(file(1)); }), HasSubstr("is in split-00002-of-00003.gguf too"));
}

TEST_F(SplitGguf, RefusesAPartUnderANameThatSaysNothing) {
  std::filesystem::copy_file(file(1), folder_.path("whole.gguf"));
  EXPECT_THAT(
      message_of<DataError>([&] { Transformer::load(folder_.path("whole.gguf")); }),
      HasSubstr("whole.gguf: the key \"split.count\" is 3, so the file's name must end with -00001-of-00003.gguf"));
}

// ------------------------------------------------------------------------------------------------------ malformed
// files

// The bytes of a golden file; all edits leave tensors where they are.
class GgufBytes {
 public:
  explicit GgufBytes(const Path& path) : bytes_(read_bytes(path)) {}

  const std::string& bytes() const { return bytes_; }

  void replace(const std::string& from, const std::string& to) {
    ASSERT_EQ(from.size(), to.size());
    const std::size_t at = bytes_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bytes_.replace(at, from.size(), to);
  }

  /// The value of a key, in four bytes.
  void set(const std::string& key, const std::string& value) {
    const std::size_t at = bytes_.find(text(key));
    ASSERT_NE(at, std::string::npos) << key;
    bytes_.replace(at + text(key).size() + 4, value.size(), value);
  }

  /// With another that makes both together a multiple of the alignment.
  void add(const std::string& key) {
    constexpr std::size_t kAlignment = 32, kKeyCount = 16, kFront = 24;
    const std::size_t size = key.size() + gguf_text("filler", "").size();
    const std::string filler = gguf_text("filler", std::string(kAlignment - size % kAlignment, 'x'));
    bytes_.insert(kFront, key + filler);
    bytes_[kKeyCount] = static_cast<char>(bytes_[kKeyCount] + 2);
  }

  /// The bytes after the two extents of a tensor in the table.
  void set_type(const std::string& tensor, std::uint32_t type) {
    const std::size_t at = bytes_.find(text(tensor));
    ASSERT_NE(at, std::string::npos) << tensor;
    bytes_.replace(at + text(tensor).size() + 4 + 16, 4, u32(type));
  }

  void set_value(const Path& path, const std::string& tensor, const std::string& value) {
    bytes_.replace(GgufFile::open(path).info(tensor).offset, value.size(), value);
  }

 private:
  std::string bytes_;
};

struct Lie {
  std::string name;
  std::function<void(GgufBytes&)> edit;
  std::string message;

  friend void PrintTo(const Lie& lie, std::ostream* out) { *out << lie.name; }
};

Path model_path() {
  return golden_ggufs() / "llama3.gguf";
}

std::function<void(GgufBytes&)> without(const std::string& key) {
  return [key](GgufBytes& file) {
    std::string other = key;
    other.back() = other.back() == 'x' ? 'y' : 'x';
    file.replace(text(key), text(other));
  };
}

std::function<void(GgufBytes&)> with_integer(const std::string& key, std::uint32_t value) {
  return [key, value](GgufBytes& file) { file.set(key, u32(value)); };
}

std::function<void(GgufBytes&)> with_number(const std::string& key, float value) {
  return [key, value](GgufBytes& file) { file.set(key, number_bytes(value)); };
}

std::function<void(GgufBytes&)> with_key(const std::string& key) {
  return [key](GgufBytes& file) { file.add(key); };
}

std::function<void(GgufBytes&)> with_value(const std::string& tensor, const std::string& value) {
  return [tensor, value](GgufBytes& file) { file.set_value(model_path(), tensor, value); };
}

class LyingGguf : public testing::TestWithParam<Lie> {};

TEST_P(LyingGguf, IsRefusedWithASentence) {
  const TemporaryFolder folder;
  const Path path = folder.path("liar.gguf");
  GgufBytes file(model_path());
  write_bytes(path, file.bytes());
  ASSERT_NO_THROW(Transformer::load(path));
  GetParam().edit(file);
  write_bytes(path, file.bytes());
  const std::string message = message_of<DataError>([&] { Transformer::load(path); });
  EXPECT_THAT(message, testing::StartsWith(path.string() + ": "));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, LyingGguf,
    testing::Values(
        Lie{"NoArchitecture", without("general.architecture"), "there is no key \"general.architecture\""},
        Lie{"OtherArchitecture",
            [](GgufBytes& f) {
              f.replace(text("general.architecture") + u32(8) + text("llama"),
                        text("general.architecture") + u32(8) + text("gemma"));
            },
            "the key \"general.architecture\" is \"gemma\"; supported are llama, qwen2 and qwen3"},
        Lie{"NoLayers", without("llama.block_count"), "'llama.block_count' is missing"},
        Lie{"NoWidth", without("llama.embedding_length"), "'llama.embedding_length' is missing"},
        Lie{"NoFeedForward", without("llama.feed_forward_length"), "'llama.feed_forward_length' is missing"},
        Lie{"NoHeads", without("llama.attention.head_count"), "'llama.attention.head_count' is missing"},
        Lie{"NoLength", without("llama.context_length"), "'llama.context_length' is missing"},
        Lie{"NoEpsilon", without("llama.attention.layer_norm_rms_epsilon"),
            "there is no key \"llama.attention.layer_norm_rms_epsilon\""},
        Lie{"ZeroLayers", with_integer("llama.block_count", 0),
            "'llama.block_count' must be an integer from 1 to 1000"},
        Lie{"ManyLayers", with_integer("llama.block_count", 100'000), "'llama.block_count' must be an integer from 1"},
        Lie{"ZeroWidth", with_integer("llama.embedding_length", 0),
            "'llama.embedding_length' must be an integer from 1"},
        Lie{"HugeWidth", with_integer("llama.embedding_length", 0xFFFFFFFF),
            "'llama.embedding_length' must be an integer from 1"},
        Lie{"HugeFeedForward", with_integer("llama.feed_forward_length", 0x7FFFFFFF),
            "'llama.feed_forward_length' must be an integer from 1"},
        Lie{"ZeroHeads", with_integer("llama.attention.head_count", 0),
            "'llama.attention.head_count' must be an integer from 1"},
        Lie{"HeadsDoNotDivide", with_integer("llama.attention.head_count_kv", 3),
            "'llama.attention.head_count_kv' must divide the 4 heads, but is 3"},
        Lie{"ZeroKeyHeads", with_integer("llama.attention.head_count_kv", 0),
            "'llama.attention.head_count_kv' must be an integer from 1 to 4, but is 0"},
        Lie{"MoreKeyHeads", with_integer("llama.attention.head_count_kv", 8),
            "'llama.attention.head_count_kv' must be an integer from 1 to 4, but is 8"},
        Lie{"ZeroLength", with_integer("llama.context_length", 0), "'llama.context_length' must be an integer from 1"},
        Lie{"PartialRotation", with_integer("llama.rope.dimension_count", 4),
            "the key \"llama.rope.dimension_count\" is 4; only the width of the keys, 8, is supported"},
        Lie{"OtherValues", with_key(gguf_u32("llama.attention.value_length", 16)),
            "the key \"llama.attention.value_length\" is 16; only the width of the keys, 8, is supported"},
        Lie{"TextForANumber", with_key(gguf_text("llama.attention.key_length", "8")),
            "the key \"llama.attention.key_length\" holds a value of type string; expected an integer"},
        Lie{"HeadsOfEachLayer", with_key(gguf_i32s("llama.attention.key_length", {8, 8})),
            "the key \"llama.attention.key_length\" holds an array of i32; expected an integer"},
        Lie{"Experts", with_key(gguf_u32("llama.expert_count", 8)),
            "the key \"llama.expert_count\" is 8; models of several experts are not supported"},
        Lie{"NotCausal", with_key(gguf_flag("llama.attention.causal", false)),
            "the key \"llama.attention.causal\" is false"},
        Lie{"Yarn", with_key(gguf_text("llama.rope.scaling.type", "yarn")),
            "the key \"llama.rope.scaling.type\" is \"yarn\"; supported are none and linear"},
        Lie{"LinearWithoutFactor", with_key(gguf_text("llama.rope.scaling.type", "linear")),
            "'llama.rope.scaling.factor' is missing"},
        Lie{"HugeWindow", with_key(gguf_u32("llama.attention.sliding_window", 0xFFFFFFFF)),
            "'llama.attention.sliding_window' must be an integer from 1"},
        Lie{"InfiniteBase", with_number("llama.rope.freq_base", std::numeric_limits<float>::infinity()),
            "the key \"llama.rope.freq_base\" holds a number that is not finite"},
        Lie{"ZeroBase", with_number("llama.rope.freq_base", 0), "'llama.rope.freq_base' must be a number from 1"},
        Lie{"NegativeEpsilon", with_number("llama.attention.layer_norm_rms_epsilon", -1),
            "'llama.attention.layer_norm_rms_epsilon' must be a number from 0"}),
    [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tensors, LyingGguf,
    testing::Values(
        Lie{"FewerLayers", with_integer("llama.block_count", 1),
            "the tensor \"blk.1.attn_k.weight\" is none that this architecture has in so many layers"},
        Lie{"MoreLayers", with_integer("llama.block_count", 3), "there is no tensor \"blk.2.attn_norm.weight\""},
        Lie{"OtherWidth", with_integer("llama.embedding_length", 64), "the width of the keys, 16, is supported"},
        Lie{"OtherFeedForward", with_integer("llama.feed_forward_length", 48),
            "the tensor \"blk.0.ffn_gate.weight\" has shape (32, 32), expected (48, 32)"},
        Lie{"OtherKeyHeads", with_integer("llama.attention.head_count_kv", 4),
            "the tensor \"blk.0.attn_k.weight\" has shape (16, 32), expected (32, 32)"},
        Lie{"NoWordVectors", [](GgufBytes& f) { f.replace(text("token_embd.weight"), text("token_embx.weight")); },
            "there is no tensor \"token_embd.weight\""},
        Lie{"UnknownTensor", [](GgufBytes& f) { f.replace(text("blk.0.attn_q.weight"), text("blk.0.attn_x.weight")); },
            "the tensor \"blk.0.attn_x.weight\" is none that this architecture has"},
        Lie{"NormsOfHeads",
            [](GgufBytes& f) { f.replace(text("blk.1.attn_output.weight"), text("blk.1.attn_q_norm.weight")); },
            "the tensor \"blk.1.attn_q_norm.weight\" is none that this architecture has"},
        Lie{"IntegerTensor", [](GgufBytes& f) { f.set_type("blk.0.attn_q.weight", 25); },
            "the tensor 'blk.0.attn_q.weight' holds I16 values; expected F32, F16, Q4_0"},
        Lie{"NotFinite", with_value("blk.1.attn_k.weight", std::string("\0\x7e", 2)),
            "the tensor 'blk.1.attn_k.weight' holds a value that is not finite"},
        Lie{"DivisorOfZero", with_value("rope_freqs.weight", number_bytes(0.0F)),
            "the tensor 'rope_freqs.weight' holds a divisor that is not above 0"}),
    [](const auto& test) { return test.param.name; });

TEST(LyingGgufs, AreFileErrorsWhenTheyAreNotThere) {
  EXPECT_THAT(message_of<FileError>([] { Transformer::load("/no/such/model.gguf"); }),
              HasSubstr("/no/such/model.gguf"));
}

TEST(LyingGgufs, AreRefusedAtEveryLength) {
  const TemporaryFolder folder;
  const std::string whole = read_bytes(model_path());
  for (std::size_t size = 0; size < whole.size(); size += 997) {
    write_bytes(folder.path("cut.gguf"), whole.substr(0, size));
    EXPECT_THROW(Transformer::load(folder.path("cut.gguf")), DataError) << size;
  }
}

}  // namespace
}  // namespace wordsway::test
