// drf: deep random features, L layers.
#include "wordsway/maps/random_features/features_entry.h"

namespace wordsway {
namespace {

constexpr const char* kDescription =
    R"(formula     φ_1 = σ(V_1 flat(X)), φ_l = σ(V_l φ_(l−1)), φ = φ_L; V_1 is k x nd, the others k x k;
            V_ab ~ N(0, β/columns), β such that features keep their size over layers: 2 for relu, 1.545 for gelu
random      --random deferred: no matrix is ever formed, exact in distribution (the default); dense; streamed
weights     V_1 V_2 ... V_L side by side: k x (nd + (L − 1)k)
bound       Lip(σ)^L·‖V_1,i‖·‖V_2‖···‖V_L‖·ρ: always where the matrices exist, else with probability 1 − 1e-9
cost        an evaluation asks every layer two queries; memory about 4k numbers a layer and evaluation when deferred
in short    depth does not help one token: about 1/√n still)";

}  // namespace

void register_drf(MapRegistry& registry) {
  registry.add("drf", features_entry(MethodNumber(1), {.deep = true}, "deep random features", kDescription));
}

}  // namespace wordsway
