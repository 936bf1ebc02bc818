// raf-sigmoid: attention with sigmoid scores divided by their row sum, f = 1/(1 + exp(−β·)).
#include "wordsway/maps/attention/attention_map.h"

namespace wordsway {
namespace {

class SigmoidScores final : public WeightNormaliser {
 public:
  explicit SigmoidScores(double beta) : beta_(beta) {}

  NormaliserName name() const override { return {"sigmoid", beta_}; }

  void apply(ConstArrayRef scores, ArrayRef values, ArrayRef* derivatives) const override {
    values = 1 / (1 + (-beta_ * scores).exp());
    if (derivatives != nullptr) *derivatives = beta_ * values * (1 - values);
  }

 private:
  double beta_;
};

constexpr const char* kDescription =
    R"(formula     φ(X) = P X, P_jm = f(s_jm)/Σ_m f(s_jm), f(s) = 1/(1 + exp(−βs)), s = X W Xᵀ/√d
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    one score is worth at most 1 against a sum of order n: S falls fastest)";

}  // namespace

void register_raf_sigmoid(MapRegistry& registry) {
  registry.add("raf-sigmoid",
               attention_entry(MethodNumber(2), "random attention features, sigmoid scores over their sum",
                               kDescription, {beta_parameter()}, [](const MapOptions& options) {
                                 return std::make_shared<SigmoidScores>(beta_parameter().number(options));
                               }));
}

}  // namespace wordsway
