// tokenizer.json, the file of the `tokenizers` library that says everything about a tokenizer.
#pragma once

#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/tokenizer_config.h"
#include "wordsway/text/tokenizer/tokenizer_parts.h"

namespace wordsway {

/// Everything but padding is read; `config` gives roles and the maximum length, and changes nothing else.
/// Throws DataError naming the place of whatever is wrong or not supported.
TokenizerParts read_tokenizer_json(const JsonView& json, const TokenizerConfig& config);

}  // namespace wordsway
