// The parts of pages besides their figures: texts in HTML, an introduction for readers, and the style.
#pragma once

#include <string>
#include <string_view>

#include "wordsway/draw/markup.h"

namespace wordsway {

/// The name in a form fit for ids and links: letters, digits and '-' stay, everything else becomes '-'.
std::string anchor_of(std::string_view name);

/// Everything before <body>: the page's style sheet followed by `more_style`, and a policy that makes the browser
/// refuse anything from outside.
std::string page_head(std::string_view title, std::string_view more_style);

/// A section of the report: what word sensitivity is, what it is not, and how verdicts are made. Markup.
extern const char* const kAboutWordSensitivity;

/// The style sheet: light or dark as the reader prefers, one column on a phone.
extern const char* const kReportStyle;

}  // namespace wordsway
