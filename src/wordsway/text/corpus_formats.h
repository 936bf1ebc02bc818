// The formats of corpora, one file each; text/corpus.cpp chooses. All throw as for_each_text does.
#pragma once

#include <filesystem>

#include "wordsway/text/corpus.h"
#include "wordsway/text/text_lines.h"

namespace wordsway {

using VisitText = std::function<bool(LabelledText&&)>;

/// A line a text; no labels.
void read_plain_text(TextLines& lines, const VisitText& visit);

/// A JSON object a line: "text", optionally "y" (an integer) and "id" (a string or an integer). Blank lines are
/// skipped.
void read_json_lines(TextLines& lines, const VisitText& visit);

/// Rows with quoting as in RFC 4180.
void read_separated_values(TextLines& lines, char separator, const CorpusOptions& options, const VisitText& visit);

/// FOLDER/{train,test}/{pos,neg}/NUMBER_RATING.txt, or one split's {pos,neg}: each by number, in this order.
void read_aclimdb(const std::filesystem::path& folder, const VisitText& visit);

}  // namespace wordsway
