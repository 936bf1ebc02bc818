#include "wordsway/model/products/packed_weights.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/model/products/tile.h"

namespace wordsway {
namespace products {
namespace {

constexpr Index kTextRows = 512;   // packed at a time; longer texts read the weights once more for each block
constexpr Index kPackedRows = 64;  // by one thread
constexpr Index kBlocks = 16;      // at least, to share out, where there are as many panels

using Addend = std::array<float, kPanel>;  // to every row of a panel

template <typename Stored, int R, int V>
void multiply_tile(const float* group, const typename Stored::Value* panel, Index depth, const float* addend, float* to,
                   Index stride, Index columns) {
  Tile<R, V> tile;
#pragma GCC unroll 4
  for (Index p = 0; p < depth; ++p, group += kRows, panel += V * kLanes)
    tile.template add<Stored>([&](int r) { return group[r]; }, panel);
  tile.add_row(addend);  // last: a large bias at the start would cost every product its low digits
  put(tile, {1, 0}, to, stride, columns);
}

// C = groups·(panel j) + addend.  A panel is used for the whole text before the next: weights come from memory once,
// the text from the caches.
template <typename Stored>
void multiply_panel(const float* groups, const PanelsOf<typename Stored::Value>& panels, Index j, const Addend& addend,
                    MatrixFRef C) {
  with_vectors(panels.width(j), [&](auto vectors) {
    for_groups(C.rows(), [&](Index row, auto rows) {
      // The last rows stand in one group, of which for_groups asks for parts.
      const float* group = groups + row / kRows * kRows * panels.depth + row % kRows;
      multiply_tile<Stored, rows, vectors>(group, panels.panel(j), panels.depth, addend.data(),
                                           C.data() + row * C.outerStride(), C.outerStride(), panels.used(j));
    });
  });
}

template <typename Stored>
void widen(const typename Stored::Value* from, Index count, float* to) {
  for (Index k = 0; k < count; k += kLanes) store(to + k, Stored::widen(from + k));
}

// Panel j as floats, alone.
template <typename Stored>
Panels widen_panel(const PanelsOf<typename Stored::Value>& panels, Index j, float* to) {
  widen<Stored>(panels.panel(j), panels.depth * panels.width(j), to);
  return {to, panels.depth, panels.used(j)};
}

// The panel of W, [out, in], that belongs to the inputs from `input` on: pieces of the panels of Wᵀ, transposed.
template <typename Stored>
Panels transposed_panel(const PanelsOf<typename Stored::Value>& weights, Index input, Index columns, float* to) {
  const Panels result{to, weights.columns, columns};
  alignas(64) std::array<float, kPanel * kPanel> piece;
  for (Index j = 0; j < weights.count(); ++j) {
    const Index width = weights.width(j);
    const typename Stored::Value* from = weights.panel(j) + input * width;
    const float* floats = piece.data();
    if constexpr (std::is_same_v<Stored, F32>) {
      floats = from;
    } else {
      widen<Stored>(from, columns * width, piece.data());
    }
    transpose(floats, width, columns, weights.used(j), to + j * kPanel * result.width(0), result.width(0));
  }
  fill_up(result, to);
  return result;
}

// Calls body(part, first, count, row) for the parts that hold rows of the stack from `begin` on: `count` rows of `part`
// from its row `first` on are the rows from `row` on of those asked for.
template <typename Body>
void for_parts(const std::vector<StoredMatrix>& parts, Index begin, Index count, const Body& body) {
  Index part_begin = 0;
  for (const StoredMatrix& part : parts) {
    const Index first = std::max(begin, part_begin), end = std::min(begin + count, part_begin + part.rows);
    if (first < end) body(part, first - part_begin, end - first, first - begin);
    part_begin += part.rows;
  }
}

// For every panel of the result: body(the text in groups, the number of the panel, its columns of C). The text, A, is
// packed first, then threads share out the panels, a few at a time; the epilogue sees those together.
template <typename Body>
void for_panels(ConstMatrixFRef A, MatrixFRef C, const Epilogue& epilogue, const Body& body) {
  const double work = static_cast<double>(C.size()) * static_cast<double>(A.cols());
  const Blocks texts{A.rows(), kTextRows}, panels{C.cols(), kPanel};
  const Blocks blocks{panels.count(), std::max<Index>(1, panels.count() / kBlocks)};
  for (Index i = 0; i < texts.count(); ++i) {
    const auto text = A.middleRows(texts.begin(i), texts.length(i));
    auto result = C.middleRows(texts.begin(i), texts.length(i));
    float* groups = scratch(0, groups_size(text.rows(), text.cols()));
    const Blocks pieces{text.rows(), kPackedRows};
    parallel_if(work >= kWorthAThread, pieces.count(), [&](Index piece) {
      const Index row = pieces.begin(piece);
      pack_groups(text.middleRows(row, pieces.length(piece)), groups + row * text.cols());
    });
    parallel_if(work >= kWorthAThread, blocks.count(), [&](Index block) {
      const Index first = blocks.begin(block), end = first + blocks.length(block), column = panels.begin(first);
      for (Index j = first; j < end; ++j) body(groups, j, result.middleCols(panels.begin(j), panels.length(j)));
      const Index columns = std::min(end * kPanel, C.cols()) - column;
      if (epilogue) epilogue(result.middleCols(column, columns), texts.begin(i), column);
    });
  }
}

}  // namespace
}  // namespace products

size_t StoredMatrix::row_bytes() const {
  const GgufType* type = find_gguf_type(dtype);
  if (type == nullptr || !is_readable_gguf_type(dtype) || static_cast<size_t>(columns) % type->block_values != 0)
    throw DataError(fmt::format("{} weights in rows of {} cannot be read", dtype, columns));
  return static_cast<size_t>(columns) / type->block_values * type->block_bytes;
}

PackedWeights::PackedWeights(ConstMatrixFRef W)
    : inputs_(W.cols()), outputs_(W.rows()), floats_(products::panels_size(W.cols(), W.rows())) {
  products::pack_transposed(W, floats_.data());
}

PackedWeights PackedWeights::widened(const std::vector<StoredMatrix>& parts) {
  return {parts, Type::kF32};
}

PackedWeights PackedWeights::as_stored(const std::vector<StoredMatrix>& parts) {
  const auto all_are = [&](const char* dtype) {
    return std::ranges::all_of(parts, [&](const StoredMatrix& part) { return part.dtype == dtype; });
  };
  const bool blocks = std::ranges::any_of(parts, [](const StoredMatrix& part) {
    const GgufType* type = find_gguf_type(part.dtype);
    return type != nullptr && type->block_values > 1;
  });
  if (blocks) return {parts, Type::kBlocks};
  if (all_are("F16")) return {parts, Type::kF16};
  if (all_are("BF16")) return {parts, Type::kBf16};
  return {parts, Type::kF32};
}

PackedWeights::PackedWeights(const std::vector<StoredMatrix>& parts, Type type) : type_(type) {
  for (const StoredMatrix& part : parts) {
    ensure(part.columns == parts.front().columns, "weights of one layer have one width");
    inputs_ = part.columns;
    outputs_ += part.rows;
  }
  if (type == Type::kBlocks) {
    keep_blocks(parts);
  } else if (type == Type::kF32) {
    pack_floats(parts);
  } else {
    pack_halves(parts);
  }
}

void PackedWeights::pack_floats(const std::vector<StoredMatrix>& parts) {
  floats_.resize(products::panels_size(inputs_, outputs_));
  prefer_large_pages(floats_.data(), bytes());
  const products::Panels panels{floats_.data(), inputs_, outputs_};
  parallel_for(panels.count(), [&](Index j) {
    MatrixF rows(panels.used(j), inputs_);
    std::vector<std::byte> bytes;
    products::for_parts(
        parts, j * products::kPanel, rows.rows(), [&](const auto& part, Index first, Index count, Index row) {
          bytes.resize(static_cast<size_t>(count) * part.row_bytes());
          part.read(first, count, bytes);
          gguf_blocks_to_f32(part.dtype, bytes, {rows.row(row).data(), static_cast<size_t>(count * inputs_)});
        });
    products::pack_transposed(rows, floats_.data() + j * products::kPanel * inputs_);
  });
}

void PackedWeights::pack_halves(const std::vector<StoredMatrix>& parts) {
  halves_.resize(products::panels_size(inputs_, outputs_));
  prefer_large_pages(halves_.data(), bytes());
  const products::PanelsOf<std::uint16_t> panels{halves_.data(), inputs_, outputs_};
  parallel_for(panels.count(), [&](Index j) {
    std::vector<std::uint16_t> rows(static_cast<size_t>(panels.used(j) * inputs_));
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(rows));
    const auto row_bytes = 2 * static_cast<size_t>(inputs_);
    products::for_parts(
        parts, j * products::kPanel, panels.used(j), [&](const auto& part, Index first, Index count, Index row) {
          part.read(first, count,
                    bytes.subspan(static_cast<size_t>(row) * row_bytes, static_cast<size_t>(count) * row_bytes));
        });
    std::uint16_t* panel = halves_.data() + j * products::kPanel * inputs_;
    const Index width = panels.width(j);
    for (Index p = 0; p < inputs_; ++p)
      for (Index c = 0; c < width; ++c)
        panel[p * width + c] = c < panels.used(j) ? rows[static_cast<size_t>(c * inputs_ + p)] : std::uint16_t{0};
  });
}

void PackedWeights::keep_blocks(const std::vector<StoredMatrix>& parts) {
  size_t offset = 0;
  for (Index begin = 0; begin < outputs_; begin += products::kLanes) {
    const GgufType* type = nullptr;
    products::for_parts(parts, begin, products::kLanes, [&](const auto& part, Index, Index, Index) {
      part.row_bytes();  // throws
      const GgufType* own = find_gguf_type(part.dtype);
      type = type == nullptr || type == own ? own : find_gguf_type("F32");
    });
    strips_.push_back({type, offset});
    offset += static_cast<size_t>(inputs_ * products::kLanes) / type->block_values * type->block_bytes;
  }
  blocks_.resize(static_cast<Index>(offset));
  prefer_large_pages(blocks_.data(), offset);
  parallel_for(static_cast<Index>(strips_.size()), [&](Index s) { keep_strip(parts, s); });
}

// Strips are of one type: where two parts of different types meet, one of floats.
void PackedWeights::keep_strip(const std::vector<StoredMatrix>& parts, Index s) {
  const GgufType& type = *strips_[static_cast<size_t>(s)].type;
  const size_t row_bytes = static_cast<size_t>(inputs_) / type.block_values * type.block_bytes;
  const Index begin = s * products::kLanes, used = std::min(products::kLanes, outputs_ - begin);
  std::vector<std::byte> rows(static_cast<size_t>(used) * row_bytes), stored;
  products::for_parts(parts, begin, used, [&](const auto& part, Index first, Index count, Index row) {
    const auto to =
        std::span(rows).subspan(static_cast<size_t>(row) * row_bytes, static_cast<size_t>(count) * row_bytes);
    if (part.dtype == type.name) return part.read(first, count, to);
    stored.resize(static_cast<size_t>(count) * part.row_bytes());
    part.read(first, count, stored);
    MatrixF floats(count, inputs_);
    gguf_blocks_to_f32(part.dtype, stored, {floats.data(), static_cast<size_t>(floats.size())});
    std::memcpy(to.data(), floats.data(), to.size());
  });
  products::pack_strip(type, rows, row_bytes, blocks_.data() + strips_[static_cast<size_t>(s)].offset);
}

size_t PackedWeights::bytes() const {
  return static_cast<size_t>(floats_.size()) * sizeof(float) + static_cast<size_t>(halves_.size()) * 2 +
         static_cast<size_t>(blocks_.size());
}

// body(how weights are stored, the panels), where they are in panels.
template <typename Body>
void PackedWeights::with_panels(const Body& body) const {
  const products::PanelsOf<std::uint16_t> halves{halves_.data(), inputs_, outputs_};
  switch (type_) {
    case Type::kF32:
      return body(products::F32{}, products::Panels{floats_.data(), inputs_, outputs_});
    case Type::kF16:
      return body(products::F16{}, halves);
    case Type::kBf16:
      return body(products::Bf16{}, halves);
    case Type::kBlocks:
      break;
  }
  ensure(false, "blocks are not in panels");
}

std::vector<products::Strip> PackedWeights::panel_strips(Index j) const {
  const Index begin = j * products::kVectors;
  const Index end = std::min(begin + products::kVectors, static_cast<Index>(strips_.size()));
  std::vector<products::Strip> result;
  for (auto s = static_cast<size_t>(begin); s < static_cast<size_t>(end); ++s)
    result.push_back({strips_[s].type, blocks_.data() + strips_[s].offset});
  return result;
}

// Panel j of Wᵀ as floats, alone; `to` has room for it.
products::Panels PackedWeights::dequantised_panel(Index j, float* to) const {
  const products::Panels result{to, inputs_, std::min(products::kPanel, outputs_ - j * products::kPanel)};
  products::widen_strips(panel_strips(j), inputs_, to);
  products::fill_up(result, to);
  return result;
}

void PackedWeights::copy_row(Index i, float* row) const {
  if (type_ == Type::kBlocks) {
    const KeptStrip& strip = strips_[static_cast<size_t>(i / products::kLanes)];
    return products::unpack_strip_row({strip.type, blocks_.data() + strip.offset}, i % products::kLanes,
                                      {row, static_cast<size_t>(inputs_)});
  }
  const Index j = i / products::kPanel, c = i % products::kPanel;
  with_panels([&](auto stored, const auto& panels) {
    const auto* from = panels.panel(j) + c;
    for (Index p = 0; p < inputs_; ++p) row[p] = stored.widen_one(from[p * panels.width(j)]);
  });
}

MatrixF PackedWeights::rows(Index begin, Index count) const {
  MatrixF result(count, inputs_);
  for (Index row = 0; row < count; ++row) copy_row(begin + row, result.row(row).data());
  return result;
}

void PackedWeights::forward(ConstMatrixFRef x, const RowF& bias, MatrixFRef y, const Epilogue& epilogue) const {
  ensure(x.cols() == inputs_ && (bias.size() == outputs_ || bias.size() == 0) && y.rows() == x.rows() &&
             y.cols() == outputs_,
         "shapes of x·Wᵀ + b fit");
  products::for_panels(x, y, epilogue, [&](const float* groups, Index j, MatrixFRef block) {
    products::Addend addend{};
    if (bias.size() > 0) std::copy_n(bias.data() + j * products::kPanel, block.cols(), addend.data());
    const auto alone = [&] { return products::scratch(1, products::panels_size(inputs_, block.cols())); };
    // Few rows use a panel once: then its values become floats on their way into the registers.
    const bool once = block.rows() <= products::kRows;
    if (type_ == Type::kBlocks) {
      if (once) return products::multiply_strips(groups, panel_strips(j), inputs_, addend.data(), block);
      return products::multiply_panel<products::F32>(groups, dequantised_panel(j, alone()), 0, addend, block);
    }
    with_panels([&](auto stored, const auto& panels) {
      using Stored = decltype(stored);
      if (std::is_same_v<Stored, products::F32> || once)
        return products::multiply_panel<Stored>(groups, panels, j, addend, block);
      const products::Panels panel = products::widen_panel<Stored>(panels, j, alone());
      products::multiply_panel<products::F32>(groups, panel, 0, addend, block);
    });
  });
}

void PackedWeights::vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& epilogue) const {
  ensure(y_cotangent.cols() == outputs_ && x_cotangent.rows() == y_cotangent.rows() && x_cotangent.cols() == inputs_,
         "shapes of y·W fit");
  if (type_ == Type::kBlocks) return expanded().vjp(y_cotangent, x_cotangent, epilogue);
  products::for_panels(y_cotangent, x_cotangent, epilogue, [&](const float* groups, Index j, MatrixFRef block) {
    float* buffer = products::scratch(1, products::panels_size(outputs_, block.cols()));
    with_panels([&](auto stored, const auto& panels) {
      const products::Panels panel =
          products::transposed_panel<decltype(stored)>(panels, j * products::kPanel, block.cols(), buffer);
      products::multiply_panel<products::F32>(groups, panel, 0, {}, block);
    });
  });
}

// Blocks run along the inputs and the vjp needs them across: each would become floats several times.
PackedWeights PackedWeights::expanded() const {
  PackedWeights result;
  result.inputs_ = inputs_;
  result.outputs_ = outputs_;
  result.floats_.resize(products::panels_size(inputs_, outputs_));
  parallel_for((outputs_ + products::kPanel - 1) / products::kPanel,
               [&](Index j) { dequantised_panel(j, result.floats_.data() + j * products::kPanel * inputs_); });
  return result;
}

}  // namespace wordsway
