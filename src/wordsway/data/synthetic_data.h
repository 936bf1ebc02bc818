// Laws of made-up samples, as `--data` names them: NAME, or NAME:VALUE where the law has a parameter. Each is one file
// in data/synthetic, found by the build like maps; docs/adding_data.md adds one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/registry.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// What stands after the colon: a number in [least, most].
struct LawParameter {
  std::string name;  // one letter, as in spiked:A
  double least = 0, most = 1;
  bool whole = false;
};

/// One sample that is asked for.
struct LawDraw {
  Index n, d;
  double value;   // of the parameter; 0 where the law has none
  Stream tokens;  // for all that is this sample's own
  Stream shared;  // for what the samples of a trial have in common
};

/// What a file of data/synthetic registers.
struct DataLaw {
  std::string summary;  // one line for `wordsway list data`
  std::optional<LawParameter> parameter = {};
  /// X: [n, d], finite, no row 0, rows of norm √d at least nearly. Throws DataError when there is no sample of this
  /// size.
  std::function<Matrix(const LawDraw&)> sample;
  /// [n, d]: n words that could stand in a place of such a sample, the rows of a sample of n where empty. `shared` is
  /// that of the sample, `tokens` is not.
  std::function<Matrix(const LawDraw&)> words = {};
  /// A direction that all samples with the same `shared` lean to: labels must not see it. Empty where there is none.
  std::function<Vector(const Stream& shared, Index d)> direction = {};
};

using LawRegistry = Registry<DataLaw>;
extern template class Registry<DataLaw>;  // every law would compile it again

/// All laws there are; built on first use, thread-safe.
const LawRegistry& law_registry();

/// A law with the value of its parameter: what "spiked:0.3" means.
struct NamedLaw {
  const DataLaw* law;  // of law_registry()
  double value = 0;
};

/// Throws UsageError, naming the laws there are, on an unknown name, and on a value that is missing, too much, or out
/// of range.
NamedLaw parse_law(const std::string& specification);

/// "sphere", "spiked:A", … as a user writes them.
std::vector<std::string> law_names();

}  // namespace wordsway
