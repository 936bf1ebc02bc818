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

constexpr Index kN = 7, kD = 5, kWords = 37, kChangedToken = 2;

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
  replaced.row(kChangedToken) = word;
  const Matrix before = map.features_reference(X);
  return (map.features_reference(replaced) - before).norm() / before.norm();
}

class EveryMap : public testing::TestWithParam<std::string> {};

TEST_P(EveryMap, IsChangedByAWordAsMuchAsItsDefinitionSays) {
  const auto map = draw(GetParam());
  const Matrix X = sample_of_rows("tokens", kN), words = sample_of_rows("words", kWords) * 1.5;
  const auto sample = map->at(X);
  const Vector found = replacement_changes(*sample, *sample->token(kChangedToken), kChangedToken, words);
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
    found.push_back(replacement_changes(*sample, *sample->token(kChangedToken), kChangedToken, words));
  }
  set_thread_count(before);
  EXPECT_EQ(found[0], found[1]);
}

Matrix without_row(const Matrix& X, Index row) {
  Matrix others(X.rows() - 1, X.cols());
  for (Index i = 0; i < others.rows(); ++i) others.row(i) = X.row(i < row ? i : i + 1);
  return others;
}

TEST_P(EveryMap, LosesAWordAsItsDefinitionSays) {
  const auto map = draw(GetParam());
  const Matrix X = sample_of_rows("tokens", kN), phi = map->features_reference(X);
  const auto sample = map->at(X);
  double squares = 0;
  if (phi.rows() == kN) {
    const Matrix others = map->features_reference(without_row(X, kChangedToken));
    squares = (others - without_row(phi, kChangedToken)).squaredNorm() + phi.row(kChangedToken).squaredNorm();
  } else {
    Matrix emptied = X;
    emptied.row(kChangedToken).setZero();
    squares = (map->features_reference(emptied) - phi).squaredNorm();
  }
  const auto found = left_out_change(*map, *sample, *sample->token(kChangedToken), kChangedToken);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(*found, std::sqrt(squares) / phi.norm(), 1e-9);
}

// With every evaluation allowed the search is the exhaustive one; with some it finds no more, and what it says of the
// drawn words is the same.
TEST_P(EveryMap, IsSearchedForTheWorstWordFromBelow) {
  const Matrix X = sample_of_rows("tokens", kN), words = sample_of_rows("words", kWords);
  const auto sample = draw(GetParam())->at(X);
  const auto view = sample->token(kChangedToken);
  const std::vector<Index> drawn = {3, 8, 3};
  const WordChanges all = word_changes(*sample, *view, kChangedToken, words, drawn),
                    exhaustive = search_word_changes(*sample, *view, kChangedToken, words, drawn, kWords),
                    some = search_word_changes(*sample, *view, kChangedToken, words, drawn, 20),
                    none = search_word_changes(*sample, *view, kChangedToken, words, drawn, 0);
  EXPECT_NEAR(exhaustive.worst, all.worst, 1e-12);
  EXPECT_EQ(exhaustive.words, kWords);
  EXPECT_LE(some.worst, all.worst + 1e-12);
  EXPECT_GE(some.worst, none.worst);
  EXPECT_EQ(some.words, 20);
  EXPECT_EQ(none.words, 2) << "those that were drawn";
  for (const WordChanges& found : {exhaustive, some, none}) EXPECT_NEAR(found.typical, all.typical, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(WordChanges, EveryMap, testing::ValuesIn(map_registry().names()), [](const auto& map) {
  std::string name = map.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(WordChanges, AreTheMeanOfTheDrawnAndTheLargestOfAll) {
  const auto sample = draw("raf")->at(sample_of_rows("tokens", kN));
  const auto view = sample->token(kChangedToken);
  const Matrix words = sample_of_rows("words", 4);
  const Vector each = replacement_changes(*sample, *view, kChangedToken, words);
  const WordChanges found = word_changes(*sample, *view, kChangedToken, words, std::vector<Index>{1, 3, 1, 1});
  EXPECT_NEAR(found.typical, (3 * each[1] + each[3]) / 4, 1e-15);
  EXPECT_EQ(found.worst, each.maxCoeff());
  EXPECT_EQ(found.words, 4);
}

TEST(WordChanges, OfTheWordThatIsThereIsZero) {
  const Matrix X = sample_of_rows("tokens", kN);
  for (const char* map : {"raf", "rf"}) {
    const auto sample = draw(map)->at(X);
    EXPECT_EQ(replacement_changes(*sample, *sample->token(kChangedToken), kChangedToken, X.row(kChangedToken))[0], 0)
        << map;
  }
}

TEST(WordChanges, OfASingleWordCannotBeThatItIsLeftOut) {
  const auto map = draw("raf");
  const auto sample = map->at(sample_of_rows("tokens", 1));
  EXPECT_EQ(left_out_change(*map, *sample, *sample->token(0), 0), std::nullopt);
}

// Following the gradient finds the worst of many words with a twentieth of the evaluations; drawing as many does not.
TEST(WordChanges, AreSearchedBetterThanByDrawing) {
  const Matrix words = sample_of_rows("words", 2000);
  int found_by_search = 0, found_by_drawing = 0;
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    MapOptions options;
    options.n = kN;
    options.d = kD;
    const auto sample = map_registry().get("raf").draw(options, Stream(trial))->at(sample_of_rows("tokens", kN));
    const auto view = sample->token(kChangedToken);
    std::vector<Index> drawn;
    for (Index k = 0; k < 16; ++k) drawn.push_back(k);
    const Vector all = replacement_changes(*sample, *view, kChangedToken, words);
    found_by_search +=
        search_word_changes(*sample, *view, kChangedToken, words, drawn, 100).worst > 0.99 * all.maxCoeff();
    found_by_drawing += all.head(100).maxCoeff() > 0.99 * all.maxCoeff();
  }
  EXPECT_GE(found_by_search, 8);
  EXPECT_LT(found_by_drawing, found_by_search);
}

TEST(WordChanges, RefuseWhatHasNoMeaning) {
  const auto sample = draw("raf")->at(sample_of_rows("tokens", kN));
  const auto view = sample->token(kChangedToken);
  EXPECT_THAT([&] { word_changes(*sample, *view, kChangedToken, sample_of_rows("words", 4), {}); },
              ThrowsMessage<UsageError>(HasSubstr("no word")));
  EXPECT_THAT([&] { replacement_changes(*sample, *view, kChangedToken, Matrix::Constant(1, kD, std::nan(""))); },
              ThrowsMessage<DataError>(HasSubstr("not finite")));
  EXPECT_THAT([&] { search_word_changes(*sample, *view, kChangedToken, sample_of_rows("words", 4), {}, 3); },
              ThrowsMessage<UsageError>(HasSubstr("no word")));
  EXPECT_THAT([&] { left_out_change(*sample, kChangedToken, Matrix::Zero(kN - 2, kD)); },
              ThrowsMessage<DataError>(HasSubstr("5 rows; expected 7, or one less")));
}

}  // namespace
}  // namespace wordsway
