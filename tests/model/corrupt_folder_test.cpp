// A model folder that is corrupt, truncated or absurd is refused with a sentence that names the file and the fault.
#include <fstream>
#include <functional>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/golden.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/model/transformer.h"

namespace wordsway::test {
namespace {

using Path = std::filesystem::path;
using Json = nlohmann::json;

std::string read(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const Path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::function<void(const Path&)> set_key(const std::string& key, const Json& value) {
  return [=](const Path& folder) {
    Json config = Json::parse(read(folder / "config.json"));
    config[key] = value;
    write(folder / "config.json", config.dump());
  };
}

std::function<void(const Path&)> put(const std::string& name, const std::string& content) {
  return [=](const Path& folder) { write(folder / name, content); };
}

std::function<void(const Path&)> drop_key(const std::string& key) {
  return set_key(key, nullptr);
}

// Replaces text of the safetensors header by another of the same length.
std::function<void(const Path&)> rename_in_header(const std::string& from, const std::string& to) {
  return [=](const Path& folder) {
    std::string content = read(folder / "model.safetensors");
    content.replace(content.find(from), from.size(), to);
    write(folder / "model.safetensors", content);
  };
}

void make_last_number_nan(const Path& folder) {
  std::string content = read(folder / "model.safetensors");
  content.replace(content.size() - 4, 4, "\xff\xff\xff\x7f");
  write(folder / "model.safetensors", content);
}

struct Fault {
  std::string name;
  std::function<void(const Path&)> damage;
  std::string file;   // that the message must name
  std::string about;  // what it must say

  friend void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }
};

class CorruptFolder : public testing::TestWithParam<Fault> {};

TEST_P(CorruptFolder, IsRefusedWithASentence) {
  const TemporaryFolder temporary;
  const Path folder = temporary.path("model");
  std::filesystem::copy(golden_models() / "bert", folder, std::filesystem::copy_options::recursive);
  ASSERT_NO_THROW(Transformer::load(folder));
  GetParam().damage(folder);
  try {
    Transformer::load(folder);
    FAIL() << "a damaged folder was accepted";
  } catch (const InternalError& bug) {
    FAIL() << bug.what();
  } catch (const Error& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr(GetParam().file));
    EXPECT_THAT(refusal.what(), testing::HasSubstr(GetParam().about));
  }
}

const std::string kLayer = "encoder.layer.0.attention.self.query.weight";

INSTANTIATE_TEST_SUITE_P(
    Faults, CorruptFolder,
    testing::Values(
        Fault{"NoConfig", [](const Path& f) { std::filesystem::remove(f / "config.json"); }, "config.json", "read"},
        Fault{"EmptyConfig", put("config.json", ""), "config.json", "JSON"},
        Fault{"TornConfig", put("config.json", R"({"model_type": "be)"), "config.json", "JSON"},
        Fault{"ConfigIsAList", put("config.json", "[]"), "config.json", "object"},
        Fault{"NoType", drop_key("model_type"), "config.json", "model_type"},
        Fault{"UnknownType", set_key("model_type", "gpt5"), "config.json", "gpt5"},
        Fault{"TypeIsANumber", set_key("model_type", 3), "config.json", "model_type"},
        Fault{"NoHiddenSize", drop_key("hidden_size"), "config.json", "hidden_size"},
        Fault{"NegativeHiddenSize", set_key("hidden_size", -32), "config.json", "hidden_size"},
        Fault{"HugeHiddenSize", set_key("hidden_size", 1e15), "config.json", "hidden_size"},
        Fault{"HugeUnsigned", set_key("vocab_size", 18446744073709551615ULL), "config.json", "vocab_size"},
        Fault{"ZeroHeads", set_key("num_attention_heads", 0), "config.json", "num_attention_heads"},
        Fault{"HeadsDoNotDivide", set_key("num_attention_heads", 5), "config.json", "divide"},
        Fault{"TextForANumber", set_key("num_hidden_layers", "two"), "config.json", "num_hidden_layers"},
        Fault{"HugeText", set_key("num_hidden_layers", std::string(1000, 'x')), "config.json", "..."},
        Fault{"NegativeEpsilon", set_key("layer_norm_eps", -1), "config.json", "layer_norm_eps"},
        Fault{"UnknownActivation", set_key("hidden_act", "mish"), "config.json", "mish"},
        Fault{"UnknownNormaliser", set_key("attention_normaliser", "sparsemax"), "config.json",
              "'attention_normaliser' is not supported: no normaliser of attention is called 'sparsemax'; there are "
              "softmax, sigmoid, relu, square"},
        Fault{"NormaliserIsANumber", set_key("attention_normaliser", 1), "config.json", "attention_normaliser"},
        Fault{"NoBeta", set_key("attention_beta", 0), "config.json", "attention_beta"},
        Fault{"RelativePositions", set_key("position_embedding_type", "relative_key"), "config.json", "relative_key"},
        Fault{"Decoder", set_key("is_decoder", true), "config.json", "is_decoder"},
        Fault{"PaddingOutsideVocabulary", set_key("pad_token_id", 100), "config.json", "pad_token_id"},
        Fault{"TokenTypesThatAreNotUsed", set_key("type_vocab_size", 0), "model",
              "the tensor 'bert.embeddings.token_type_embeddings.weight' is there, but config.json says"},
        Fault{"OtherWidth", set_key("hidden_size", 64), "model.safetensors", "embeddings.word_embeddings.weight"},
        Fault{"OtherVocabulary", set_key("vocab_size", 101), "model.safetensors", "embeddings.word_embeddings.weight"},
        Fault{"MoreLayers", set_key("num_hidden_layers", 3), "model", "encoder.layer.2"},
        Fault{"OtherArchitecture", set_key("model_type", "roberta"), "model", "embeddings.word_embeddings.weight"},
        Fault{"NoWeights", [](const Path& f) { std::filesystem::remove(f / "model.safetensors"); }, "model",
              "model.safetensors"},
        Fault{"EmptyWeights", put("model.safetensors", ""), "model.safetensors", ""},
        Fault{"TornWeights", [](const Path& f) { std::filesystem::resize_file(f / "model.safetensors", 60'000); },
              "model.safetensors", ""},
        Fault{"MissingTensor", rename_in_header(kLayer, "encoder.layer.0.attention.self.quary.weight"), "model",
              kLayer},
        Fault{"IntegerTensor", rename_in_header(R"("dtype":"F32")", R"("dtype":"I32")"), "model", "holds I32 values"},
        Fault{"NotFinite", make_last_number_nan, "model", "not finite"},
        Fault{"BadModules", put("modules.json", "{}"), "modules.json", "array"}),
    [](const auto& test) { return test.param.name; });

TEST(MissingFolder, IsAFileError) {
  EXPECT_THROW(Transformer::load("/no/such/folder"), FileError);
}

}  // namespace
}  // namespace wordsway::test
