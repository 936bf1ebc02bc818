// Rotary positions (layers/rotary.h) in config.json: their base, and how frequencies are slowed for texts
// longer than those of the training.
//
//   `rope_theta` and `rope_scaling` {type or rope_type, ...} of Transformers 4, or `rope_parameters` {rope_type,
//   rope_theta, ...} of Transformers 5
//
//   default   f                              linear   f/factor
//   llama3    f where its wavelength λ = 2π/f is below old/high, f/factor where it is above old/low, between them
//             (1 − s)·f/factor + s·f with s = (old/λ − low)/(high − low)
#pragma once

#include "wordsway/model/config_file.h"

namespace wordsway {

/// The frequencies for heads of `width` columns, [w/2]. Throws DataError naming file and key on a missing or absurd
/// value, on any other type, and on rotations of a part of the columns.
RowF read_rope_frequencies(const ConfigFile& file, Index width);

}  // namespace wordsway
