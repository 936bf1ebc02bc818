// raf-square: attention with squared scores divided by their row sum, f = (·)².
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/attention/plain_normaliser.h"

namespace wordsway {
namespace {

constexpr const char* kDescription = R"(formula     φ(X) = P X, P_jm = s_jm²/Σ_m s_jm², s = X W Xᵀ/√d; β would cancel
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    grows faster than ReLU but not exponentially: S falls slowly as n grows)";

}  // namespace

void register_raf_square(MapRegistry& registry) {
  registry.add(
      "raf-square",
      attention_entry(MethodNumber(2), "random attention features, squared scores over their sum", kDescription,
                      /*parameters=*/{}, [](const MapOptions&) { return plain_normaliser(NormaliserKind::kSquare); }));
}

}  // namespace wordsway
