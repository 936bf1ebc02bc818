// raf-square: attention with squared scores divided by their row sum, f = (·)².
#include <algorithm>

#include "wordsway/maps/attention/attention_map.h"

namespace wordsway {
namespace {

class SquareScores final : public WeightNormaliser {
 public:
  NormaliserName name() const override { return {"square", 1}; }

  void apply(ConstArrayRef scores, ArrayRef values, ArrayRef* derivatives) const override {
    values = scores.square();
    if (derivatives != nullptr) *derivatives = 2 * scores;
  }

  // Not monotone: the minimum is 0 if the interval contains it.
  std::pair<double, double> range(double low, double high) const override {
    const double largest = std::max(low * low, high * high);
    return {low <= 0 && high >= 0 ? 0.0 : std::min(low * low, high * high), largest};
  }
};

constexpr const char* kDescription = R"(formula     φ(X) = P X, P_jm = s_jm²/Σ_m s_jm², s = X W Xᵀ/√d; β would cancel
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    grows faster than ReLU but not exponentially: S falls slowly as n grows)";

}  // namespace

void register_raf_square(MapRegistry& registry) {
  registry.add(
      "raf-square",
      attention_entry(MethodNumber(2), "random attention features, squared scores over their sum", kDescription,
                      /*parameters=*/{}, [](const MapOptions&) { return std::make_shared<SquareScores>(); }));
}

}  // namespace wordsway
