// The outcome of an audit of pairs as one page for a browser.
#pragma once

#include <string>

#include "wordsway/audit/pair_audit.h"

namespace wordsway {

/// One self-contained HTML page: the verdict, how reversals and paraphrases are distributed, the classes, where pairs
/// are lost on the way through the model, and the twenty most similar of them. Nothing is fetched from outside; all
/// texts are escaped.
std::string pairs_html(const PairAudit& audit);

}  // namespace wordsway
