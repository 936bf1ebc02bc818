// Questions about a model and a text besides its words: layers, attention, vectors, masks.
#include <gmock/gmock.h>

#include "support/places.h"
#include "support/temporary_folder.h"
#include "wordsway/audit/attention.h"
#include "wordsway/audit/embed.h"
#include "wordsway/audit/layers.h"
#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

class QuestionsTest : public testing::Test {
 protected:
  MatrixF embedded(const std::string& text) const { return model_.transformer->embed(encode(text).ids); }
  Encoding encode(const std::string& text) const { return model_.tokenizer->encode(text); }
  static std::vector<LabelledText> labelled(const std::vector<std::string>& texts) {
    std::vector<LabelledText> result;
    for (const std::string& text : texts) result.push_back({text, std::nullopt, std::to_string(result.size())});
    return result;
  }
  std::vector<MatrixF> embed(const std::vector<std::string>& texts, const EmbedOptions& options) const {
    return embed_texts(model_, labelled(texts), encode_texts(model_, labelled(texts)), options);
  }

  const Model model_ = load_model(test::source_folder() / "models/builtin");
  const Index layers_ = model_.transformer->config().layers;
};

TEST_F(QuestionsTest, LayersAreNamedByNumberLastOrPooled) {
  EXPECT_EQ(parse_layer("0", *model_.transformer).layer, 0);
  EXPECT_EQ(parse_layer("last", *model_.transformer).layer, layers_);
  EXPECT_FALSE(parse_layer("last", *model_.transformer).is_pooled());
  EXPECT_TRUE(parse_layer("pooled", *model_.transformer).is_pooled());
  for (const char* wrong : {"-1", "99", "1x", "", "first"})
    EXPECT_THROW(parse_layer(wrong, *model_.transformer), UsageError) << wrong;
}

TEST_F(QuestionsTest, AModelIsDescribedAsItIs) {
  const Record found = describe_model(model_);
  EXPECT_EQ(found.text("model"), "builtin");
  EXPECT_EQ(found.number("layers"), static_cast<double>(layers_));
  EXPECT_EQ(found.number("most_tokens"), static_cast<double>(model_.most_tokens()));
}

TEST_F(QuestionsTest, TextsAreCutToWhatTheModelTakes) {
  std::string text;
  for (int k = 0; k < 2000; ++k) text += "film ";
  const auto encodings = encode_texts(model_, labelled({text, "short"}));
  EXPECT_EQ(encodings[0].size(), model_.most_tokens());
  EXPECT_TRUE(encodings[0].cut);
  EXPECT_FALSE(encodings[1].cut);
  EXPECT_THAT(
      [&] {
        encode_texts(model_, labelled({"a", ""}), {.special_tokens = false});
      },
      ThrowsMessage<DataError>(HasSubstr("text 1 has no token")));
}

TEST_F(QuestionsTest, APromptGoesBeforeTheTextAndHasNoWords) {
  const std::string prompt = "größe: ";  // more bytes than characters
  const Encoding plain = encode_texts(model_, labelled({"a long film"})).front();
  const Encoding prompted = encode_texts(model_, labelled({"a long film"}), {.prompt = prompt}).front();
  EXPECT_EQ(prompted.ids, encode_texts(model_, labelled({prompt + "a long film"})).front().ids);
  const size_t more = prompted.ids.size() - plain.ids.size();
  ASSERT_GE(more, 2u);
  for (size_t k = 1; k <= more; ++k) EXPECT_FALSE(prompted.words[k]) << k;
  for (size_t k = 1; k < plain.ids.size(); ++k) {
    EXPECT_EQ(prompted.words[k + more], plain.words[k]);
    EXPECT_EQ(prompted.offsets[k + more], plain.offsets[k]);
    EXPECT_EQ(prompted.byte_offsets[k + more], plain.byte_offsets[k]);
  }
  EXPECT_EQ(unpooled_tokens(model_, prompt), 0) << "this model pools the prompt too";
}

TEST_F(QuestionsTest, LayersMayIncludeTheVectorOfTheText) {
  const MatrixF x = embedded("the plot is thin");
  const LayerOptions options{.vector = ModelOutput{layers_, readout_named("pooled")}, .radius = {0.5}};
  const LayerChanges found = measure_layers(model_.transformer, x, 2, MoveDirection::kAscent, options);
  ASSERT_EQ(found.mean.size(), layers_ + 2);
  // The search for the vector's change finds no less of it than the search for the last layer's does.
  const Vector other =
      token_move(model_.transformer, x, 2, MoveDirection::kAscent, {0.5}, Stream(1).derive("move").derive(0));
  const SentenceChain& chain = model_.transformer->sentence_chain();
  const RowF before = chain.forward(model_.transformer->forward(x, layers_));
  const RowF after = chain.forward(model_.transformer->forward(with_moved_token(x, 2, other), layers_));
  EXPECT_GE(found.mean[layers_ + 1], 0.98 * (after - before).norm() / before.norm());
}

TEST_F(QuestionsTest, LayersChangeAsTheHiddenStatesDo) {
  const MatrixF x = embedded("the plot is thin");
  const LayerOptions options{.radius = {0.5}, .draws = 3};
  const LayerChanges attract = measure_layers(model_.transformer, x, 2, MoveDirection::kAttract, options);
  ASSERT_EQ(attract.mean.size(), layers_ + 1);
  EXPECT_EQ(attract.deviation.norm(), 0);
  // The embedding changes by the move itself.
  EXPECT_NEAR(attract.mean[0], 0.5 * std::sqrt(static_cast<double>(x.cols())) / x.norm(), 1e-5);
  const LayerChanges noise = measure_layers(model_.transformer, x, 2, MoveDirection::kNoise, options);
  EXPECT_GT(noise.deviation[layers_], 0);
  EXPECT_GT(attract.mean[1], noise.mean[1]);
  EXPECT_THROW(measure_layers(model_.transformer, x, x.rows(), MoveDirection::kNoise, options), UsageError);
}

TEST_F(QuestionsTest, AttentionIsADistributionBeforeAndAfter) {
  const MatrixF x = embedded("her smile lights up the room");
  const AttentionResult still = attention_change(model_.transformer, x, {});
  EXPECT_FALSE(still.after);
  const AttentionResult moved = attention_change(model_.transformer, x, {.token = 3, .radius = {2}});
  EXPECT_EQ(moved.before, still.before);
  for (const Matrix& attention : {moved.before, *moved.after})
    EXPECT_NEAR((attention.rowwise().sum().array() - 1).abs().maxCoeff(), 0, 1e-5);
  // The direction that attracts draws the others' eyes.
  EXPECT_GT(moved.after->col(3).sum(), moved.before.col(3).sum());
  EXPECT_THROW(attention_change(model_.transformer, x, {.layer = layers_ + 1}), UsageError);
  EXPECT_THROW(attention_change(model_.transformer, x, {.head = 99}), UsageError);
  EXPECT_THROW(attention_change(model_.transformer, x, {.token = x.rows()}), UsageError);
}

TEST_F(QuestionsTest, AttentionIsNamedByLayerAndHead) {
  const auto shape = [&](const char* layer, const char* head) {
    return parse_attention(layer, head, *model_.transformer).shape(7);
  };
  const Index heads = model_.transformer->config().attention.heads;
  EXPECT_EQ(shape("all", "all"), (std::vector<Index>{layers_, heads, 7, 7}));
  EXPECT_EQ(shape("all", "2"), (std::vector<Index>{layers_, 1, 7, 7}));
  EXPECT_EQ(shape("1", "all"), (std::vector<Index>{1, heads, 7, 7}));
  EXPECT_EQ(shape("last", "mean"), (std::vector<Index>{1, 1, 7, 7}));
  EXPECT_EQ(parse_attention("last", "0", *model_.transformer).range.first_layer, layers_);
  for (const char* wrong : {"0", "-1", "99", "1x", "", "first", "mean", "1,2"})
    EXPECT_THROW(shape(wrong, "0"), UsageError) << wrong;
  for (const char* wrong : {"-1", "99", "1x", "", "last", "1,2"}) EXPECT_THROW(shape("1", wrong), UsageError) << wrong;
}

TEST_F(QuestionsTest, AttentionOfAllLayersIsThatOfEachHead) {
  const test::TemporaryFolder folder;
  const auto file = folder.path("a.npy");
  const MatrixF x = embedded("her smile lights up the room");
  const Index n = x.rows(), heads = model_.transformer->config().attention.heads;
  const auto written = [&](const char* layer, const char* head) {
    write_attention(file, *model_.transformer, x, parse_attention(layer, head, *model_.transformer));
    return read_npy(file);
  };
  const auto block = [&](const NpyArray& array, Index number) {
    return Matrix(Eigen::Map<const Matrix>(array.values.data() + number * n * n, n, n));
  };
  const NpyArray all = written("all", "all"), mean = written("all", "mean"), one = written("2", "1");
  EXPECT_EQ(all.shape, (std::vector<Index>{layers_, heads, n, n}));
  for (Index layer = 1; layer <= layers_; ++layer) {
    for (Index head = 0; head < heads; ++head)
      EXPECT_EQ(block(all, (layer - 1) * heads + head),
                attention_change(model_.transformer, x, {.layer = layer, .head = head}).before);
    EXPECT_LT((block(mean, layer - 1) - attention_change(model_.transformer, x, {.layer = layer}).before).norm(), 1e-6);
  }
  EXPECT_EQ(block(one, 0), block(all, heads + 1));
}

TEST_F(QuestionsTest, TextsAreEmbeddedAsOneByOne) {
  const std::vector<std::string> texts = {"short", "a somewhat longer text about a film"};
  EmbedOptions options{.output = ModelOutput{layers_, readout_named("pooled")}};
  const auto pooled = embed(texts, options);
  ASSERT_THAT(pooled, SizeIs(2));
  for (size_t t = 0; t < texts.size(); ++t) {
    EXPECT_EQ(pooled[t].rows(), 1);
    EXPECT_EQ(pooled[t], embed({texts[t]}, options).front());
  }
  options.output = ModelOutput{1};
  EXPECT_EQ(embed(texts, options)[1], model_.transformer->forward(embedded(texts[1]), 1));
}

TEST_F(QuestionsTest, ShortTextsAreFilledUpOnlyWhenAskedTo) {
  EmbedOptions options{.output = ModelOutput{layers_}, .n = 8};
  EXPECT_THAT([&] { embed({"short"}, options); }, ThrowsMessage<DataError>(HasSubstr("8 are asked for")));
  options.pad = true;
  const MatrixF padded = embed({"short"}, options).front(),
                plain = embed({"short"}, {.output = ModelOutput{layers_}}).front();
  EXPECT_EQ(padded.rows(), 8);
  EXPECT_LT((padded.topRows(plain.rows()) - plain).norm(), 1e-4 * plain.norm());  // padding is not looked at
  options.n = 2;
  EXPECT_EQ(embed({"a longer one"}, options).front().rows(), 2);
}

TEST_F(QuestionsTest, AFileOfEmbeddingsHoldsWhatTheTextsGive) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> texts = {"a good film", "no", "I love her smile"};
  EmbedOptions options;
  options.output = ModelOutput{layers_, readout_named("pooled")};
  EmbeddingFile file(folder.path("e.npy"), model_, options, std::nullopt);
  for (const std::string& text : texts) file.append(labelled({text}), encode_texts(model_, labelled({text})));
  EXPECT_EQ(file.commit(), (std::vector<Index>{3, embedding_size(*model_.transformer, options)}));
  const Matrix written = read_npy_matrix(folder.path("e.npy"));
  const auto expected = embed(texts, options);
  for (Index t = 0; t < 3; ++t) EXPECT_EQ(written.row(t), expected[static_cast<size_t>(t)].row(0).cast<double>());
}

TEST_F(QuestionsTest, TextsOfDifferentLengthsMakeNoArray) {
  const test::TemporaryFolder folder;
  const EmbedOptions as_they_are;
  EXPECT_THROW(EmbeddingFile(folder.path("e.npy"), model_, as_they_are, 2), UsageError);
  EmbeddingFile file(folder.path("e.npy"), model_, as_they_are, std::nullopt);
  file.append(labelled({"a good film"}), encode_texts(model_, labelled({"a good film"})));
  EXPECT_THROW(file.append(labelled({"no"}), encode_texts(model_, labelled({"no"}))), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder.path("e.npy")));
}

}  // namespace
}  // namespace wordsway
