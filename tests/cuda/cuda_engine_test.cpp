// The engine on the CUDA device against the one on the processor, for every architecture.
#include "wordsway/cuda/cuda_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/on_the_device.h"
#include "support/golden.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/model/model_sample.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

double relative_error(const Matrix& got, const Matrix& expected) {
  return (got - expected).norm() / std::max(expected.norm(), 1e-30);
}

std::shared_ptr<Transformer> load_on_device(const std::filesystem::path& folder, Precision precision) {
  std::shared_ptr<Transformer> transformer = Transformer::load(folder);
  transformer->use_engine(make_cuda_engine(*transformer, precision));
  return transformer;
}

std::vector<int> some_ids(const Transformer& transformer, Index n, int from) {
  const int first = transformer.config().position_offset > 0 ? 3 : 0;  // no padding, which counts for positions
  std::vector<int> ids;
  for (Index j = 0; j < n; ++j)
    ids.push_back(first + static_cast<int>((from + 37 * j) % (transformer.config().vocabulary - first)));
  return ids;
}

MatrixF below_each_other(const std::vector<MatrixF>& parts) {
  Index rows = 0;
  for (const MatrixF& part : parts) rows += part.rows();
  MatrixF all(rows, parts.front().cols());
  rows = 0;
  for (const MatrixF& part : parts) {
    all.middleRows(rows, part.rows()) = part;
    rows += part.rows();
  }
  return all;
}

struct Bound {
  Precision precision;
  double state, gradient;  // relative errors
  double alone;            // between a copy alone and among others: products of other sizes add up in another order
  double beyond;           // of rows that a move does not reach; an H200 measured 1.1e-7, 2.7e-4 and 5.0e-3
};

// What the precisions are good for, on models of a few layers.
const Bound kBounds[] = {{Precision::kF32, 1e-5, 2e-5, 2e-5, 1e-6},
                         {Precision::kTf32, 1e-2, 5e-2, 1e-2, 1e-3},
                         {Precision::kBf16, 5e-2, 3e-1, 1e-1, 2e-2}};

TEST(CudaEngine, SaysInOneSentenceWhyItIsNotThere) {
  if (why_not().empty()) GTEST_SKIP() << "the device is there";
  EXPECT_THAT(why_not(), HasSubstr("--device cpu"));
  const auto transformer = Transformer::load(golden_models() / "bert");
  EXPECT_THROW(make_cuda_engine(*transformer, Precision::kF32), UsageError);
}

class EveryModel : public OnTheDevice, public testing::WithParamInterface<std::string> {
 protected:
  std::filesystem::path folder() const { return source_folder() / GetParam(); }
  std::unique_ptr<Transformer> here() const { return Transformer::load(folder()); }

  static Index most(const Transformer& transformer) { return std::min<Index>(transformer.config().most_tokens(), 150); }
};

TEST_P(EveryModel, HiddenStatesOfSeveralTextsAgree) {
  const auto cpu = here();
  std::vector<MatrixF> parts;
  std::vector<Index> lengths = {1, 5, most(*cpu), std::min<Index>(most(*cpu), 64), std::min<Index>(most(*cpu), 17)};
  for (const Index n : lengths) parts.push_back(cpu->embed(some_ids(*cpu, n, static_cast<int>(n))));
  const MatrixF x = below_each_other(parts);
  const AttentionMask mask = AttentionMask::of_texts(lengths);
  const auto expected = cpu->hidden_states(x, mask);
  for (const Bound& bound : kBounds) {
    const auto gpu = load_on_device(folder(), bound.precision);
    const auto got = gpu->hidden_states(x, mask);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t l = 0; l < got.size(); ++l)
      EXPECT_LT(relative_error(got[l].cast<double>(), expected[l].cast<double>()), bound.state)
          << "layer " << l << " in " << to_string(bound.precision);
    EXPECT_EQ(gpu->forward(x, 1, mask), got[1]);
  }
}

// Values and gradients of functions of a token's move, through the map.
TEST_P(EveryModel, ChangesAndTheirGradientsAgree) {
  const std::shared_ptr<const Transformer> cpu = here();
  const Index n = std::min<Index>(most(*cpu), 40);
  const Matrix X = cpu->embed(some_ids(*cpu, n, 5)).cast<double>();
  std::vector<ModelOutput> outputs = {{1}, {0}};
  for (const std::string& name : readout_registry().names()) {
    const auto readout = readout_named(name);
    if (readout->why_missing(*cpu, cpu->config().layers).empty()) outputs.push_back({cpu->config().layers, readout});
  }
  for (const Bound& bound : kBounds) {
    const std::shared_ptr<const Transformer> gpu = load_on_device(folder(), bound.precision);
    for (const ModelOutput& output : outputs) {
      const auto there = ModelMap(gpu, output).at(X), here_too = ModelMap(cpu, output).at(X);
      EXPECT_LT(relative_error(there->features(), here_too->features()), bound.state);
      const double norm = here_too->feature_norm();
      for (const Index token : {Index{0}, n / 2, n - 1}) {
        Matrix deltas(3, X.cols());
        for (Index k = 0; k < 3; ++k) {
          const Vector direction = gaussian_vector(Stream(3).derive(static_cast<std::uint64_t>(k)), X.cols());
          deltas.row(k) = direction.transpose() * X.row(token).norm() / direction.norm();
        }
        const auto compare = [&](const LiftedFunction& got, const LiftedFunction& expected, const char* what) {
          Matrix got_gradients, expected_gradients;
          const Vector values = got.values(deltas, &got_gradients);
          const Vector wanted = expected.values(deltas, &expected_gradients);
          const auto where = [&] {
            return fmt::format("{} layer {} {} token {} in {}", what, output.layer, output.readout->description(),
                               token, to_string(bound.precision));
          };
          if (wanted.cwiseAbs().maxCoeff() == 0) {  // beyond the windows of a decoder
            EXPECT_LT(values.cwiseAbs().maxCoeff(), std::pow(bound.beyond * norm, 2)) << where();
            return;
          }
          // A small change is a difference of large features: their rounding is a larger share of it.
          const double loss = std::max(1.0, norm / std::sqrt(wanted.cwiseAbs().minCoeff()));
          EXPECT_LT(relative_error(values, wanted), bound.gradient * loss) << where();
          EXPECT_LT(relative_error(got_gradients, expected_gradients), bound.gradient * loss) << where();
          EXPECT_LT(relative_error(got.values(deltas, nullptr), values), 1e-12) << where();
          Vector one;
          EXPECT_NEAR(got(deltas.row(1).transpose(), &one), values[1], bound.alone * loss * std::abs(values[1]))
              << where();
          EXPECT_LT(relative_error(one, got_gradients.row(1).transpose()), bound.alone * loss) << where();
        };
        compare(*there->token(token)->change(), *here_too->token(token)->change(), "change");
        const Matrix psi = here_too->features() / here_too->features().norm();
        compare(*there->token(token)->inner(psi), *here_too->token(token)->inner(psi), "inner");
      }
    }
  }
}

// A text that grows in pieces, and the logits after each of its tokens.
TEST_P(EveryModel, ATextThatGrowsHasTheStatesAndLogitsOfTheWhole) {
  const auto cpu = here();
  if (!cpu->is_decoder()) GTEST_SKIP() << "an encoder's text does not grow";
  const std::vector<int> ids = some_ids(*cpu, most(*cpu), 3);
  const MatrixF whole = cpu->forward(cpu->embed(ids), cpu->config().layers);
  for (const Bound& bound : kBounds) {
    const auto gpu = load_on_device(folder(), bound.precision);
    for (const size_t piece : {ids.size(), size_t{1}, size_t{7}}) {
      KeyValueCache cache = gpu->make_cache();
      std::vector<MatrixF> parts;
      for (size_t begin = 0; begin < ids.size(); begin += piece) {
        if (begin == 14) {
          KeyValueCache other = cache;  // goes on by itself
          gpu->extend(std::vector<int>{ids[3], ids[1]}, other);
        }
        parts.push_back(gpu->extend(std::span(ids).subspan(begin, std::min(piece, ids.size() - begin)), cache));
      }
      const MatrixF grown = below_each_other(parts);
      EXPECT_LT(relative_error(grown.cast<double>(), whole.cast<double>()), bound.state)
          << "in pieces of " << piece << " in " << to_string(bound.precision);
      if (!cpu->predicts_next_word()) continue;
      EXPECT_LT(relative_error(gpu->logits(grown).cast<double>(), cpu->logits(grown).cast<double>()), bound.state);
      const MatrixF cotangent = cpu->logits(grown.topRows(2));
      EXPECT_LT(relative_error(gpu->logits_vjp(cotangent).cast<double>(), cpu->logits_vjp(cotangent).cast<double>()),
                bound.state);
    }
  }
}

std::vector<std::string> models() {
  std::vector<std::string> names = {"models/builtin", "models/builtin-decoder"};
  const auto computed = [](const std::string& name) {  // ModelsThatItCannotComputeAreRefused
    const auto transformer = Transformer::load(golden_models() / name);
    return transformer->config().normaliser.is_softmax() && transformer->config().attention.width % 4 == 0;
  };
  for (const std::string& name : golden_model_names())
    if (computed(name)) names.push_back("tests/golden/models/" + name);
  for (const char* name : {"bert-cls-dense", "bert-concat", "bert-weightedmean", "mpnet-mean-prompt"})
    names.push_back(std::string("tests/golden/sentence/") + name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models()), [](const auto& model) {
  std::string name = model.param.substr(model.param.rfind('/') + 1);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

class BuiltinEncoder : public OnTheDevice {
 protected:
  const std::filesystem::path folder = source_folder() / "models/builtin";

  static SampleSensitivity measure(const std::shared_ptr<const Transformer>& transformer) {
    const Matrix X = transformer->embed(some_ids(*transformer, 20, 5)).cast<double>();
    const auto sample = ModelMap(transformer, {transformer->config().layers}).at(X);
    SensitivityOptions options;
    options.starts = 8;
    return measure_tokens(*sample, options, Stream(1));
  }
};

TEST_F(BuiltinEncoder, SearchesInLockstepFindWhatTheProcessorFinds) {
  const auto there = measure(load_on_device(folder, Precision::kF32));
  const auto here = measure(Transformer::load(folder));
  ASSERT_EQ(there.sensitivities.size(), here.sensitivities.size());
  // Ascents of a rugged function part after some steps; what they find hardly differs.
  for (size_t k = 0; k < here.sensitivities.size(); ++k)
    EXPECT_NEAR(there.sensitivities[k], here.sensitivities[k], 0.03 * here.sensitivities[k]) << "token " << k;
}

TEST_F(BuiltinEncoder, TwoRunsHaveTheSameBits) {
  const auto first = measure(load_on_device(folder, Precision::kF32));
  const auto second = measure(load_on_device(folder, Precision::kF32));
  EXPECT_EQ(first.sensitivities, second.sensitivities);
  EXPECT_EQ(first.most.delta, second.most.delta);
}

// Gradients that nobody wants are left out, and the others have the bits that they have without them.
TEST_F(BuiltinEncoder, ValuesAloneComeWithGradientsOfOthers) {
  for (const char* name : {"models/builtin", "models/builtin-decoder"}) {
    const auto transformer = Transformer::load(source_folder() / name);
    const auto engine = make_cuda_engine(*transformer, Precision::kF32);
    const MatrixF x = transformer->embed(some_ids(*transformer, 20, 5));
    const auto text = engine->text(x, transformer->config().layers);
    const std::vector<Index> tokens = {3, 0, 19, 7, 7};
    const MatrixF rows = x.middleRows(4, 5);
    MatrixF all, some, first;
    const Vector expected = text->distances({tokens, rows}, &all);
    EXPECT_EQ(text->distances({tokens, rows, 2}, &some), expected) << name;
    ASSERT_EQ(some.rows(), 3) << name;
    text->distances({std::span(tokens).first(3), rows.topRows(3)}, &first);
    EXPECT_EQ(some, first) << name;
    EXPECT_LT(relative_error(some.cast<double>(), all.topRows(3).cast<double>()), 1e-5) << name;
    EXPECT_EQ(text->distances({tokens, rows, 5}, nullptr), expected) << name;
  }
}

// A copy of one row is a block in a grid, which has at most 65,535.
TEST_F(BuiltinEncoder, MoreCopiesThanAGridHasBlocks) {
  constexpr Index kCopies = 70000;
  const auto transformer = Transformer::load(folder);
  const auto engine = make_cuda_engine(*transformer, Precision::kF32);
  const MatrixF x = transformer->embed(some_ids(*transformer, 1, 5));
  const auto text = engine->text(x, transformer->config().layers);
  const MatrixF moved = transformer->embed(some_ids(*transformer, 2, 6));
  MatrixF rows(kCopies, x.cols()), gradients;
  for (Index k = 0; k < kCopies; ++k) rows.row(k) = moved.row(k % 2);
  const std::vector<Index> tokens(kCopies);
  const Vector found = text->distances({tokens, rows}, &gradients);
  for (Index k = 2; k < kCopies; ++k) ASSERT_NEAR(found[k], found[k % 2], 1e-5 * found[k % 2]) << k;
  const Matrix last = gradients.bottomRows(2).cast<double>(), beginning = gradients.topRows(2).cast<double>();
  EXPECT_LT(relative_error(last, beginning), 1e-4);
}

TEST_F(OnTheDevice, ModelsThatItCannotComputeAreRefused) {
  for (const char* name : {"bert-sigmoid", "qwen3-window"}) {  // no softmax; heads of 6 columns
    const auto transformer = Transformer::load(golden_models() / name);
    EXPECT_THROW(make_cuda_engine(*transformer, Precision::kF32), UsageError) << name;
  }
}

}  // namespace
}  // namespace wordsway::test
