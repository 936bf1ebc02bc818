// raf-sigmoid: attention with sigmoid scores divided by their row sum, f = 1/(1 + exp(−β·)).
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/attention/plain_normaliser.h"

namespace wordsway {
namespace {

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
                                 return plain_normaliser(NormaliserKind::kSigmoid, beta_parameter().number(options));
                               }));
}

}  // namespace wordsway
