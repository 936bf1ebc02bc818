// The layers against torch.nn.functional.
#include "support/golden.h"

#include <gtest/gtest.h>

#include "model/reference.h"

namespace wordsway::test {

namespace {

class TorchLayers : public testing::Test {
 protected:
  const Golden golden{golden_models() / "layers.safetensors"};
  const MatrixF x = golden.matrix("x"), cotangent = golden.matrix("cotangent");

  void expect_equal(const MatrixF& got, const std::string& name) const {
    EXPECT_LT(relative_error(got, golden.matrix(name).cast<double>()), 2e-6) << name;
  }
};

TEST_F(TorchLayers, ActivationsAgree) {
  for (const char* name : {"gelu", "gelu_new", "relu", "silu"}) {
    MatrixF y = x, slope = x;
    activate(layer_activation_named(name), y, slope);
    expect_equal(y, name);
    expect_equal(slope.cwiseProduct(cotangent), std::string(name) + ".vjp");
  }
}

TEST_F(TorchLayers, LayerNormAgrees) {
  const LayerNorm norm{golden.matrix("gain"), golden.matrix("bias"), 1e-5f};
  LayerNormTrace trace;
  MatrixF y = x, gradient = x;
  norm.forward(x, &trace, y);
  norm.vjp(trace, cotangent, gradient);
  expect_equal(y, "layer_norm");
  expect_equal(gradient, "layer_norm.vjp");
}

TEST_F(TorchLayers, LinearAgrees) {
  const Linear linear{PackedWeights(golden.matrix("weight")), golden.matrix("weight_bias")};
  MatrixF gradient = x;
  linear.vjp(cotangent, gradient);
  expect_equal(linear.forward(x), "linear");
  expect_equal(gradient, "linear.vjp");
}

TEST_F(TorchLayers, AttentionAgrees) {
  const MatrixF qkv = golden.matrix("qkv");
  MatrixF context = x, gradient = qkv;
  Attention{AttentionShape::with_own_keys(2, context.cols() / 2)}.forward(qkv, {}, context);
  Attention{AttentionShape::with_own_keys(2, context.cols() / 2)}.vjp(qkv, {}, cotangent, gradient);
  expect_equal(context, "attention");
  expect_equal(gradient, "attention.vjp");
}

}  // namespace
}  // namespace wordsway::test
