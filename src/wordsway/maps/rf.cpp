// rf: random features, one layer.
#include "wordsway/maps/random_features/features_entry.h"

namespace wordsway {
namespace {

constexpr const char* kDescription =
    R"(formula     φ(X) = σ(V flat(X)); V is k x nd with V_ab ~ N(0, 1/(nd))
random      --random deferred: V is never formed, exact in distribution (the default); dense; streamed
bound       Lip(σ)·‖V_i‖·ρ, V_i the token's block: always where V exists, else with probability 1 − 1e-9
cost        a query of V_i costs O(k) numbers more than the last one when deferred, O(kd) when dense or streamed;
            memory about 2k numbers an iteration when deferred, knd when dense
in short    one token among n moves the features by about 1/√n of their norm)";

}  // namespace

void register_rf(MapRegistry& registry) {
  registry.add("rf", features_entry(MethodNumber(1), {.deep = false}, "random features", kDescription));
}

}  // namespace wordsway
