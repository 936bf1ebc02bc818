// Readouts of decoders, the last row and the logits, through the same functions as all others.
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "support/temporary_folder.h"
#include "support/tensor_files.h"
#include "wordsway/audit/embed.h"
#include "wordsway/audit/layers.h"
#include "wordsway/audit/substitute.h"
#include "wordsway/audit/words.h"
#include "wordsway/core/error.h"
#include "wordsway/io/safetensors.h"
#include "wordsway/io/safetensors_writer.h"
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
  EXPECT_EQ(parse_layer("logits", transformer()).readout, readout_named("logits"));
  EXPECT_EQ(parse_layer("1", transformer(), "last").readout, readout_named("last"));
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
  const auto centred = [](const MatrixF& logits) -> Matrix {
    return logits.cast<double>().array() - logits.cast<double>().mean();
  };
  EXPECT_NEAR(found.change, (centred(b) - centred(a)).norm() / centred(a).norm(), 1e-12);
  EXPECT_NEAR(found.divergence.value(), jensen_shannon_divergence(a.row(0), b.row(0)), 1e-6);
  EXPECT_EQ(found.magnitude(), found.divergence.value());
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

TEST_F(DecoderOutputs, HaveSlopesOfTheirDivergence) {
  const RowF first = RowF::LinSpaced(6, -2, 3).array().sin() * 3, second = RowF::LinSpaced(6, 0, 2).array().cos();
  const RowF gradient = jensen_shannon_gradient(first, second);
  for (Index k = 0; k < 6; ++k) {
    RowF above = first, below = first;
    above[k] += 0.01F;
    below[k] -= 0.01F;
    const double slope = (jensen_shannon_divergence(above, second) - jensen_shannon_divergence(below, second)) / 0.02;
    EXPECT_NEAR(gradient[k], slope, 1e-5) << k;
  }
  EXPECT_LT(jensen_shannon_gradient(first, first).norm(), 1e-7) << "the least it can be";
  RowF certain = RowF::Constant(6, -1e30F);
  certain[2] = 0;
  EXPECT_TRUE(jensen_shannon_gradient(certain, second).allFinite());
  EXPECT_THROW(jensen_shannon_gradient(first, second.head(5)), DataError);
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

// The model with a head that adds ⟨h, v⟩ to every logit of the last hidden state h: the same distribution of the next
// word, other logits.
Model shifted_model(const std::filesystem::path& folder, float v) {
  const auto source = test::source_folder() / "tests/golden/generation/llama";
  std::filesystem::copy(source, folder);
  const SafeTensors tensors = SafeTensors::open(source / "model.safetensors");
  const std::vector<std::string> names = tensors.names();
  std::vector<std::vector<float>> values;
  std::vector<TensorToWrite> written;
  for (const std::string& name : names) values.push_back(test::copy_f32(tensors, name));
  values.push_back(test::copy_f32(tensors, "model.embed_tokens.weight"));
  const Index d = tensors.info("model.embed_tokens.weight").shape[1];
  for (size_t k = 0; k < values.back().size(); ++k) values.back()[k] += static_cast<Index>(k) % d < d / 3 ? v : -v;
  for (size_t k = 0; k < names.size(); ++k) written.push_back({names[k], tensors.info(names[k]).shape, values[k]});
  written.push_back({"lm_head.weight", tensors.info("model.embed_tokens.weight").shape, values.back()});
  write_safetensors(folder / "model.safetensors", written);
  auto config = nlohmann::json::parse(std::ifstream(folder / "config.json"));
  config["tie_word_embeddings"] = false;
  std::ofstream(folder / "config.json") << config.dump();
  return load_model(folder);
}

TEST(ShiftedLogits, ChangeNoOrder) {
  const test::TemporaryFolder temporary;
  const std::string text = "The film was good";
  const std::vector<std::string> given{"bad", "long", "short", "new", "old", "great", "the", "no", "music", "actor"};
  const auto head = load_model(test::source_folder() / "models/builtin");
  struct Found {
    std::vector<std::string> given, searched, worst, raw;
    std::vector<double> divergences, changes, sensitivities;
  };
  std::vector<Found> all;
  for (const float v : {0.F, 2.F}) {
    const Model model = shifted_model(temporary.path(v == 0 ? "plain" : "shifted"), v);
    const ModelOutput logits = parse_layer("logits", *model.transformer);
    const ChangedText changed(model, text, {logits});
    const CandidateWords candidates(model, &head);
    Found found;
    const auto replaced =
        substitute_words(changed, candidates, {.words = {3}, .source = CandidateSource::kGiven, .given = given})
            .front()
            .found;
    for (const Substitution& one : replaced) {
      found.given.push_back(one.replacement);
      found.divergences.push_back(*one.found.divergence);
      found.changes.push_back(one.found.change);
    }
    const auto searched = substitute_words(changed, candidates, {.words = {3}, .evaluations = 160});
    for (const Substitution& one : searched.front().found) found.searched.push_back(one.replacement);
    WordOptions options;
    options.change.output = logits;
    options.replacements = 8;
    options.ball = BallSearch::kPower;
    options.search.radius = {0.1};
    for (const WordEffect& word : word_effects(candidates, changed, options)) {
      found.worst.push_back(word.worst_word.value_or(""));
      found.sensitivities.push_back(word.sensitivity.value());
    }
    EmbedOptions embed;
    embed.output = logits;
    std::vector<LabelledText> texts{{text, std::nullopt, "0"}};
    for (const std::string& word : given) texts.push_back({"The film was " + word, std::nullopt, word});
    const auto rows = embed_texts(model, texts, encode_texts(model, texts), embed);
    std::vector<std::pair<double, std::string>> order;
    for (size_t k = 0; k < given.size(); ++k) order.emplace_back(-(rows[k + 1] - rows[0]).norm(), given[k]);
    std::ranges::sort(order);
    for (const auto& [change, word] : order) found.raw.push_back(word);
    all.push_back(std::move(found));
  }
  EXPECT_NE(all[0].raw, all[1].raw) << "raw logits would have changed it";
  EXPECT_EQ(all[0].given, all[1].given);
  EXPECT_EQ(all[0].searched, all[1].searched);
  EXPECT_EQ(all[0].worst, all[1].worst);
  EXPECT_TRUE(std::ranges::is_sorted(all[0].divergences, std::greater<>()));
  for (size_t k = 0; k < given.size(); ++k) {
    EXPECT_NEAR(all[0].divergences[k], all[1].divergences[k], 1e-5);
    EXPECT_NEAR(all[0].changes[k], all[1].changes[k], 1e-4 * all[0].changes[k]);
  }
  for (size_t w = 0; w < all[0].sensitivities.size(); ++w)
    EXPECT_NEAR(all[0].sensitivities[w], all[1].sensitivities[w], 1e-2 * all[0].sensitivities[w]);
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
