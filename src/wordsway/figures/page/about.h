// What a reader must know before the numbers.
#pragma once

namespace wordsway {

/// A section of the report: what word sensitivity is, what it is not, and how verdicts are made. Markup.
extern const char* const kAboutWordSensitivity;

}  // namespace wordsway
