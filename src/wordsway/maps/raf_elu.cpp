// raf-elu: attention with elu + 1 scores divided by their row sum, f = 1 + β· above 0, exp(β·) below.
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/attention/plain_normaliser.h"

namespace wordsway {
namespace {

constexpr const char* kDescription =
    R"(formula     φ(X) = P X, P_jm = f(s_jm)/Σ_m f(s_jm), f(s) = 1 + βs for s > 0, exp(βs) below, s = X W Xᵀ/√d
bound       always: what all rows can do together when one move shifts all their scores
cost        one evaluation O(nd + d²): reads W twice and X five times; memory 3nd + d² numbers
in short    the feature map of linear attention: grows linearly, so S falls as n grows)";

}  // namespace

void register_raf_elu(MapRegistry& registry) {
  registry.add("raf-elu", attention_entry(MethodNumber(2), "random attention features, elu + 1 scores over their sum",
                                          kDescription, {beta_parameter()}, [](const MapOptions& options) {
                                            return plain_normaliser(NormaliserKind::kElu,
                                                                    beta_parameter().number(options));
                                          }));
}

}  // namespace wordsway
