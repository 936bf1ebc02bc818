#include "wordsway/maps/attention/plain_normaliser.h"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/maps/attention/normaliser_formulas.h"

namespace wordsway {
namespace {

struct ArrayMath {
  using Number = Eigen::ArrayXd;
  static auto exp(const auto& x) { return x.exp(); }
  static auto log1p(const auto& x) { return x.log1p(); }
  static auto abs(const auto& x) { return x.abs(); }
  static auto min(const auto& x, double y) { return x.min(y); }
  static auto max(const auto& x, double y) { return x.max(y); }
  static auto indicator(const auto& holds) { return holds.template cast<double>(); }
  static auto select(const auto& holds, const auto& then, const auto& otherwise) {
    return holds.select(then, otherwise);
  }
};

class PlainNormaliser final : public WeightNormaliser {
 public:
  explicit PlainNormaliser(NormaliserSpec spec) : spec_(spec) {}

  std::optional<NormaliserSpec> spec() const override { return spec_; }

  void apply(ConstArrayRef scores, ArrayRef values, ArrayRef* derivatives) const override {
    switch (spec_.kind) {
      case NormaliserKind::kRelu:
        return weigh<NormaliserKind::kRelu, ArrayMath>(scores, spec_.beta, values, derivatives);
      case NormaliserKind::kElu:
        return weigh<NormaliserKind::kElu, ArrayMath>(scores, spec_.beta, values, derivatives);
      case NormaliserKind::kSigmoid:
        return weigh<NormaliserKind::kSigmoid, ArrayMath>(scores, spec_.beta, values, derivatives);
      case NormaliserKind::kSoftplus:
        return weigh<NormaliserKind::kSoftplus, ArrayMath>(scores, spec_.beta, values, derivatives);
      case NormaliserKind::kSquare:
        return weigh<NormaliserKind::kSquare, ArrayMath>(scores, spec_.beta, values, derivatives);
      case NormaliserKind::kSoftmax:
        break;
    }
    ensure(false, "the softmax is not given by f alone");
  }

  std::pair<double, double> range(double low, double high) const override {
    if (spec_.kind != NormaliserKind::kSquare) return WeightNormaliser::range(low, high);
    // The square is not monotone: its minimum is 0 if the interval contains it.
    const double largest = std::max(low * low, high * high);
    return {low <= 0 && high >= 0 ? 0.0 : std::min(low * low, high * high), largest};
  }

 private:
  NormaliserSpec spec_;
};

}  // namespace

std::shared_ptr<const Normaliser> plain_normaliser(NormaliserKind kind, double beta) {
  return std::make_shared<const PlainNormaliser>(NormaliserSpec{kind, beta});
}

}  // namespace wordsway
