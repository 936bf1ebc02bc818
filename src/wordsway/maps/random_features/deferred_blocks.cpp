#include "wordsway/maps/random_features/deferred_blocks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr Index kBlock = 8192;

// One step down the tree: the left half's sum is weight·s + deviation·g.
struct Split {
  Stream stream;
  double weight, deviation;
  bool left;  // where the token is
};

}  // namespace

std::shared_ptr<DeferredMatrix> make_deferred(const Stream& stream, Index rows, Index columns, double scale) {
  return std::make_shared<DeferredMatrix>(stream, rows, columns, scale);
}

DeferredBlocks::DeferredBlocks(const Stream& stream, Index n, Index d, Index k, double scale, bool keep,
                               DeferredMaker make)
    : TokenBlocks(n, d, k, expected_norm(n, d, k, scale)),
      stream_(stream),
      scale_(scale),
      keep_(keep),
      make_(std::move(make)),
      blocks_(static_cast<size_t>(n)),
      kept_(static_cast<size_t>(n)),
      made_(static_cast<size_t>(n), false) {}

void DeferredBlocks::set_anchor(const Matrix& X) {
  anchor_ = X;
  squares_before_.setZero(n() + 1);
  for (Index j = 0; j < n(); ++j) squares_before_[j + 1] = squares_before_[j] + X.row(j).squaredNorm();
  const Stream numbers = stream_.derive("sum");
  const double deviation = scale_ * std::sqrt(squares(0, n()));
  anchor_image_.resize(k());
  const Blocks blocks{k(), kBlock};
  parallel_for(blocks.count(), [&](Index b) {
    fill_gaussian(numbers, static_cast<std::uint64_t>(blocks.begin(b)),
                  {anchor_image_.data() + blocks.begin(b), static_cast<size_t>(blocks.length(b))}, deviation);
  });
}

double DeferredBlocks::squares(Index first, Index last) const {
  return squares_before_[last] - squares_before_[first];
}

Vector DeferredBlocks::image(const Matrix& X) {
  if (X.rows() != n() || X.cols() != d())
    throw DataError(fmt::format("the weights expect a sample of {} x {}; got {} x {}", n(), d(), X.rows(), X.cols()));
  const std::lock_guard lock(mutex_);
  if (anchor_.size() == 0) set_anchor(X);
  Vector result = anchor_image_, part(k());
  for (Index j = 0; j < n(); ++j) {
    if (X.row(j) == anchor_.row(j)) continue;
    find_or_make(j)->apply((X.row(j) - anchor_.row(j)).transpose(), part);
    result += part;
  }
  return result;
}

std::shared_ptr<GaussianMatrix> DeferredBlocks::block(Index i) {
  const std::lock_guard lock(mutex_);
  if (anchor_.size() == 0) set_anchor(Matrix::Zero(n(), d()));
  return find_or_make(i);
}

std::shared_ptr<DeferredMatrix> DeferredBlocks::find_or_make(Index i) {
  const auto slot = static_cast<size_t>(i);
  if (auto alive = blocks_[slot].lock()) return alive;
  if (made_[slot])
    throw UsageError(fmt::format(
        "the weights of token {} are gone with its last view; draw the map with keep_weights to look at it again", i));
  auto block = make_block(i);
  made_[slot] = true;
  blocks_[slot] = block;
  if (keep_) kept_[slot] = block;
  return block;
}

// A block that is let go leaves its size behind.
std::shared_ptr<DeferredMatrix> DeferredBlocks::make_block(Index i) const {
  auto block = make_(stream_.derive("token").derive(static_cast<std::uint64_t>(i)), k(), d(), scale_);
  block->begin_with(anchor_.row(i).transpose(), token_image(i));
  return {block.get(), [block, largest = largest_let_go_](DeferredMatrix*) mutable {
            const double bytes = block->memory_bytes();
            for (double known = *largest; known < bytes && !largest->compare_exchange_weak(known, bytes);) {
            }
            block.reset();  // weak pointers keep this deleter alive, and must not keep the block
          }};
}

Vector DeferredBlocks::token_image(Index i) const {
  std::vector<Split> path;
  std::uint64_t node = 1;
  for (Index first = 0, last = n(); last - first > 1;) {
    const Index middle = (first + last) / 2;
    const double a = squares(first, middle), b = squares(middle, last), total = a + b;
    const bool left = i < middle;
    path.push_back({stream_.derive("split").derive(node), total > 0 ? a / total : 0,
                    total > 0 ? scale_ * std::sqrt(a / total * b) : 0, left});
    (left ? last : first) = middle;
    node = 2 * node + (left ? 0 : 1);
  }
  Vector sum = anchor_image_;
  const Blocks blocks{k(), kBlock};
  parallel_for(blocks.count(), [&](Index b) {
    auto part = sum.segment(blocks.begin(b), blocks.length(b));
    Vector half(part.size());
    for (const Split& split : path) {
      fill_gaussian(split.stream, static_cast<std::uint64_t>(blocks.begin(b)),
                    {half.data(), static_cast<size_t>(half.size())}, split.deviation);
      half += split.weight * part;
      if (split.left) {
        part = half;
      } else {
        part -= half;
      }
    }
  });
  return sum;
}

double DeferredBlocks::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  double alive = 0;
  for (const auto& block : blocks_)
    if (const auto held = block.lock()) alive += held->memory_bytes();
  return 8.0 * static_cast<double>(anchor_.size() + anchor_image_.size()) + std::max(alive, largest_let_go_->load());
}

}  // namespace wordsway
