#include "wordsway/study/measure_row.h"

namespace wordsway {

void add_sensitivity(Record& row, const TokenSensitivity& found, double feature_norm) {
  row.set("token", static_cast<std::int64_t>(found.token));
  row.set("sensitivity", found.sensitivity);
  row.set("upper_bound", optional_value(found.upper_bound));
  row.set("upper_bound_probability", optional_value(found.upper_bound_probability));
  row.set("predicted", {});
  row.set("predicted_finite", {});
  row.set("feature_norm", feature_norm);
  row.set("delta_norm", found.delta.norm());
  row.set("starts", std::int64_t{found.starts});
  row.set("start_spread", found.start_spread);
  row.set("evaluations", std::int64_t{found.evaluations});
  row.set("converged", found.converged);
}

}  // namespace wordsway
