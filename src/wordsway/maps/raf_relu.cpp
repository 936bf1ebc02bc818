// raf-relu: attention with ReLU scores divided by their row sum, f = max(·, 0).
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/attention/plain_normaliser.h"

namespace wordsway {
namespace {

constexpr const char* kDescription =
    R"(formula     φ(X) = P X, P_jm = relu(s_jm)/Σ_m relu(s_jm), s = X W Xᵀ/√d; a row without positive score outputs 0;
            β would cancel
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    scores add up instead of competing exponentially: S falls as n grows)";

}  // namespace

void register_raf_relu(MapRegistry& registry) {
  registry.add(
      "raf-relu",
      attention_entry(MethodNumber(2), "random attention features, ReLU scores over their sum", kDescription,
                      /*parameters=*/{}, [](const MapOptions&) { return plain_normaliser(NormaliserKind::kRelu); }));
}

}  // namespace wordsway
