#include "wordsway/cuda/device_text.cuh"

#include <algorithm>
#include <array>
#include <exception>

namespace wordsway::cuda {
namespace {

// Rows of copies at once: products are then large enough to fill the device, and their traces fit.
constexpr long kBatchRows = 65536;

/// A text and its copies. Those of a decoder begin with the row that moved: rows before it are the text's.
class Text final : public DeviceText {
 public:
  Text(std::shared_ptr<const DeviceBlocks> blocks, std::shared_ptr<Transfers> transfers, bool causal, ConstMatrixFRef x,
       Index layer)
      : blocks_(std::move(blocks)),
        transfers_(std::move(transfers)),
        causal_(causal),
        layer_(static_cast<size_t>(layer)),
        n_(x.rows()),
        hidden_(x.rows(), x.cols()) {
    const std::lock_guard lock(blocks_->mutex());
    const MatrixF rows = x;
    x_ = upload_floats(queue(), rows.data(), rows.size());
    Scratch& scratch = blocks_->scratch();
    scratch.states.reserve(x_.bytes());
    queue().copy_here(x_, scratch.states, x_.bytes());
    // Projections of the first layer are there after every forward, those of the others after one that keeps traces.
    blocks_->forward({blocks_->texts(std::array{n_}), layer_, causal_});
    known_ = blocks_->copy_projections(n_, causal_ ? layer_ : std::min<size_t>(layer_, 1));
    base_ = Buffer(x_.bytes());
    queue().copy_here(scratch.states, base_, x_.bytes());
    download(queue(), base_.as<float>(), hidden_);
  }

  const MatrixF& hidden() const override { return hidden_; }

  Vector distances(const MovedRows& moved, MatrixF* gradients) const override {
    Vector found(moved.rows.rows());
    const auto read = [&](const Copies& copies, Transfer& transfer) {
      Scratch& scratch = blocks_->scratch();
      scratch.partial.reserve(sizeof(double) * static_cast<size_t>(copies.count * kDistanceParts));
      scratch.squares.reserve(sizeof(double) * static_cast<size_t>(copies.count));
      cuda::distances(queue().stream(), copies, blocks_->d(), scratch.states.as<float>(), base_.as<float>(),
                      scratch.partial.as<double>(), scratch.squares.as<double>(),
                      transfer.wanted > 0 ? scratch.cotangent.as<float>() : nullptr);
      queue().download_later(scratch.squares.as<double>(),
                             transfer.squares.take<double>(static_cast<size_t>(copies.count)));
    };
    for_each_batch(moved, gradients, read, [&](Transfer& transfer) {
      const auto squares = transfer.squares.take<double>(static_cast<size_t>(transfer.copies.size()));
      std::ranges::copy(squares, found.data() + transfer.copies.begin);
    });
    return found;
  }

  void read_out(const MovedRows& moved, const RowF& weights, const Respond& respond,
                MatrixF* gradients) const override {
    const auto read = [&](const Copies& copies, const Transfer& transfer) {
      Scratch& scratch = blocks_->scratch();
      scratch.weights.reserve(float_bytes(1, weights.size()));
      queue().upload(std::span(weights.data(), static_cast<size_t>(weights.size())), scratch.weights.as<float>());
      scratch.readouts.reserve(float_bytes(copies.count, blocks_->d()));
      readout(queue().stream(), copies, blocks_->d(), scratch.states.as<float>(), base_.as<float>(),
              scratch.weights.as<float>(), scratch.readouts.as<float>());
      MatrixF found(copies.count, blocks_->d());
      download(queue(), scratch.readouts.as<float>(), found);
      const MatrixF cotangent = respond(found, transfer.copies.begin);
      if (transfer.wanted == 0) return;
      upload(queue(), cotangent, scratch.readouts);
      readout_backward(queue().stream(), first_of(copies, transfer.wanted), blocks_->d(), scratch.readouts.as<float>(),
                       scratch.weights.as<float>(), scratch.cotangent.as<float>());
    };
    for_each_batch(moved, gradients, read);
  }

  void read_states(const MovedRows& moved, const Respond& respond, MatrixF* gradients) const override {
    const auto read = [&](const Copies& copies, const Transfer& transfer) {
      Scratch& scratch = blocks_->scratch();
      std::vector<Index> before;  // rows of each copy that are the text's
      Index rows = 0;
      for (Index k = 0; k < copies.count; ++k) {
        before.push_back(first_row(moved.tokens[static_cast<size_t>(transfer.copies.begin + k)]));
        rows += n_ - before.back();
      }
      MatrixF own(rows, blocks_->d()), all(copies.count * n_, blocks_->d());
      download(queue(), scratch.states.as<float>(), own);
      for_each_copy(before, [&](Index k, Index own_begin, Index count) {
        all.middleRows(k * n_, n_ - count) = hidden_.topRows(n_ - count);
        all.middleRows((k + 1) * n_ - count, count) = own.middleRows(own_begin, count);
      });
      const MatrixF cotangent = respond(all, transfer.copies.begin);
      if (transfer.wanted == 0) return;
      before.resize(static_cast<size_t>(transfer.wanted));
      for_each_copy(before, [&](Index k, Index own_begin, Index count) {
        own.middleRows(own_begin, count) = cotangent.middleRows((k + 1) * n_ - count, count);
      });
      upload(queue(), own, scratch.cotangent);
    };
    for_each_batch(moved, gradients, read);
  }

 private:
  const Queue& queue() const { return blocks_->queue(); }
  Index first_row(Index token) const { return causal_ ? token : 0; }

  static Copies first_of(Copies copies, Index count) {
    copies.count = count;
    return copies;
  }

  // visit(copy, its first row among those of all copies, how many it has)
  template <typename Visit>
  void for_each_copy(const std::vector<Index>& before, const Visit& visit) const {
    Index begin = 0;
    for (size_t k = 0; k < before.size(); ++k) {
      visit(static_cast<Index>(k), begin, n_ - before[k]);
      begin += n_ - before[k];
    }
  }

  // Calls read(copies, transfer) after the forward of some copies is on its way; it leaves the cotangent where
  // gradients are wanted. As many copies at once as are best, where they fit. Calls collect(transfer) when the copies
  // are done.
  template <typename Read, typename Collect>
  void for_each_batch(const MovedRows& moved, MatrixF* gradients, const Read& read, const Collect& collect) const {
    const Index wanted = gradients != nullptr ? moved.with_gradients() : 0;
    if (gradients != nullptr) gradients->resize(wanted, blocks_->d());
    Batches batches(*this);
    submit_all(moved, wanted, read, batches);
    // The device is free for others meanwhile.
    for (const auto& transfer : batches.transfers) {
      transfer->done.wait();
      if (transfer->wanted > 0) {
        const auto slopes = transfer->rows.take<float>(numbers_of(transfer->copies.size()));
        std::ranges::copy(slopes.first(numbers_of(transfer->wanted)), gradients->row(transfer->copies.begin).data());
      }
      collect(*transfer);
    }
  }
  template <typename Read>
  void for_each_batch(const MovedRows& moved, MatrixF* gradients, const Read& read) const {
    for_each_batch(moved, gradients, read, [](const Transfer&) {});
  }

  // Goes when the device uses none of it any more, whatever was thrown.
  struct Batches {
    const Text& text;
    std::vector<std::unique_ptr<Transfer>> transfers = {};
    int unwinding = std::uncaught_exceptions();

    explicit Batches(const Text& of) : text(of) {}
    ~Batches() {
      if (std::uncaught_exceptions() > unwinding) cudaStreamSynchronize(text.queue().stream());
      for (auto& transfer : transfers) text.transfers_->give_back(std::move(transfer));
    }
    Batches(const Batches&) = delete;
    Batches& operator=(const Batches&) = delete;
  };

  size_t numbers_of(Index copies) const { return static_cast<size_t>(copies * blocks_->d()); }

  template <typename Read>
  void submit_all(const MovedRows& moved, Index wanted, const Read& read, Batches& batches) const {
    const std::lock_guard lock(blocks_->mutex());
    const Index count = moved.rows.rows();
    const Index most = blocks_->rows_that_fit(std::min(kBatchRows, count * n_), layer_, wanted > 0);
    for (Index first = 0, end = 0; first < count; first = end) {
      std::vector<Index> lengths, firsts;
      Index rows = 0;
      for (end = first; end < count; ++end) {
        const Index before = first_row(moved.tokens[static_cast<size_t>(end)]);
        if (end > first && (rows + n_ - before > most || end - first == kMostTexts)) break;
        rows += n_ - before;
        lengths.push_back(n_ - before);
        firsts.push_back(before);
      }
      Transfer& transfer = *batches.transfers.emplace_back(transfers_->take());
      transfer.copies = {first, end};
      transfer.wanted = std::clamp<Index>(wanted - first, 0, end - first);
      run(moved, lengths, firsts, read, transfer);
      transfer.done.set(queue());
    }
  }

  // The forward is that of all copies, the way back that of those whose gradient is wanted.
  template <typename Read>
  void run(const MovedRows& moved, std::span<const Index> lengths, std::span<const Index> firsts, const Read& read,
           Transfer& transfer) const {
    Scratch& scratch = blocks_->scratch();
    const Index d = blocks_->d(), count = transfer.copies.size();
    const auto rows = transfer.rows.take<float>(numbers_of(count));
    const auto tokens = transfer.tokens.take<int>(static_cast<size_t>(count));
    std::copy_n(moved.rows.row(transfer.copies.begin).data(), rows.size(), rows.data());
    std::ranges::transform(moved.tokens.subspan(static_cast<size_t>(transfer.copies.begin), tokens.size()),
                           tokens.begin(), [](Index token) { return static_cast<int>(token); });
    scratch.moved.reserve(rows.size_bytes());
    scratch.tokens.reserve(tokens.size_bytes());
    queue().upload(std::span<const float>(rows), scratch.moved.as<float>());
    queue().upload(std::span<const int>(tokens), scratch.tokens.as<int>());
    const Texts& texts = blocks_->texts(lengths, firsts);
    scratch.states.reserve(float_bytes(texts.rows, d));
    scratch.cotangent.reserve(float_bytes(texts.rows, d));
    Moved in_place{
        {count, static_cast<int>(n_), texts.begins.as<int>(), texts.firsts.as<int>(), scratch.tokens.as<int>()},
        scratch.moved.as<float>(),
        layer_ > 0 ? &known_.layers.front() : nullptr};
    const Copies copies = in_place.copies;
    copy_with_rows<float>(queue().stream(), copies, static_cast<int>(d), x_.as<float>(), scratch.moved.as<float>(),
                          scratch.states.as<float>());
    const Pass pass{texts, layer_, transfer.wanted > 0, &in_place, causal_ ? &known_ : nullptr};
    blocks_->forward(pass);
    read(copies, transfer);
    if (transfer.wanted == 0) return;
    const auto some = static_cast<size_t>(transfer.wanted);
    blocks_->texts(lengths.first(some), firsts.first(some));  // the beginning of those that are there
    in_place.copies = first_of(copies, transfer.wanted);
    blocks_->backward(pass);
    queue().download_later(scratch.moved.as<float>(), rows.first(numbers_of(transfer.wanted)));
  }

  std::shared_ptr<const DeviceBlocks> blocks_;
  std::shared_ptr<Transfers> transfers_;
  bool causal_;
  size_t layer_;
  Index n_;
  Buffer x_, base_;
  KnownRows known_;  // projections of the text: those of the first layer, of a decoder those of all
  MatrixF hidden_;
};

}  // namespace

std::unique_ptr<DeviceText> make_device_text(std::shared_ptr<const DeviceBlocks> blocks,
                                             std::shared_ptr<Transfers> transfers, bool causal, ConstMatrixFRef x,
                                             Index layer) {
  return std::make_unique<Text>(std::move(blocks), std::move(transfers), causal, x, layer);
}

}  // namespace wordsway::cuda
