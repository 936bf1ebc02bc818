#include "wordsway/model/weights.h"

#include <numeric>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/memory.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/safetensors.h"

namespace wordsway {
namespace {

constexpr size_t kWidenedBelow = size_t{32} << 20;  // bytes of all tensors

bool all_finite(const std::string& dtype, std::span<const std::byte> bytes) {
  const GgufType& type = *find_gguf_type(dtype);
  const size_t piece = 64 * type.block_bytes;
  RowF values(static_cast<Index>(64 * type.block_values));
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size()))) {
    const auto blocks = bytes.first(std::min(piece, bytes.size()));
    const auto count = static_cast<Index>(blocks.size() / type.block_bytes * type.block_values);
    gguf_blocks_to_f32(dtype, blocks, {values.data(), static_cast<size_t>(count)});
    if (!values.head(count).allFinite()) return false;
  }
  return true;
}

}  // namespace

Weights::Weights(const std::filesystem::path& folder)
    : Weights(folder, std::make_shared<const SafeTensors>(SafeTensors::open(folder))) {}

Weights::Weights(std::filesystem::path name, std::shared_ptr<const TensorSource> tensors)
    : folder_(std::move(name)), tensors_(std::move(tensors)) {
  size_t stored = 0;
  for (const auto& [dtype, total] : tensors_->totals_by_type()) stored += total.bytes;
  widened_ = stored < kWidenedBelow;
  if (memory_bytes() > physical_memory())
    throw SystemError(fmt::format("{}: the weights need {} of memory ({}) and this process may use {}",
                                  folder_.string(), format_bytes(memory_bytes()), types(),
                                  format_bytes(physical_memory())));
}

double Weights::memory_bytes() const {
  double bytes = 0;
  for (const auto& [dtype, total] : tensors_->totals_by_type())
    bytes += widened_ ? 4 * static_cast<double>(total.values) : static_cast<double>(total.bytes);
  return bytes;
}

std::string Weights::types() const {
  std::vector<std::string> names;
  for (const auto& [dtype, total] : tensors_->totals_by_type())
    names.push_back(fmt::format("{} {}", dtype, format_bytes(static_cast<double>(total.bytes))));
  return fmt::format("{}", fmt::join(names, ", "));
}

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
  return tensors_->source_files();
}

void Weights::check_unchanged() const {
  tensors_->check_unchanged();
}

bool Weights::contains(const std::string& name) const {
  return tensors_->contains(prefix_ + name);
}

void Weights::refuse(const std::string& name, const std::string& problem) const {
  throw DataError(
      fmt::format("{}: the tensor '{}' {}", folder_.string(), tensors_->name_in_file(prefix_ + name), problem));
}

void Weights::read(const std::string& name, Index first, Index count, std::span<std::byte> bytes) const {
  tensors_->copy_rows(prefix_ + name, first, count, bytes);
  if (!all_finite(tensors_->info(prefix_ + name).dtype, bytes)) refuse(name, "holds a value that is not finite");
}

// A tensor of this shape as a matrix; a vector has one row.
StoredMatrix Weights::stored(const std::string& name, const std::vector<Index>& shape) const {
  const TensorInfo& info = tensors_->info(prefix_ + name, shape);
  const Index columns = shape.back(), rows = columns == 0 ? 0 : info.count / columns;
  if (!is_readable_gguf_type(info.dtype))
    refuse(name, fmt::format("holds {} values; expected {}", info.dtype, enumerate(readable_gguf_types(), "or")));
  return {info.dtype, rows, columns, [weights = *this, name](Index first, Index count, std::span<std::byte> bytes) {
            weights.read(name, first, count, bytes);
          }};
}

PackedWeights Weights::pack(const std::vector<StoredMatrix>& parts) const {
  return widened_ ? PackedWeights::widened(parts) : PackedWeights::as_stored(parts);
}

MatrixF Weights::widened(const std::string& name, const std::vector<Index>& shape) const {
  const StoredMatrix tensor = stored(name, shape);
  MatrixF result(tensor.rows, tensor.columns);
  std::vector<std::byte> bytes(tensor.row_bytes());
  for (Index row = 0; row < result.rows(); ++row) {
    tensor.read(row, 1, bytes);
    gguf_blocks_to_f32(tensor.dtype, bytes, {result.row(row).data(), static_cast<size_t>(result.cols())});
  }
  return result;
}

MatrixF Weights::matrix(const std::string& name, Index rows, Index columns) const {
  return widened(name, {rows, columns});
}

RowF Weights::row(const std::string& name, Index size) const {
  return widened(name, {size}).row(0);
}

PackedWeights Weights::table(const std::string& name, Index rows, Index columns) const {
  return pack({stored(name, {rows, columns})});
}

Linear Weights::linear(const std::string& name, Index in, Index out, bool bias) const {
  return stacked({name}, in, {out}, bias);
}

Linear Weights::transposed_linear(const std::string& name, Index in, Index out) const {
  const StoredMatrix tensor = stored(name + ".weight", {in, out});
  const size_t value_bytes = tensor.row_bytes() / static_cast<size_t>(out);
  std::vector<std::byte> bytes(static_cast<size_t>(in) * tensor.row_bytes());
  tensor.read(0, in, bytes);
  const auto read_column = [&](Index first, Index count, std::span<std::byte> to) {
    for (Index column = first; column < first + count; ++column)
      for (Index row = 0; row < in; ++row, to = to.subspan(value_bytes)) {
        const size_t from = static_cast<size_t>(row * out + column) * value_bytes;
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(from), value_bytes, to.begin());
      }
  };
  return {pack({{tensor.dtype, out, in, read_column}}), row(name + ".bias", out)};
}

Linear Weights::stacked(const std::vector<std::string>& names, Index in, const std::vector<Index>& outs,
                        bool bias) const {
  std::vector<StoredMatrix> parts;
  for (size_t part = 0; part < names.size(); ++part) parts.push_back(stored(names[part] + ".weight", {outs[part], in}));
  Linear result{pack(parts), {}};
  if (!bias) return result;
  result.bias.resize(result.weight.outputs());
  Index begin = 0;
  for (size_t part = 0; part < names.size(); begin += outs[part++])
    result.bias.segment(begin, outs[part]) = row(names[part] + ".bias", outs[part]);
  return result;
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
