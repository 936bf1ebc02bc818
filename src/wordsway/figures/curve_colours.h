// The colours of curves: a map or model has the same one in all charts.
#pragma once

#include <string>
#include <vector>

namespace wordsway {

/// A colour for each label. If every label begins with a different map or model that has a colour of its own, as in
/// "raf" or "raf, d = 64", these colours; otherwise those of the palette.
std::vector<std::string> curve_colours(const std::vector<std::string>& labels);

}  // namespace wordsway
