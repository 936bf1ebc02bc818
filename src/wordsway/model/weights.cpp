#include "wordsway/model/weights.h"

#include <numeric>
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

Linear Weights::transposed_linear(const std::string& name, Index in, Index out) const {
  Linear result;
  result.weight = PackedWeights(MatrixF(matrix(name + ".weight", in, out).transpose()));
  result.bias = row(name + ".bias", out);
  return result;
}

Linear Weights::stacked(const std::vector<std::string>& names, Index in, const std::vector<Index>& outs,
                        bool bias) const {
  for (size_t part = 0; part < names.size(); ++part)
    tensors_->info(prefix_ + names[part] + ".weight", {outs[part], in});
  const Index out = std::accumulate(outs.begin(), outs.end(), Index{0});
  MatrixF weight(out, in);
  RowF biases(bias ? out : 0);
  Index begin = 0;
  for (size_t part = 0; part < names.size(); ++part) {
    copy(names[part] + ".weight", weight.row(begin).data(), outs[part] * in);
    if (bias) biases.segment(begin, outs[part]) = row(names[part] + ".bias", outs[part]);
    begin += outs[part];
  }
  return {PackedWeights(weight), biases};
}

LayerNorm Weights::layer_norm(const std::string& name, Index size, double epsilon, bool bias) const {
  const bool old = !contains(name + ".weight") && contains(name + ".gamma");
  LayerNorm result;
  result.gain = row(name + (old ? ".gamma" : ".weight"), size);
  if (bias) result.bias = row(name + (old ? ".beta" : ".bias"), size);
  result.epsilon = static_cast<float>(epsilon);
  return result;
}

LayerNorm Weights::rms_norm(const std::string& name, Index size, double epsilon) const {
  LayerNorm result = layer_norm(name, size, epsilon, false);
  result.centred = false;
  return result;
}

}  // namespace wordsway
