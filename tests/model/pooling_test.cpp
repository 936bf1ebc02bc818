#include <fstream>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/model/heads.h"

namespace wordsway::test {
namespace {

const std::vector<int> kVisible{1, 0, 1, 1, 0};

void expect_vjp_is_right(const Pooling& pooling, const AttentionMask& mask) {
  const MatrixF hidden = random_matrix(5, 7, 1);
  const RowF cotangent = random_row(7, 2);
  const auto definition = [&](const Matrix& h) -> Matrix {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(7);
    for (Index j = 0; j < 5; ++j) {
      if (pooling.kind == Pooling::Kind::kCls ? j == 0 : mask.visible(j)) sum += h.row(j);
    }
    if (pooling.kind == Pooling::Kind::kMean) sum /= static_cast<double>(mask.count(5));
    return pooling.normalise ? Eigen::RowVectorXd(sum / sum.norm()) : sum;
  };
  const Matrix at = hidden.cast<double>();
  EXPECT_LT(relative_error(MatrixF(pooling.forward(hidden, mask)), definition(at)), 1e-6);
  const Matrix expected = vjp_by_differences(definition, at, cotangent.cast<double>());
  EXPECT_LT(relative_error(pooling.vjp(hidden, mask, cotangent), expected), 1e-5);
}

TEST(Pooling, AgreesWithItsDefinitionAndDifferences) {
  for (const auto kind : {Pooling::Kind::kCls, Pooling::Kind::kMean}) {
    for (const bool normalise : {false, true}) {
      expect_vjp_is_right({kind, normalise}, {});
      expect_vjp_is_right({kind, normalise}, AttentionMask(kVisible));
    }
  }
}

TEST(Pooling, OfAZeroVectorIsZeroAndNotNaN) {
  const Pooling pooling{Pooling::Kind::kMean, true};
  EXPECT_EQ(pooling.forward(MatrixF::Zero(3, 4)), RowF::Zero(4));
}

class PoolingFiles : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(folder.path(name).parent_path());
    std::ofstream(folder.path(name)) << content;
  }
  void write_pooling(const std::string& config) const {
    write("modules.json", R"([{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
                              {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}])");
    write("1_Pooling/config.json", config);
  }
  TemporaryFolder folder;
};

TEST_F(PoolingFiles, MeanWithoutModules) {
  EXPECT_EQ(read_pooling(folder.folder()).kind, Pooling::Kind::kMean);
  EXPECT_FALSE(read_pooling(folder.folder()).normalise);
}

TEST_F(PoolingFiles, ReadsWhatTheyAskFor) {
  write_pooling(R"({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false})");
  EXPECT_EQ(read_pooling(folder.folder()).kind, Pooling::Kind::kCls);
  write_pooling(R"({"pooling_mode": "mean"})");
  EXPECT_EQ(read_pooling(folder.folder()).kind, Pooling::Kind::kMean);
  write("modules.json",
        R"([{"type": "a.Pooling", "path": "1_Pooling"}, {"type": "a.Normalize", "path": "2_Normalize"}])");
  EXPECT_TRUE(read_pooling(folder.folder()).normalise);
}

TEST_F(PoolingFiles, RefusesWhatIsNotSupported) {
  write_pooling(R"({"pooling_mode_max_tokens": true})");
  EXPECT_THROW(read_pooling(folder.folder()), DataError);
  write_pooling(R"({"pooling_mode_mean_tokens": true, "pooling_mode_cls_token": true})");
  EXPECT_THROW(read_pooling(folder.folder()), DataError);
  write_pooling("{}");
  EXPECT_THROW(read_pooling(folder.folder()), DataError);
  write("modules.json", R"([{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}])");
  EXPECT_THROW(read_pooling(folder.folder()), DataError);
  write("modules.json", R"({"type": "a.Pooling"})");
  EXPECT_THROW(read_pooling(folder.folder()), DataError);
}

}  // namespace
}  // namespace wordsway::test
