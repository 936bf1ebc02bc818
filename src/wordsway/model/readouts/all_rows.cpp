// all: the hidden state of a layer, every row of it.
#include "wordsway/model/readout.h"

namespace wordsway {
namespace {

class AllRows final : public Readout {
 public:
  bool is_vector() const override { return false; }
  bool is_of_every_layer() const override { return true; }
  bool is_hidden_state() const override { return true; }

  MatrixF forward(const ReadoutText&, ConstMatrixFRef hidden) const override { return hidden; }
  MatrixF vjp(const ReadoutText&, ConstMatrixFRef, ConstMatrixFRef cotangent) const override { return cotangent; }
};

}  // namespace

void register_all_rows(ReadoutRegistry& registry) {
  registry.add("all", {.order = 1, .readout = std::make_shared<const AllRows>()});
}

}  // namespace wordsway
