// The outcome of an audit of pairs in formats for continuous integration. All follow the audit's verdict: if it passed,
// they contain no failure.
#pragma once

#include <string>

#include "wordsway/audit/pair_audit.h"

namespace wordsway {

/// JUnit's XML: the suite "verdict" with one case for each rule, and one suite for each class with one case for each
/// pair.
std::string junit_xml(const PairAudit& audit);

/// GitHub's workflow commands, one on each line: an error for every broken rule and failing pair, at most ten in all
/// because GitHub shows no more, and then the number of the others. `file` is where the pairs came from; may be empty.
std::string github_annotations(const PairAudit& audit, const std::string& file);

/// Markdown for $GITHUB_STEP_SUMMARY, which takes at most 1 MiB.
std::string github_summary(const PairAudit& audit);

}  // namespace wordsway
