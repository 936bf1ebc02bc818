// An encoding as JSON, the way `wordsway tokenize` prints it.
#pragma once

#include <string>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Appends {"ids": […], "pieces": […], "words": […], "offsets": [[…], …]} without spaces; offsets in code points, null
/// for tokens without a word. Written by hand because ten thousand reviews are 100 MB of it.
void append_json(std::string& out, const Encoding& encoding);

}  // namespace wordsway
