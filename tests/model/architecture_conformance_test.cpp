// What every architecture must do. A new one is tested by its entry in the registry and a small model with random
// weights in tests/golden/models (make_model_golden.py); if it is read from GGUF files, also one in
// tests/golden/gguf/models.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/against_golden.h"
#include "support/places.h"
#include "support/processor_engine.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/model/model_map.h"

namespace wordsway::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A copy of a small model with another value in its config.json.
std::unique_ptr<Transformer> load_changed(const std::string& name, const std::string& key,
                                          const nlohmann::json& value) {
  const TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path("model");
  std::filesystem::copy(golden_models() / name, folder, std::filesystem::copy_options::recursive);
  nlohmann::json config = nlohmann::json::parse(text_of(folder / "config.json"));
  config[key] = value;
  std::ofstream(folder / "config.json") << config.dump();
  return Transformer::load(folder);
}

TEST(ArchitectureRegistry, EveryEntryHasASmallModel) {
  std::set<std::string> tested, tested_gguf;
  for (const std::string& name : golden_model_names()) tested.insert(golden_architecture(name));
  for (const std::string& name : golden_gguf_names())
    tested_gguf.insert(Transformer::load(golden_ggufs() / (name + ".gguf"))->config().architecture);
  for (const std::string& type : architecture_registry().names()) {
    const ArchitectureEntry& entry = architecture_registry().get(type);
    EXPECT_TRUE(tested.contains(entry.same_as.empty() ? type : entry.same_as)) << type;
    EXPECT_EQ(tested_gguf.contains(type), entry.gguf.has_value()) << type;
    EXPECT_TRUE(entry.summary.starts_with(entry.title + ": ")) << type;
  }
}

TEST(ArchitectureRegistry, AnotherNameOfAnEntryReadsTheSameModels) {
  for (const std::string& type : architecture_registry().names()) {
    const std::string same = architecture_registry().get(type).same_as;
    if (same.empty()) continue;
    const auto expected = Transformer::load(golden_models() / same), found = load_changed(same, "model_type", type);
    const Golden golden(golden_models() / same / "expected.safetensors");
    EXPECT_EQ(found->forward(found->embed(golden.ids()), found->config().layers, golden.mask()),
              expected->forward(expected->embed(golden.ids()), expected->config().layers, golden.mask()))
        << type;
  }
}

TEST(ArchitectureRegistry, IsWhatTheDocumentationSays) {
  std::string models = text_of(source_folder() / "docs/models.md");
  std::ranges::replace(models, '\n', ' ');
  for (const std::string& type : architecture_registry().names()) {
    EXPECT_THAT(models, testing::HasSubstr("`" + type + "`")) << "docs/models.md has a table of architectures";
    if (const auto& gguf = architecture_registry().get(type).gguf) {
      EXPECT_THAT(models, testing::HasSubstr("`" + gguf->architecture + "`")) << "and says which are read from GGUF";
    }
  }
  EXPECT_THAT(models, testing::HasSubstr("Tensors may be " + enumerate(readable_gguf_types(), "or")));
  const std::string readme = text_of(source_folder() / "README.md") + models;
  for (const std::string& title : decoder_titles()) EXPECT_THAT(readme, testing::HasSubstr(title));
}

class EveryArchitecture : public testing::TestWithParam<std::string> {
 protected:
  const std::filesystem::path folder = golden_models() / GetParam();
  const ArchitectureEntry& entry = architecture_registry().get(golden_architecture(GetParam()));
  const std::shared_ptr<const Transformer> transformer = Transformer::load(folder);
  const Golden golden{folder / "expected.safetensors"};
  const Index layers = transformer->config().layers;
};

TEST_P(EveryArchitecture, AgreeWithTransformersInEverything) {
  ModelAgainstGolden(folder, folder / "expected.safetensors", 1e-5).check_all();
}

TEST_P(EveryArchitecture, GiveTheSameBitsWithAnyNumberOfThreads) {
  const int before = available_threads();
  std::vector<MatrixF> outputs, gradients;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    TransformerTrace trace;
    outputs.push_back(transformer->forward(transformer->embed(golden.ids()), layers, golden.mask(), trace));
    gradients.push_back(transformer->vjp(trace, golden.matrix("cotangent")));
  }
  set_thread_count(before);
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_EQ(outputs[0], outputs[2]);
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(gradients[0], gradients[2]);
}

TEST_P(EveryArchitecture, GiveATextTheSameBitsAloneAndAmongOthers) {
  std::vector<MatrixF> texts;
  std::vector<Index> lengths;
  Index rows = 0;
  for (const Index length : {5, 1, 12, 7, 31}) {
    std::vector<int> ids;
    for (Index k = 0; k < length; ++k) ids.push_back(static_cast<int>(3 + (7 * k + length) % 90));
    texts.push_back(transformer->embed(ids));
    lengths.push_back(length);
    rows += length;
  }
  MatrixF all(rows, transformer->config().hidden_size);
  for (Index row = 0; const MatrixF& text : texts) {
    all.middleRows(row, text.rows()) = text;
    row += text.rows();
  }
  const MatrixF together = transformer->forward(all, layers, AttentionMask::of_texts(lengths));
  for (Index row = 0; const MatrixF& text : texts) {
    EXPECT_EQ(MatrixF(together.middleRows(row, text.rows())), transformer->forward(text, layers)) << text.rows();
    row += text.rows();
  }
}

TEST_P(EveryArchitecture, IsWhatItsEntrySays) {
  EXPECT_EQ(transformer->is_decoder(), entry.is_decoder);
  EXPECT_EQ(transformer->config().architecture, golden_architecture(GetParam()));
  for (const char* key : {"attention_normaliser", "attention_beta"}) {
    if (entry.has_normalisers) continue;
    EXPECT_THAT(
        [&] { load_changed(GetParam(), key, 1); },
        testing::ThrowsMessage<DataError>(testing::AllOf(testing::HasSubstr(key), testing::HasSubstr("only bert"))));
  }
}

// One step along a direction is too short for float32: the slope of ⟨h, cotangent⟩ is taken between two that are
// further apart.
TEST_P(EveryArchitecture, GradientsAgreeWithDifferences) {
  const MatrixF x = transformer->embed(golden.ids()), cotangent = golden.matrix("cotangent");
  for (const Index layer : {Index{1}, layers}) {
    TransformerTrace trace;
    transformer->forward(x, layer, golden.mask(), trace);
    const Matrix gradient = transformer->vjp(trace, cotangent).cast<double>();
    const auto value = [&](const Matrix& at) {
      const MatrixF hidden = transformer->forward(at.cast<float>(), layer, golden.mask());
      return (hidden.cast<double>().array() * cotangent.cast<double>().array()).sum();
    };
    for (unsigned seed = 20; seed < 23; ++seed) {
      const double step = 2e-3;
      Matrix direction = random_matrix(x.rows(), x.cols(), seed).cast<double>();
      direction /= direction.norm();
      const Matrix at = x.cast<double>();
      const double slope = (value(at + step * direction) - value(at - step * direction)) / (2 * step);
      EXPECT_NEAR((gradient.array() * direction.array()).sum(), slope, 4e-3 * gradient.norm()) << layer;
    }
  }
}

TEST_P(EveryArchitecture, AChangedRowGivesWhatAWholeForwardPassGives) {
  const MatrixF x = transformer->embed(golden.ids()), cotangent = golden.matrix("cotangent");
  for (Index layer = 0; layer <= layers; ++layer)
    for (const Index token : {Index{0}, Index{3}, x.rows() - 1}) {
      MatrixF moved = x;
      moved.row(token) += random_row(x.cols(), 40);
      TransformerTrace base, trace, whole;
      transformer->forward(x, layer, golden.mask(), base);
      const MatrixF expected = transformer->forward(moved, layer, golden.mask(), whole);
      const MatrixF got = transformer->forward_changed_row(moved, token, base, trace);
      EXPECT_LT(relative_error(got, expected.cast<double>()), 2e-6) << layer << ", " << token;
      EXPECT_LT(relative_error(MatrixF(transformer->vjp_row(trace, cotangent, token)),
                               transformer->vjp_row(whole, cotangent, token).cast<double>()),
                1e-5)
          << layer << ", " << token;
    }
}

TEST_P(EveryArchitecture, ATextInTheCacheOfADecoderGrowsToWhatAForwardPassGives) {
  if (!entry.is_decoder) {
    KeyValueCache cache = transformer->make_cache();
    EXPECT_THROW(transformer->extend(std::vector<int>{5}, cache), DataError);
    return;
  }
  const std::vector<int> ids{5, 17, 33, 60, 8, 91, 12, 44, 3, 70, 21};
  const MatrixF whole = transformer->forward(transformer->embed(ids), layers);
  KeyValueCache cache = transformer->make_cache();
  transformer->extend(std::span(ids).first(7), cache);
  for (size_t k = 7; k < ids.size(); ++k) {
    const MatrixF row = transformer->extend(std::span(ids).subspan(k, 1), cache);
    EXPECT_LT(relative_error(row, whole.row(static_cast<Index>(k)).cast<double>()), 5e-6) << k;
  }
}

// Values and gradients of every readout, on the CPU against differences and on the double of a device against the CPU.
TEST_P(EveryArchitecture, EveryReadoutIsAMapWithGradientsAlsoOnADevice) {
  const std::vector<int> ids{5, 17, 33, 60, 8, 91, 12};
  const Matrix X = transformer->embed(ids).cast<double>();
  const std::shared_ptr<const Transformer> on_device = load_with_engine(folder).transformer;
  const Index token = 2;
  for (const std::string& name : readout_registry().names()) {
    SCOPED_TRACE(name);
    const ModelOutput output{layers, readout_named(name)};
    if (!output.readout->why_missing(*transformer, layers).empty()) {
      EXPECT_THROW(ModelMap(transformer, output), UsageError);
      continue;
    }
    const auto sample = ModelMap(transformer, output).at(X), device_sample = ModelMap(on_device, output).at(X);
    EXPECT_EQ(sample->features().cols(), output.readout->columns(*transformer));
    EXPECT_EQ(sample->features().rows() == 1, output.readout->is_vector());
    EXPECT_EQ(device_sample->features(), sample->features());
    const auto view = sample->token(token), device_view = device_sample->token(token);
    const Matrix psi = random_matrix(sample->features().rows(), sample->features().cols(), 9).cast<double>();
    const Vector delta = random_row(X.cols(), 5).transpose().cast<double>() * 0.5;
    const auto check = [&](const LiftedFunction& f, const LiftedFunction& on_device_f) {
      Vector gradient, device_gradient;
      const double value = f(delta, &gradient), step = 2e-3;
      for (unsigned seed = 20; seed < 23; ++seed) {
        const Vector direction = random_row(X.cols(), seed).transpose().cast<double>().normalized();
        const double slope = (f(delta + step * direction) - f(delta - step * direction)) / (2 * step);
        EXPECT_NEAR(gradient.dot(direction), slope, 4e-3 * gradient.norm());
      }
      EXPECT_NEAR(on_device_f(delta, &device_gradient), value, 1e-5 * std::abs(value));
      EXPECT_LT((device_gradient - gradient).norm(), 1e-4 * gradient.norm());
    };
    check(*view->change(), *device_view->change());
    check(*view->inner(psi), *device_view->inner(psi));
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, EveryArchitecture, testing::ValuesIn(golden_model_names()),
                         [](const auto& test) { return test_name(test.param); });

class EveryGguf : public testing::TestWithParam<std::string> {};

// Grouped heads, rope_freqs, biases, windows, heads of their own width; every type of tensors among them.
TEST_P(EveryGguf, AgreesWithTransformersOnTheSameWeightsDequantised) {
  ModelAgainstGolden(golden_ggufs() / (GetParam() + ".gguf"), golden_ggufs() / (GetParam() + ".safetensors"), 1e-5)
      .check_all();
}

INSTANTIATE_TEST_SUITE_P(Files, EveryGguf, testing::ValuesIn(golden_gguf_names()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace wordsway::test
