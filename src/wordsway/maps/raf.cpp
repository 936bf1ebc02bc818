// raf: random attention features with the softmax, f = exp(β·), in the log domain throughout.
#include <algorithm>
#include <cmath>

#include "wordsway/maps/attention/attention_map.h"

namespace wordsway {
namespace {

class Softmax final : public Normaliser {
 public:
  explicit Softmax(double beta) : beta_(beta) {}

  std::optional<NormaliserSpec> spec() const override { return NormaliserSpec{NormaliserKind::kSoftmax, beta_}; }

  double row(ConstArrayRef scores, ArrayRef weights, ArrayRef* slopes) const override {
    if (scores.size() == 0) return -HUGE_VAL;
    const double peak = scores.maxCoeff();
    weights = (beta_ * (scores - peak)).exp();
    const double sum = weights.sum();
    weights /= sum;
    if (slopes != nullptr) *slopes = beta_ * weights;
    return beta_ * peak + std::log(sum);
  }

  void against(ConstArrayRef scores, ConstArrayRef masses, ArrayRef weights, ArrayRef* slopes) const override {
    weights = 1 / (1 + (masses - beta_ * scores).exp());
    // 1 − p is small where p is near 1; taken from its own exponential it keeps its digits.
    if (slopes != nullptr) *slopes = beta_ * weights / (1 + (beta_ * scores - masses).exp());
  }

  double weight_in(double mass, double score) const override { return std::exp(beta_ * score - mass); }

  double mass_without(double mass, double /*score*/, double weight) const override {
    return mass + std::log1p(-weight);
  }

  std::pair<double, double> weight_range(double low, double high, double mass) const override {
    return {1 / (1 + std::exp(mass - beta_ * low)), 1 / (1 + std::exp(mass - beta_ * high))};
  }

  double joined(double one, double other) const override {
    const double larger = std::max(one, other), smaller = std::min(one, other);
    return std::isinf(larger) ? larger : larger + std::log1p(std::exp(smaller - larger));
  }

  double share(double part, double rest) const override {
    return part == -HUGE_VAL ? 0 : 1 / (1 + std::exp(rest - part));
  }

  std::pair<double, double> mass_range(double low, double high) const override { return {beta_ * low, beta_ * high}; }

 private:
  double beta_;
};

constexpr const char* kDescription =
    R"(formula     φ(X) = softmax(β X W Xᵀ/√d) X, row-wise softmax; W is d x d with W_ab ~ N(0, 1/d)
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    the softmax lets one token draw all attention to itself: S stays of order 1 as n grows)";

}  // namespace

void register_raf(MapRegistry& registry) {
  registry.add("raf", attention_entry(MethodNumber(2), "random attention features, softmax", kDescription,
                                      {beta_parameter()}, [](const MapOptions& options) {
                                        return std::make_shared<Softmax>(beta_parameter().number(options));
                                      }));
}

}  // namespace wordsway
