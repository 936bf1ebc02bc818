// Changes of every layer from one text to another.
#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/changed_text.h"
#include "wordsway/audit/layers.h"

namespace wordsway {
namespace {

const Model& encoder() {
  static const Model model = load_model(test::source_folder() / "models/builtin");
  return model;
}

std::vector<int> ids_of(const std::string& text) {
  return encoder().tokenizer->encode(text).ids;
}

TEST(TextChanges, OfTheSameTextAreNone) {
  EXPECT_EQ(text_changes(*encoder().transformer, ids_of("a good film"), ids_of("a good film")).norm(), 0);
}

TEST(TextChanges, OfTextsOfEqualLengthAreThoseOfTheirRows) {
  const auto before = encoder().transformer->hidden_states(encoder().transformer->embed(ids_of("a good film")));
  const auto after = encoder().transformer->hidden_states(encoder().transformer->embed(ids_of("a bad film")));
  const Vector changes = text_changes(*encoder().transformer, ids_of("a good film"), ids_of("a bad film"));
  ASSERT_EQ(changes.size(), static_cast<Index>(before.size()));
  for (size_t l = 0; l < before.size(); ++l)
    EXPECT_NEAR(changes[static_cast<Index>(l)],
                (after[l] - before[l]).cast<double>().norm() / before[l].cast<double>().norm(), 1e-6);
}

// A word that is replaced by one of another length, or left out: as ChangedText compares them.
TEST(TextChanges, OfOneWordAreThoseOfAChangedText) {
  const std::string text = "please turn the mode off";
  const ChangedText changed(encoder(), text);
  for (const char* replacement : {"on", "incomprehensible", ""}) {
    const WordEdit edit{4, replacement};
    const Vector changes = text_changes(*encoder().transformer, ids_of(text), ids_of(changed.with(edit)));
    EXPECT_NEAR(changes[changes.size() - 1], changed.evaluate({&edit, 1}).front()->change, 1e-6) << replacement;
  }
}

TEST(TextChanges, HaveTheVectorOfTheTextWhereItIsAskedFor) {
  const ModelOutput pooled = parse_layer("pooled", *encoder().transformer);
  const auto before = ids_of("a good film"), after = ids_of("a very bad film");
  const Vector changes = text_changes(*encoder().transformer, before, after, pooled);
  EXPECT_EQ(changes.size(), encoder().transformer->config().layers + 2);
  EXPECT_GT(changes[changes.size() - 1], 0);
  EXPECT_EQ(shared_begin(before, after), 2);
  EXPECT_EQ(shared_begin(before, before), 5);
}

}  // namespace
}  // namespace wordsway
