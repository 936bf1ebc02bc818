#include "wordsway/data/named_data.h"

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/model.h"

namespace wordsway {
namespace {

TEST(NameData, TakesWhatIsGiven) {
  EXPECT_EQ(name_data("sphere", {10}, {10}).name, "sphere");
  EXPECT_EQ(name_data("sphere", {10}, {10}).remark, "");
}

TEST(NameData, TakesTheReviewsAsFarAsTheBuiltinModelGoes) {
  const Model model = load_model(test::source_folder() / "models" / "builtin");
  const Index n = model.transformer->config().most_tokens(), d = model.transformer->config().hidden_size;
  EXPECT_EQ(name_data("", {n}, {d}).name, kBuiltinData);
  EXPECT_EQ(name_data("", {n + 1}, {d}).name, kSyntheticData);
  EXPECT_EQ(name_data("", {n}, {1, d + 1}).name, kSyntheticData);
}

}  // namespace
}  // namespace wordsway
