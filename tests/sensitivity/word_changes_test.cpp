// Words in the place of a token: the fast change against the definition, for every map.
#include "wordsway/sensitivity/word_changes.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Index kN = 7, kD = 5, kWords = 37, kToken = 2;

std::unique_ptr<FeatureMap> draw(const std::string& map) {
  MapOptions options;
  options.n = kN;
  options.d = kD;
  if (map == "drf") options.set("depth", 2);
  return map_registry().get(map).draw(options, Stream(3));
}

Matrix sample_of_rows(const char* name, Index rows) {
  Matrix X = gaussian_matrix(Stream(5).derive(name), rows, kD);
  X.rowwise().normalize();
  return X * std::sqrt(static_cast<double>(kD));
}

// As written down: the row is replaced and φ made anew.
double by_definition(const FeatureMap& map, const Matrix& X, const Eigen::RowVectorXd& word) {
  Matrix replaced = X;
  replaced.row(kToken) = word;
  const Matrix before = map.features_reference(X);
  return (map.features_reference(replaced) - before).norm() / before.norm();
}

class EveryMap : public testing::TestWithParam<std::string> {};

TEST_P(EveryMap, IsChangedByAWordAsMuchAsItsDefinitionSays) {
  const auto map = draw(GetParam());
  const Matrix X = sample_of_rows("tokens", kN), words = sample_of_rows("words", kWords) * 1.5;
  const auto sample = map->at(X);
  const Vector found = replacement_changes(*sample, *sample->token(kToken), kToken, words);
  ASSERT_EQ(found.size(), kWords);
  for (Index k = 0; k < kWords; ++k)
    EXPECT_NEAR(found[k], by_definition(*map, X, words.row(k)), 1e-9 * (1 + found[k])) << k;
}

TEST_P(EveryMap, ChangesByTheSameBitsWithAnyNumberOfThreads) {
  const Matrix X = sample_of_rows("tokens", kN), words = sample_of_rows("words", kWords);
  std::vector<Vector> found;
  const int before = available_threads();
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const auto sample = draw(GetParam())->at(X);
    found.push_back(replacement_changes(*sample, *sample->token(kToken), kToken, words));
  }
  set_thread_count(before);
  EXPECT_EQ(found[0], found[1]);
}

INSTANTIATE_TEST_SUITE_P(WordChanges, EveryMap, testing::ValuesIn(map_registry().names()), [](const auto& map) {
  std::string name = map.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(WordChanges, AreTheMeanOfTheDrawnAndTheLargestOfAll) {
  const auto sample = draw("raf")->at(sample_of_rows("tokens", kN));
  const auto view = sample->token(kToken);
  const Matrix words = sample_of_rows("words", 4);
  const Vector each = replacement_changes(*sample, *view, kToken, words);
  const WordChanges found = word_changes(*sample, *view, kToken, words, std::vector<Index>{1, 3, 1, 1});
  EXPECT_NEAR(found.typical, (3 * each[1] + each[3]) / 4, 1e-15);
  EXPECT_EQ(found.worst, each.maxCoeff());
  EXPECT_EQ(found.words, 4);
}

TEST(WordChanges, OfTheWordThatIsThereIsZero) {
  const Matrix X = sample_of_rows("tokens", kN);
  for (const char* map : {"raf", "rf"}) {
    const auto sample = draw(map)->at(X);
    EXPECT_EQ(replacement_changes(*sample, *sample->token(kToken), kToken, X.row(kToken))[0], 0) << map;
  }
}

TEST(WordChanges, RefuseWhatHasNoMeaning) {
  const auto sample = draw("raf")->at(sample_of_rows("tokens", kN));
  const auto view = sample->token(kToken);
  EXPECT_THAT([&] { word_changes(*sample, *view, kToken, sample_of_rows("words", 4), {}); },
              ThrowsMessage<UsageError>(HasSubstr("no word")));
  EXPECT_THAT([&] { replacement_changes(*sample, *view, kToken, Matrix::Constant(1, kD, std::nan(""))); },
              ThrowsMessage<DataError>(HasSubstr("not finite")));
}

}  // namespace
}  // namespace wordsway
