#include "wordsway/model/weights.h"

#include <span>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/safetensors.h"

namespace wordsway {

Weights::Weights(const std::filesystem::path& folder)
    : folder_(folder), tensors_(std::make_shared<const SafeTensors>(SafeTensors::open(folder))) {}

Weights Weights::without_prefix(const std::string& prefix, const std::string& probe) const {
  Weights result = *this;
  if (tensors_->contains(prefix + probe)) {
    result.prefix_ = prefix;
  } else if (!tensors_->contains(probe)) {
    throw DataError(fmt::format("{}: the weights hold neither '{}' nor '{}{}'; is config.json that of another model?",
                                folder_.string(), probe, prefix, probe));
  }
  return result;
}

std::vector<SourceFile> Weights::files() const {
  std::vector<SourceFile> files;
  for (const SafeTensors::File& file : tensors_->files()) files.push_back({"weights", file.path, file.stamp});
  return files;
}

void Weights::check_unchanged() const {
  tensors_->check_unchanged();
}

bool Weights::contains(const std::string& name) const {
  return tensors_->contains(prefix_ + name);
}

void Weights::refuse(const std::string& name, const std::string& problem) const {
  throw DataError(fmt::format("{}: the tensor '{}' {}", folder_.string(), prefix_ + name, problem));
}

void Weights::copy(const std::string& name, float* values, Index count) const {
  const std::span<float> target(values, static_cast<size_t>(count));
  tensors_->copy_f32(prefix_ + name, target);
  if (!Eigen::Map<const RowF>(values, count).allFinite()) {
    refuse(name, "holds a value that is not finite");
  }
}

MatrixF Weights::matrix(const std::string& name, Index rows, Index columns) const {
  tensors_->info(prefix_ + name, {rows, columns});
  MatrixF result(rows, columns);
  copy(name, result.data(), result.size());
  return result;
}

RowF Weights::row(const std::string& name, Index size) const {
  tensors_->info(prefix_ + name, {size});
  RowF result(size);
  copy(name, result.data(), result.size());
  return result;
}

Linear Weights::linear(const std::string& name, Index in, Index out, bool bias) const {
  Linear result;
  result.weight = PackedWeights(matrix(name + ".weight", out, in));
  if (bias) result.bias = row(name + ".bias", out);
  return result;
}

Linear Weights::stacked(const std::vector<std::string>& names, Index in, Index out_each) const {
  const auto count = static_cast<Index>(names.size());
  for (const std::string& name : names) tensors_->info(prefix_ + name + ".weight", {out_each, in});
  MatrixF weight(count * out_each, in);
  RowF bias(count * out_each);
  for (Index part = 0; part < count; ++part) {
    const std::string& name = names[static_cast<size_t>(part)];
    copy(name + ".weight", weight.row(part * out_each).data(), out_each * in);
    bias.segment(part * out_each, out_each) = row(name + ".bias", out_each);
  }
  return {PackedWeights(weight), bias};
}

LayerNorm Weights::layer_norm(const std::string& name, Index size, double epsilon, bool bias) const {
  const bool old = !contains(name + ".weight") && contains(name + ".gamma");
  LayerNorm result;
  result.gain = row(name + (old ? ".gamma" : ".weight"), size);
  if (bias) result.bias = row(name + (old ? ".beta" : ".bias"), size);
  result.epsilon = static_cast<float>(epsilon);
  return result;
}

}  // namespace wordsway
