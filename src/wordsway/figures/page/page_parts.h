// What pages are made of besides their figures: texts in HTML, what a reader must know first, how it looks.
#pragma once

#include <string>
#include <string_view>

#include "wordsway/draw/markup.h"

namespace wordsway {

/// A name that an id and a link can hold: letters, digits and '-' stay, everything else becomes '-'.
std::string anchor_of(std::string_view name);

/// Everything before <body>: the page's style sheet with `more_style` behind it, and a policy that makes the browser
/// refuse whatever would come from outside.
std::string page_head(std::string_view title, std::string_view more_style);

// What a reader must know before the numbers.

/// A section of the report: what word sensitivity is, what it is not, and how verdicts are made. Markup.
extern const char* const kAboutWordSensitivity;

// How the report looks.

/// The page's style sheet: light and dark by the reader's preference, one column on a phone.
extern const char* const kReportStyle;

}  // namespace wordsway
