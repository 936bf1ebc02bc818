// A text that grows token by token has the hidden states of a forward over all of it.
#include <algorithm>
#include <numeric>
#include <stop_token>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/reference.h"
#include "support/golden.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"
#include "wordsway/model/transformer.h"

namespace wordsway::test {
namespace {

// Relative, in the Frobenius norm: products in another order differ by roundings of float32.
constexpr double kTolerance = 5e-6;

// 40 tokens: the number of positions of most small models, and longer than every window (3 to 5 tokens).
std::vector<int> some_ids(Index n) {
  std::vector<int> ids;
  for (Index k = 0; k < n; ++k) ids.push_back(static_cast<int>(5 + 37 * k % 90));
  return ids;
}

class Extending : public testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<Transformer> transformer = Transformer::load(golden_models() / GetParam());
  const std::vector<int> ids = some_ids(40);
  const MatrixF whole = transformer->forward(transformer->embed(ids), transformer->config().layers);

  // The rows of all tokens, in pieces of these lengths, the last one of what is left.
  MatrixF in_pieces(const std::vector<size_t>& lengths, KeyValueCache& cache) const {
    MatrixF rows(whole.rows(), whole.cols());
    size_t begin = 0;
    for (size_t piece = 0; begin < ids.size(); ++piece) {
      const size_t left = ids.size() - begin, length = piece < lengths.size() ? std::min(lengths[piece], left) : left;
      rows.middleRows(static_cast<Index>(begin), static_cast<Index>(length)) =
          transformer->extend(std::span(ids).subspan(begin, length), cache);
      begin += length;
      EXPECT_EQ(cache.tokens(), static_cast<Index>(begin));
    }
    return rows;
  }
};

TEST_P(Extending, GivesTheHiddenStatesAndLogitsOfTheWholeTextInAnyCuts) {
  const std::vector<std::vector<size_t>> cuts = {{}, std::vector<size_t>(40, 1), {1}, {39}, {7, 1, 1, 2, 13}};
  const MatrixF logits = transformer->logits(whole);
  for (const auto& cut : cuts) {
    KeyValueCache cache = transformer->make_cache();
    const MatrixF rows = in_pieces(cut, cache);
    EXPECT_LT(relative_error(rows, whole.cast<double>()), kTolerance) << testing::PrintToString(cut);
    EXPECT_LT(relative_error(transformer->logits(rows), logits.cast<double>()), kTolerance);
  }
}

TEST_P(Extending, ACopyOfTheCacheGoesOnByItself) {
  KeyValueCache first = transformer->make_cache();
  transformer->extend(std::span(ids).first(11), first);
  KeyValueCache second = first;
  const std::vector<int> other = {60, 61, 62};
  transformer->extend(other, second);
  const MatrixF rest = transformer->extend(std::span(ids).subspan(11), first);
  EXPECT_LT(relative_error(rest, whole.bottomRows(29).cast<double>()), kTolerance);
  EXPECT_EQ(second.tokens(), 14);
}

TEST_P(Extending, RowsOfTheEmbeddingDoAsIdsDo) {
  KeyValueCache by_ids = transformer->make_cache(), by_rows = transformer->make_cache();
  const MatrixF x = transformer->embed(ids);
  transformer->extend(std::span(ids).first(9), by_ids);
  transformer->extend(x.topRows(9), by_rows);
  EXPECT_EQ(transformer->extend(x.bottomRows(31), by_rows), transformer->extend(std::span(ids).subspan(9), by_ids));
}

// Given up in the second layer, rows of the first are there already and must not count.
TEST_P(Extending, WhatIsGivenUpLeavesTheCacheAsItWas) {
  KeyValueCache cache = transformer->make_cache();
  transformer->extend(std::span(ids).first(11), cache);
  {
    std::stop_source source;
    source.request_stop();
    const StopScope scope(source.get_token());
    EXPECT_THROW(transformer->extend(std::span(ids).subspan(11), cache), Stopped);
  }
  cache.next_rows(0, 5).setConstant(std::nanf(""));
  EXPECT_THROW(transformer->extend(std::vector<int>{100}, cache), DataError);
  EXPECT_EQ(cache.tokens(), 11);
  const MatrixF rest = transformer->extend(std::span(ids).subspan(11), cache);
  EXPECT_LT(relative_error(rest, whole.bottomRows(29).cast<double>()), kTolerance);
}

TEST_P(Extending, MoreTokensThanPositionsAreRefused) {
  const Index most = transformer->config().most_tokens();
  KeyValueCache cache = transformer->make_cache();
  EXPECT_THROW(transformer->extend(some_ids(most + 1), cache), DataError);
  EXPECT_EQ(cache.tokens(), 0);
  transformer->extend(some_ids(most), cache);
  EXPECT_THROW(transformer->extend(std::vector<int>{7}, cache), DataError);
  EXPECT_EQ(cache.tokens(), most);
}

// Prompts are such that no step is a near tie (make_model_golden.py).
TEST_P(Extending, GreedyContinuationsAreThoseOfTransformers) {
  const Golden golden(golden_models() / GetParam() / "expected.safetensors");
  const std::vector<int> prompt = golden.integers("greedy.prompt"), expected = golden.integers("greedy.ids");
  ASSERT_EQ(expected.size(), 32U);
  KeyValueCache cache = transformer->make_cache();
  MatrixF rows = transformer->extend(prompt, cache);
  std::vector<int> made;
  while (made.size() < expected.size()) {
    if (!made.empty()) rows = transformer->extend(std::span(made).last(1), cache);
    Index best = 0;
    transformer->logits(rows.bottomRows(1)).row(0).maxCoeff(&best);
    made.push_back(static_cast<int>(best));
  }
  EXPECT_EQ(made, expected);
}

INSTANTIATE_TEST_SUITE_P(Folders, Extending, testing::ValuesIn(golden_decoder_names()),
                         [](const auto& test) { return test_name(test.param); });

TEST(KeyValueCache, KeepsKeysAndValuesAloneAndGrowsInSteps) {
  KeyValueCache cache(3, {8, 2, 16});
  EXPECT_EQ(cache.columns(), 2 * 2 * 16);
  EXPECT_EQ(cache.bytes(), 0);
  Index steps = 0, bytes = 0;
  for (Index token = 0; token < 1000; ++token) {
    for (Index layer = 0; layer < 3; ++layer)
      cache.next_rows(layer, 1).setConstant(static_cast<float>(1000 * layer + token));
    cache.advance(1);
    if (cache.bytes() != bytes) ++steps;
    bytes = cache.bytes();
  }
  EXPECT_LT(steps, 10);
  EXPECT_LE(bytes, 1500 * 3 * 64 * 4);
  for (Index layer = 0; layer < 3; ++layer)
    for (const Index token : {0, 63, 64, 999})
      EXPECT_EQ(cache.rows(layer, 0)(token, 63), static_cast<float>(1000 * layer + token));
}

TEST(KeyValueCache, OfAnotherModelIsRefusedAndSoIsAnEncoder) {
  const auto llama = Transformer::load(golden_models() / "llama"), bert = Transformer::load(golden_models() / "bert");
  const auto qwen3 = Transformer::load(golden_models() / "qwen3");
  KeyValueCache cache = qwen3->make_cache(), of_bert = bert->make_cache();
  EXPECT_THROW(llama->extend(some_ids(3), cache), UsageError);
  EXPECT_THROW(bert->extend(some_ids(3), of_bert), DataError);
}

// Long enough to be shared out to threads.
TEST(LastQueries, LookAsTheyDoAmongAllOthers) {
  const AttentionShape shape{8, 2, 16};
  const Index n = 1500;
  for (const std::optional<Index> window : {std::optional<Index>(), std::optional<Index>(700), std::optional<Index>(3)})
    for (const Index m : {1, 2, 300}) {
      const Attention attention{.shape = shape, .window = window, .causal = true};
      const MatrixF qkv = random_matrix(n, shape.qkv_columns(), 5);
      MatrixF all(n, shape.context_columns()), last(m, shape.context_columns()), alone(m, shape.context_columns());
      attention.forward(qkv, {}, all);
      const MatrixF queries = qkv.bottomRows(m).leftCols(shape.context_columns());
      attention.forward_last(queries, qkv.rightCols(shape.kv_columns()), last);
      EXPECT_LT(relative_error(last, all.bottomRows(m).cast<double>()), 2e-6) << window.value_or(n) << "," << m;
      const int before = available_threads();
      set_thread_count(1);
      attention.forward_last(queries, qkv.rightCols(shape.kv_columns()), alone);
      set_thread_count(before);
      EXPECT_EQ(last, alone) << window.value_or(n) << "," << m;
    }
}

// Using them would give NaN.
TEST(LastQueries, DoNotLookOutOfTheirWindow) {
  const AttentionShape shape{4, 2, 8};
  const Attention attention{.shape = shape, .window = 3, .causal = true};
  const Index n = 200;
  for (const Index m : {1, 2, 50}) {
    const MatrixF queries = random_matrix(m, shape.context_columns(), 7);
    const MatrixF keys_values = random_matrix(n, shape.kv_columns(), 8);
    MatrixF poisoned = keys_values, expected(m, shape.context_columns()), got = expected;
    poisoned.topRows(n - m - 3).setConstant(std::nanf(""));
    attention.forward_last(queries, keys_values, expected);
    attention.forward_last(queries, poisoned, got);
    EXPECT_EQ(got, expected) << m;
  }
}

TEST(LastQueries, MustFit) {
  const AttentionShape shape{4, 2, 8};
  const Attention attention{.shape = shape, .causal = true};
  MatrixF context(3, 32);
  EXPECT_THROW(attention.forward_last(MatrixF(3, 32), MatrixF(2, 32), context), DataError);
  EXPECT_THROW(attention.forward_last(MatrixF(3, 31), MatrixF(9, 32), context), DataError);
  EXPECT_THROW(attention.forward_last(MatrixF(3, 32), MatrixF(9, 31), context), DataError);
  EXPECT_THROW(attention.forward_last(MatrixF(2, 32), MatrixF(9, 32), context), DataError);
}

}  // namespace
}  // namespace wordsway::test
