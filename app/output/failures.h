// What tables for people say about trials that failed.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway::app {

/// A line for every reason for which trials failed, in the order of first appearance: how many, which, and why.
std::vector<std::string> describe_failures(const std::vector<Record>& rows);

}  // namespace wordsway::app
