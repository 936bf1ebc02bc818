// What one asks of a decoder: its last row and its logits, through the same functions as everything else.
#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/embed.h"
#include "wordsway/audit/layers.h"
#include "wordsway/audit/substitute.h"
#include "wordsway/core/error.h"
#include "wordsway/model/next_word_head.h"
#include "wordsway/study/word_studies.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class DecoderOutputs : public testing::Test {
 protected:
  static std::vector<LabelledText> labelled(const std::string& text) { return {{text, std::nullopt, "0"}}; }
  MatrixF embed(const std::string& text, const std::string& layer, const std::string& rows = "all") const {
    EmbedOptions options;
    options.output = parse_layer(layer, transformer(), rows);
    return embed_texts(*model_, labelled(text), encode_texts(*model_, labelled(text)), options).front();
  }
  MatrixF states(const std::string& text) const {
    return transformer().forward(transformer().embed(encode_texts(*model_, labelled(text)).front().ids),
                                 transformer().config().layers);
  }
  const Transformer& transformer() const { return *model_->transformer; }

  const std::shared_ptr<const Model> model_ =
      std::make_shared<const Model>(load_model(test::source_folder() / "tests/golden/generation/llama"));
};

TEST_F(DecoderOutputs, AreNamed) {
  EXPECT_EQ(parse_layer("logits", transformer()).kind, OutputKind::kLogits);
  EXPECT_EQ(parse_layer("1", transformer(), "last").kind, OutputKind::kLast);
  EXPECT_THROW(parse_layer("logits", transformer(), "last"), UsageError);
  EXPECT_THROW(parse_layer("last", transformer(), "first"), UsageError);
  const Model encoder = load_model(test::source_folder() / "models/builtin");
  EXPECT_THAT([&] { parse_layer("logits", *encoder.transformer); },
              ThrowsMessage<UsageError>(HasSubstr("predicts no next word")));
}

TEST_F(DecoderOutputs, AreEmbeddedAsOneRow) {
  const std::string text = "The film was good";
  const MatrixF hidden = states(text);
  EXPECT_EQ(embed(text, "last", "last"), hidden.bottomRows(1));
  const MatrixF logits = embed(text, "logits");
  EXPECT_EQ(logits, transformer().logits(hidden.bottomRows(1)));
  EmbedOptions options;
  options.output = parse_layer("logits", transformer());
  EXPECT_EQ(embedding_size(transformer(), options), logits.cols());
}

TEST_F(DecoderOutputs, OfAReplacedWordAreThoseOfTheTextAfresh) {
  const std::string before = "The film was good", after = "The film was bad";
  const ChangedText text(*model_, before, {parse_layer("logits", transformer())});
  const auto found = text.evaluate(std::vector<WordEdit>{{3, "bad"}}).front().value();
  const MatrixF a = embed(before, "logits"), b = embed(after, "logits");
  EXPECT_NEAR(found.change, (b.cast<double>() - a.cast<double>()).norm() / a.cast<double>().norm(), 1e-12);
  EXPECT_NEAR(found.divergence.value(), jensen_shannon_divergence(a.row(0), b.row(0)), 1e-12);
  Index next = 0;
  b.row(0).maxCoeff(&next);
  EXPECT_EQ(found.next, static_cast<int>(next));
  EXPECT_FALSE(found.cosine.has_value());
  const ChangedText last(*model_, before, {parse_layer("last", transformer(), "last")});
  EXPECT_TRUE(last.evaluate(std::vector<WordEdit>{{3, "bad"}}).front()->cosine.has_value());
}

// The gradients that screen replacements, beside differences along a direction.
TEST_F(DecoderOutputs, HaveSlopesOfTheirChanges) {
  const ModelMap map(model_->transformer, parse_layer("logits", transformer()));
  const auto ids = encode_texts(*model_, labelled("The film was good")).front().ids;
  const Matrix X = transformer().embed(ids).cast<double>();
  const auto sample = map.at(X);
  const auto view = sample->token(2);
  const auto change = view->change();
  Vector at = Vector::LinSpaced(X.cols(), -1, 1), direction = Vector::LinSpaced(X.cols(), 1, 2).array().sin();
  at *= 0.5 * X.row(2).norm() / at.norm();
  direction *= 0.01 * X.row(2).norm() / direction.norm();
  Vector gradient;
  change->evaluate(at, &gradient);
  const double slope = ((*change)(at + direction) - (*change)(at - direction)) / 2;
  EXPECT_NEAR(gradient.dot(direction), slope, 2e-2 * std::abs(slope));
}

TEST_F(DecoderOutputs, AreShownAfterTheLayers) {
  const auto ids = encode_texts(*model_, labelled("The film was good")).front().ids;
  const MatrixF x = transformer().embed(ids);
  const Index layers = transformer().config().layers;
  const auto changes = [&](const std::string& layer, const std::string& rows) {
    LayerOptions options;
    options.vector = parse_layer(layer, transformer(), rows);
    options.radius = {0.5};
    return measure_layers(model_->transformer, x, 1, MoveDirection::kAttract, options).mean;
  };
  EXPECT_EQ(changes("logits", "all").size(), layers + 2);
  const Vector last = changes("last", "last");
  ASSERT_EQ(last.size(), layers + 1);
  EXPECT_EQ(last[0], 0) << "the last row is not the one that moves";
  EXPECT_GT(last[layers], 0);
}

TEST_F(DecoderOutputs, SayHowTheNextWordTurns) {
  StudiedTexts texts;
  texts.model = model_;
  texts.head = std::make_shared<const Model>(load_model(test::source_folder() / "models/builtin"));
  texts.name = "text";
  texts.texts = labelled("The film was good");
  texts.encodings = encode_texts(*model_, texts.texts);
  texts.layer = "logits";
  texts.change.output = parse_layer("logits", transformer());
  SubstituteStudyOptions options;
  options.search.source = CandidateSource::kGiven;
  options.search.given = {"bad", "long"};
  options.choice.word = "good";
  const auto rows = SubstituteStudy(texts, options).run(0);
  ASSERT_EQ(rows.size(), 2U);
  for (const Record& row : rows) {
    EXPECT_GE(row.number("divergence"), 0);
    EXPECT_LE(row.number("divergence"), 1);
    EXPECT_EQ(row.text("next_before"), rows[0].text("next_before"));
    EXPECT_NE(row.find("next_after"), nullptr);
    EXPECT_TRUE(row.missing("cosine"));
  }
}

}  // namespace
}  // namespace wordsway
