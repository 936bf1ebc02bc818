#include "wordsway/model/readout.h"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/model/transformer.h"

namespace wordsway {

void register_all_readouts(ReadoutRegistry& registry);  // written by the build

namespace {

std::vector<std::string> names_where(bool of_every_layer) {
  const ReadoutRegistry& registry = readout_registry();
  std::vector<std::string> names = registry.names();
  std::erase_if(names, [&](const std::string& name) {
    return registry.get(name).readout->is_of_every_layer() != of_every_layer;
  });
  std::ranges::sort(names, {}, [&](const std::string& name) { return registry.get(name).order; });
  return names;
}

}  // namespace

const ReadoutRegistry& readout_registry() {
  static const ReadoutRegistry registry = [] {
    ReadoutRegistry readouts("readout");
    register_all_readouts(readouts);
    return readouts;
  }();
  return registry;
}

std::shared_ptr<const Readout> readout_named(const std::string& name) {
  return readout_registry().get(name).readout;
}

std::vector<std::string> names_of_layer_readouts() {
  return names_where(false);
}

std::vector<std::string> names_of_row_readouts() {
  return names_where(true);
}

Index last_visible_row(Index rows, const AttentionMask& mask) {
  Index last = rows - 1;
  while (last > 0 && !mask.visible(last)) --last;
  return last;
}

MatrixF ModelOutput::read(const Transformer& transformer, ConstMatrixFRef hidden, const AttentionMask& mask) const {
  return readout->forward({transformer, mask, first_pooled}, hidden);
}

std::string Readout::why_missing(const Transformer&, Index) const {
  return {};
}

Index Readout::columns(const Transformer& transformer) const {
  return transformer.config().hidden_size;
}

std::vector<std::string> Readout::labels(const Transformer&) const {
  return {};
}

Matrix Readout::features(ConstMatrixFRef output) const {
  return output.cast<double>();
}

MatrixF Readout::features_vjp(const Matrix& cotangent) const {
  return cotangent.cast<float>();
}

double Readout::noise_norm(const ReadoutText&, ConstMatrixFRef) const {
  return 0;
}

RowF Readout::row_weights(const ReadoutText&, Index) const {
  return {};
}

MatrixF Readout::forward_sums(const Transformer&, ConstMatrixFRef sums) const {
  return sums;
}

MatrixF Readout::sums_vjp(const Transformer&, ConstMatrixFRef, ConstMatrixFRef cotangents) const {
  return cotangents;
}

}  // namespace wordsway
