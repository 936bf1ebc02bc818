#include "support/processor_engine.h"

namespace wordsway::test {
namespace {

class Text final : public DeviceText {
 public:
  Text(const ProcessorEngine& engine, std::shared_ptr<const Transformer> model, ConstMatrixFRef x, Index layer)
      : engine_(engine), model_(std::move(model)), x_(x), hidden_(model_->forward(x_, layer, {}, base_)) {}

  const MatrixF& hidden() const override { return hidden_; }

  Vector distances(const MovedRows& moved, MatrixF* gradients) const override {
    Vector found(moved.rows.rows());
    for_each(moved, gradients, [&](const MatrixF& hidden, Index k) -> MatrixF {
      found[k] = (hidden - hidden_).cast<double>().squaredNorm();
      return 2 * (hidden - hidden_);
    });
    return found;
  }

  void read_out(const MovedRows& moved, const RowF& weights, const Respond& respond,
                MatrixF* gradients) const override {
    for_each(moved, gradients, [&](const MatrixF& hidden, Index k) -> MatrixF {
      const MatrixF cotangent = respond(weights * hidden, k);
      return cotangent.rows() > 0 ? MatrixF(weights.transpose() * cotangent) : MatrixF();
    });
  }

  void read_states(const MovedRows& moved, const Respond& respond, MatrixF* gradients) const override {
    for_each(moved, gradients, [&](const MatrixF& hidden, Index k) { return respond(hidden, k); });
  }

 private:
  template <typename Cotangent>
  void for_each(const MovedRows& moved, MatrixF* gradients, const Cotangent& cotangent) const {
    ++engine_.batches;
    engine_.copies += static_cast<int>(moved.rows.rows());
    const Index wanted = gradients != nullptr ? moved.with_gradients() : 0;
    if (gradients != nullptr) gradients->resize(wanted, moved.rows.cols());
    for (Index k = 0; k < moved.rows.rows(); ++k) {
      const Index token = moved.tokens[static_cast<size_t>(k)];
      MatrixF x = x_;
      x.row(token) = moved.rows.row(k);
      TransformerTrace trace;
      const MatrixF response = cotangent(model_->forward_changed_row(x, token, base_, trace), k);
      if (k < wanted) gradients->row(k) = model_->vjp_row(trace, response, token);
    }
  }

  const ProcessorEngine& engine_;
  std::shared_ptr<const Transformer> model_;
  MatrixF x_;
  TransformerTrace base_;
  MatrixF hidden_;
};

struct Cache final : DeviceCache {
  explicit Cache(KeyValueCache those) : rows(std::move(those)) {}

  std::unique_ptr<DeviceCache> copy() const override { return std::make_unique<Cache>(rows); }
  Index bytes() const override { return rows.bytes(); }

  KeyValueCache rows;
};

}  // namespace

std::unique_ptr<DeviceCache> ProcessorEngine::make_cache() const {
  return std::make_unique<Cache>(model_->make_cache());
}

MatrixF ProcessorEngine::extend(ConstMatrixFRef x, DeviceCache& cache, Index tokens) const {
  ++extensions;
  KeyValueCache& rows = dynamic_cast<Cache&>(cache).rows;
  if (rows.tokens() != tokens) throw InternalError("the cache has other tokens");
  return model_->extend(x, rows);
}

std::unique_ptr<DeviceText> ProcessorEngine::text(ConstMatrixFRef x, Index layer) const {
  return std::make_unique<Text>(*this, model_, x, layer);
}

ModelWithEngine load_with_engine(const std::filesystem::path& folder) {
  ModelWithEngine result{Transformer::load(folder), std::make_shared<const ProcessorEngine>(folder)};
  result.transformer->use_engine(result.engine);
  return result;
}

}  // namespace wordsway::test
