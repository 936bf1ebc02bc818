// What the band around a curve of means shows.
#pragma once

#include <string>

namespace wordsway {

/// One standard deviation of the trials, one standard error of the mean, or the mean's 95% interval (Student's t).
enum class Bands { kDeviation, kStandardError, kInterval };

/// "deviation", "error" or "interval". Throws UsageError on another name.
Bands parse_bands(const std::string& name);

/// A note that says "one standard deviation", with what the bands are in its place.
std::string with_bands(std::string note, Bands bands);

}  // namespace wordsway
