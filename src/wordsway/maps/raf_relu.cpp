// raf-relu: attention with ReLU scores divided by their row sum, f = max(·, 0).
#include "wordsway/maps/attention/attention_map.h"

namespace wordsway {
namespace {

class ReluScores final : public WeightNormaliser {
 public:
  NormaliserName name() const override { return {"relu", 1}; }

  void apply(ConstArrayRef scores, ArrayRef values, ArrayRef* derivatives) const override {
    values = scores.max(0.0);
    if (derivatives != nullptr) *derivatives = (scores > 0).cast<double>();
  }
};

constexpr const char* kDescription =
    R"(formula     φ(X) = P X, P_jm = relu(s_jm)/Σ_m relu(s_jm), s = X W Xᵀ/√d; a row without positive score outputs 0;
            β would cancel
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    scores add up instead of competing exponentially: S falls as n grows)";

}  // namespace

void register_raf_relu(MapRegistry& registry) {
  registry.add("raf-relu",
               attention_entry(MethodNumber(2), "random attention features, ReLU scores over their sum", kDescription,
                               /*parameters=*/{}, [](const MapOptions&) { return std::make_shared<ReluScores>(); }));
}

}  // namespace wordsway
