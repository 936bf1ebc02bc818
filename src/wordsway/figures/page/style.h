// How the report looks.
#pragma once

namespace wordsway {

/// The page's style sheet: light and dark by the reader's preference, one column on a phone.
extern const char* const kReportStyle;

}  // namespace wordsway
