// last: the last row of a layer that is not padding, where a decoder has seen the whole text.
#include "wordsway/model/readout.h"

namespace wordsway {
namespace {

class LastRow final : public Readout {
 public:
  bool is_vector() const override { return true; }
  bool is_of_every_layer() const override { return true; }
  std::string description() const override { return "its last row"; }
  Record settings() const override { return {{"rows", "last"}}; }

  MatrixF forward(const ReadoutText& text, ConstMatrixFRef hidden) const override {
    return hidden.middleRows(last_visible_row(hidden.rows(), text.mask), 1);
  }
  MatrixF vjp(const ReadoutText& text, ConstMatrixFRef hidden, ConstMatrixFRef cotangent) const override {
    MatrixF result = MatrixF::Zero(hidden.rows(), hidden.cols());
    result.row(last_visible_row(hidden.rows(), text.mask)) = cotangent;
    return result;
  }
  RowF row_weights(const ReadoutText&, Index n) const override { return MatrixF::Identity(n, n).row(n - 1); }
};

}  // namespace

void register_last_row(ReadoutRegistry& registry) {
  registry.add("last", {.order = 2, .readout = std::make_shared<const LastRow>()});
}

}  // namespace wordsway
