// An audit of pairs for people.
#pragma once

#include <string>

#include "wordsway/audit/pair_audit.h"

namespace wordsway {

/// Formats an audit in one of the four formats. People get the classes as a table, the most similar pairs, and what to
/// make of it. For two texts that were compared (`of_two`), they get the one pair with its similarity after every step
/// and at the end.
std::string format_pairs(const PairAudit& audit, const std::string& format, bool of_two);

}  // namespace wordsway
