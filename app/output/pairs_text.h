// An audit of pairs for people.
#pragma once

#include <string>

#include "wordsway/audit/pair_audit.h"

namespace wordsway::app {

/// The classes as a table, the most similar pairs, and what to make of it.
std::string format_audit(const PairAudit& audit);

/// One pair: the similarity of its two texts, after every step and at the end.
std::string format_comparison(const PairAudit& audit);

}  // namespace wordsway::app
