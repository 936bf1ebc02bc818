#include "wordsway/data/embedding_source.h"

#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::shared_ptr<const Transformer> builtin_transformer() {
  static const std::shared_ptr<const Transformer> result =
      Transformer::load(test::source_folder() / "models" / "builtin");
  return result;
}

using Ids = std::vector<std::vector<int>>;

// Text t has 5 + t tokens, all different from those of other texts.
Ids numbered(int count) {
  Ids result;
  for (int t = 0; t < count; ++t) {
    std::vector<int> ids(static_cast<size_t>(5 + t));
    std::iota(ids.begin(), ids.end(), 10 + 100 * t);
    result.push_back(ids);
  }
  return result;
}

EncodedTexts texts(Ids ids) {
  static const std::shared_ptr<const Tokenizer> tokenizer =
      load_tokenizer(test::source_folder() / "models" / "builtin");
  return {"corpus", tokenizer, std::move(ids)};
}

EncodedTexts texts(int count) {
  return texts(numbered(count));
}

// They alternate.
std::vector<double> labels(int count) {
  std::vector<double> result;
  for (int t = 0; t < count; ++t) result.push_back(t % 2 == 0 ? 1 : -1);
  return result;
}

TEST(EmbedText, TakesTheFirstRowsAndCoordinatesAndScalesThem) {
  const auto ids = numbered(1).front();
  const MatrixF whole = builtin_transformer()->embed(ids);
  const Matrix kept = embed_text(*builtin_transformer(), ids, 4, 9, false);
  EXPECT_LT((kept - whole.topLeftCorner(4, 9).cast<double>()).cwiseAbs().maxCoeff(), 1e-6);
  const Matrix scaled = embed_text(*builtin_transformer(), ids, 4, 9, true);
  EXPECT_LT((scaled.rowwise().norm().array() - 3).abs().maxCoeff(), 1e-12);
  EXPECT_LT((scaled.row(2).normalized() - kept.row(2).normalized()).norm(), 1e-12);
  EXPECT_THAT([&] { embed_text(*builtin_transformer(), ids, 6, 9, true); },
              ThrowsMessage<DataError>(HasSubstr("5 tokens")));
}

TEST(EmbeddingSource, GoesRoundTheTextsThatAreLongEnough) {
  const auto source = embedding_source(builtin_transformer(), texts(4));
  EXPECT_EQ(source->own_n(), 5);
  EXPECT_EQ(source->count(), 4);
  EXPECT_EQ(source->sample(7, 16, 0), source->sample(7, 16, 2)) << "texts 2 and 3 have 7 tokens";
  EXPECT_NE(source->sample(7, 16, 0), source->sample(7, 16, 1));
  EXPECT_THAT([&] { source->sample(9, 16, 0); }, ThrowsMessage<DataError>(HasSubstr("no text has 9 tokens")));
  EXPECT_THAT([&] { embedding_source(builtin_transformer(), texts(Ids())); },
              ThrowsMessage<DataError>(HasSubstr("no text")));
}

TEST(EmbeddingSource, IsIdentifiedByItsTextsItsModelAndItsScale) {
  Ids other = numbered(4);
  other[3].back() += 1;
  const Record content = embedding_source(builtin_transformer(), texts(4))->content();
  EXPECT_EQ(content, embedding_source(builtin_transformer(), texts(4))->content());
  EXPECT_NE(content.text("texts"), embedding_source(builtin_transformer(), texts(other))->content().text("texts"));
  EXPECT_NE(content, embedding_source(builtin_transformer(), texts(4), false)->content());
  EXPECT_TRUE(content.find("weights in model.safetensors") != nullptr);
  EXPECT_TRUE(content.find("rules of the tokenizer in tokenizer.json") != nullptr);
  const auto labelled = [](std::vector<double> y) {
    return labelled_embedding_source(builtin_transformer(), texts(4), std::move(y), 1)->content().text("labels");
  };
  EXPECT_NE(labelled({1, -1, 1, -1}), labelled({1, -1, -1, 1}));
}

TEST(LabelledEmbeddingSource, DrawsDifferentTextsWithTheirLabels) {
  const auto source = labelled_embedding_source(builtin_transformer(), texts(6), labels(6), 1);
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    const LabelledSamples drawn = source->draw(5, 8, 5, trial);
    const double all = drawn.labels.sum() + drawn.label;
    EXPECT_EQ(all, 0) << "all six texts, each once";
    for (Index s = 0; s < 5; ++s)
      for (Index t = 0; t < s; ++t) EXPECT_NE(drawn.training.row(s), drawn.training.row(t));
    EXPECT_EQ(source->draw(5, 8, 2, trial).training, drawn.training.topRows(2));
  }
  EXPECT_NE(source->draw(5, 8, 5, 0).training, source->draw(5, 8, 5, 1).training);
}

TEST(LabelledEmbeddingSource, TakesATextThatComesTwiceOnce) {
  Ids twice = numbered(6);
  twice[4] = twice[1];
  twice[4].push_back(7);  // the same as far as n = 5 goes
  const auto source = labelled_embedding_source(builtin_transformer(), texts(twice), labels(6), 1);
  const LabelledSamples drawn = source->draw(5, 8, 4, 0);
  for (Index s = 0; s < 4; ++s)
    for (Index t = 0; t < s; ++t) EXPECT_NE(drawn.training.row(s), drawn.training.row(t));
  EXPECT_THAT([&] { source->draw(5, 8, 5, 0); }, ThrowsMessage<DataError>(HasSubstr("there are 5")));
}

TEST(LabelledEmbeddingSource, SaysWhatItLacks) {
  const auto source = labelled_embedding_source(builtin_transformer(), texts(6), labels(6), 1);
  EXPECT_THAT([&] { source->draw(8, 8, 3, 0); }, ThrowsMessage<DataError>(HasSubstr("at least 8 tokens; there are 3")));
  EXPECT_THAT([&] { labelled_embedding_source(builtin_transformer(), texts(3), labels(2), 1); },
              ThrowsMessage<DataError>(HasSubstr("a label for each of the 3 texts")));
  EXPECT_THAT(
      [&] {
        labelled_embedding_source(builtin_transformer(), texts(3), {0, 1, 1}, 1);
      },
      ThrowsMessage<DataError>(HasSubstr("labels must be 1 or -1; got 0")));
}

TEST(EmbeddingSource, ReplacesATokenByTheOtherTokensOfAllTextsAtItsPlace) {
  const Ids ids = {{10, 11, 12, 13}, {12, 12, 14, 12}};
  const auto source = embedding_source(builtin_transformer(), texts(ids));
  const ReplacementWords words = source->replacement_words({4, 32, 0, 1}, 50, Stream(1));
  ASSERT_EQ(words.rows.rows(), 4) << "10, 12, 13 and 14";
  EXPECT_EQ(source->replacement_count(50), 5);
  const Matrix twelve = embed_text(*builtin_transformer(), std::vector{10, 12, 12, 13}, 4, 32, true);
  EXPECT_EQ(words.rows.row(0), twelve.row(1)) << "the most frequent first, where it would stand";
  EXPECT_EQ(words.drawn.size(), 50U);
  EXPECT_GT(std::count(words.drawn.begin(), words.drawn.end(), 0), 20) << "12 is four of seven";
  const ReplacementWords plain =
      embedding_source(builtin_transformer(), texts(ids), false)->replacement_words({4, 32, 0, 1}, 5, Stream(1));
  EXPECT_NE(plain.rows.row(0).norm(), words.rows.row(0).norm());
}

}  // namespace
}  // namespace wordsway
