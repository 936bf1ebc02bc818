// The outcome of an audit of pairs as continuous integration reads it. All of these follow the audit's verdict: where
// it passed, they hold no failure.
#pragma once

#include <string>

#include "wordsway/audit/pair_audit.h"

namespace wordsway {

/// JUnit's XML: the suite "verdict" with one case for each rule, and one suite for each class with one case for each
/// pair.
std::string junit_xml(const PairAudit& audit);

/// GitHub's workflow commands, one on each line: an error for every broken rule and for failing pairs, at most ten in
/// all because GitHub shows no more, then how many more there are. `file` is where the pairs came from; may be empty.
std::string github_annotations(const PairAudit& audit, const std::string& file);

/// Markdown for $GITHUB_STEP_SUMMARY, which takes at most 1 MiB.
std::string github_summary(const PairAudit& audit);

}  // namespace wordsway
