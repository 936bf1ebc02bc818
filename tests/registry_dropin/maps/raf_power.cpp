// raf-power: attention with f = max(·, 0)^p, divided by its row sum.
#include "wordsway/maps/attention/attention_map.h"

namespace wordsway {
namespace {

// Powers of scores must stay in the range of a double, and p < 1 has no slope at 0.
const Parameter& power_parameter() {
  static const Parameter parameter =
      number_parameter("power", 3, {.least = 1, .most = 8}, "Power of the scores in raf-power");
  return parameter;
}

class PowerScores final : public WeightNormaliser {
 public:
  explicit PowerScores(double power) : power_(power) {}

  void apply(ConstArrayRef scores, ArrayRef values, ArrayRef* derivatives) const override {
    values = scores.max(0.0).pow(power_);
    if (derivatives != nullptr) *derivatives = (scores > 0).select(power_ * scores.max(0.0).pow(power_ - 1), 0.0);
  }

 private:
  double power_;
};

std::shared_ptr<const Normaliser> make_scores(const MapOptions& options) {
  return std::make_shared<PowerScores>(power_parameter().number(options));
}

constexpr const char* kDescription =
    R"(formula     φ(X) = P X, P_jm = f(s_jm)/Σ_m f(s_jm), f(s) = max(s, 0)^p, s = X W Xᵀ/√d
bound       always: each row's weight on the token moves within the reach of its score
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    from raf-relu (p = 1) towards attention that one score wins)";

}  // namespace

void register_raf_power(MapRegistry& registry) {
  registry.add("raf-power", attention_entry(MethodNumber(1), "random attention features, powers of positive scores",
                                            kDescription, {power_parameter()}, make_scores));
}

}  // namespace wordsway
