#include "wordsway/audit/token_move.h"

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/model/model_map.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class TokenMoveTest : public testing::Test {
 protected:
  Vector move(MoveDirection direction, const SensitivityOptions& search = {}) const {
    return token_move(transformer_, x_, 2, direction, Radius::absolute(kRadius), Stream(1), search);
  }
  // How far the last layer changes.
  double change(const Vector& delta) const {
    const Index last = transformer_->config().layers;
    return (transformer_->forward(with_moved_token(x_, 2, delta), last) - transformer_->forward(x_, last)).norm();
  }

  static constexpr double kRadius = 3;
  const std::shared_ptr<const Transformer> transformer_ =
      Transformer::load(test::source_folder() / "tests/golden/models/bert");
  const MatrixF x_ = transformer_->embed(std::vector<int>{5, 9, 13, 17, 21});
};

TEST_F(TokenMoveTest, HasTheLengthThatWasAskedFor) {
  for (const MoveDirection direction : {MoveDirection::kAttract, MoveDirection::kNoise, MoveDirection::kAscent})
    EXPECT_NEAR(move(direction).norm(), kRadius, 1e-6) << to_string(direction);
  EXPECT_THAT([&] { token_move(transformer_, x_, 5, MoveDirection::kNoise, Radius::absolute(kRadius), Stream(1)); },
              ThrowsMessage<UsageError>(HasSubstr("tokens 0 to 4")));
}

TEST_F(TokenMoveTest, ByAscentChangesMoreThanNoise) {
  EXPECT_GT(change(move(MoveDirection::kAscent)), change(move(MoveDirection::kNoise)));
}

// A caller that pays for more starts and a finer search gets them.
TEST_F(TokenMoveTest, SearchesAsLongAsTheCallerSays) {
  const SensitivityOptions patient = {.starts = 8, .max_iterations = 500, .tolerance = 1e-9};
  const Vector quick = move(MoveDirection::kAscent), better = move(MoveDirection::kAscent, patient);
  EXPECT_NE(quick, better);
  EXPECT_GE(change(better), change(quick) * (1 - 1e-5));
}

}  // namespace
}  // namespace wordsway
