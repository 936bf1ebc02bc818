// A whole model against golden values from Transformers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "support/golden.h"
#include "wordsway/model/transformer.h"

namespace wordsway::test {

/// Compares everything the golden file holds; returns the largest relative error per kind, as gtest properties.
class ModelAgainstGolden {
 public:
  ModelAgainstGolden(const std::filesystem::path& folder, const std::filesystem::path& expected, double tolerance)
      : transformer_(Transformer::load(folder)), golden_(expected), tolerance_(tolerance) {}

  void check_all() const {
    check_hidden_states();
    check_attention();
    check_gradients();
    check_pooling();
    if (golden_.contains("logits")) check_logits();
  }

 private:
  void expect(const MatrixF& got, const MatrixF& want, const std::string& what) const {
    const double error = relative_error(got, want.cast<double>());
    EXPECT_LT(error, tolerance_) << what;
    testing::Test::RecordProperty(what, std::to_string(error));
    if (std::getenv("WORDSWAY_TEST_MODEL") != nullptr)
      std::printf("  %-14s relative error %.1e\n", what.c_str(), error);
  }

  void check_hidden_states() const {
    const auto states = transformer_->hidden_states(x_, mask_);
    ASSERT_EQ(static_cast<Index>(states.size()), transformer_->config().layers + 1);
    for (size_t l = 0; l < states.size(); ++l) {
      const std::string name = "hidden." + std::to_string(l);
      expect(states[l], golden_.matrix(name), name);
      EXPECT_EQ(transformer_->forward(x_, static_cast<Index>(l), mask_), states[l]) << "forward to one layer, " << name;
    }
  }

  void check_attention() const {
    const ModelConfig& config = transformer_->config();
    Index seen = 0;
    const auto compare = [&](Index layer, const std::vector<MatrixF>& heads) {
      EXPECT_EQ(layer, ++seen);
      const std::string name = "attention." + std::to_string(layer);
      MatrixF got(0, x_.rows()), want = golden_.matrix(name);
      got.resize(want.rows(), want.cols());
      for (Index head = 0; head < config.attention.heads; ++head) {
        got.middleRows(head * x_.rows(), x_.rows()) = heads[static_cast<size_t>(head)];
        EXPECT_EQ(transformer_->attention(x_, layer, head, mask_), heads[static_cast<size_t>(head)]);
      }
      expect(got, want, name);
    };
    transformer_->for_each_attention(x_, {1, config.layers, 0, config.attention.heads}, compare, mask_);
    EXPECT_EQ(seen, config.layers);
  }

  void check_gradients() const {
    TransformerTrace trace;
    const MatrixF cotangent = golden_.matrix("cotangent");
    transformer_->forward(x_, transformer_->config().layers, mask_, trace);
    expect(transformer_->vjp(trace, cotangent), golden_.matrix("gradient"), "gradient");
    expect(transformer_->vjp_row(trace, cotangent, 3), golden_.matrix("gradient").row(3), "gradient of one row");
    transformer_->forward(x_, 1, mask_, trace);  // the trace is used again, for fewer layers
    expect(transformer_->vjp(trace, cotangent), golden_.matrix("gradient.1"), "gradient.1");
  }

  void check_pooling() const {
    const SentenceChain pooling{{PoolingMode::kMean}, true, {{NormalizeModule{}}}};
    expect(pooling.forward(transformer_->forward(x_, transformer_->config().layers, mask_), mask_),
           golden_.matrix("pooled"), "pooled");
  }

  void check_logits() const {
    const MatrixF hidden = transformer_->forward(x_, transformer_->config().layers, mask_);
    const MatrixF all = transformer_->is_decoder() ? transformer_->logits(hidden) : transformer_->word_logits(hidden);
    if (!golden_.contains("logit_positions")) return expect(all, golden_.matrix("logits"), "logits");
    const auto positions = golden_.integers("logit_positions");
    MatrixF some(static_cast<Index>(positions.size()), all.cols());
    for (Index k = 0; k < some.rows(); ++k) some.row(k) = all.row(positions[static_cast<std::size_t>(k)]);
    expect(some, golden_.matrix("logits"), "logits");
  }

  std::unique_ptr<Transformer> transformer_;
  Golden golden_;
  double tolerance_;
  AttentionMask mask_ = golden_.mask();
  MatrixF x_ = transformer_->embed(golden_.ids());
};

}  // namespace wordsway::test
