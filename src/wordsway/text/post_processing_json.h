// The "post_processor" of a tokenizer.json.
#pragma once

#include "wordsway/text/json_view.h"
#include "wordsway/text/tokenizer_parts.h"

namespace wordsway {

/// Reads TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel, a Sequence of them, or null.
/// Throws DataError on any other, and on special tokens that are not in the vocabulary.
PostProcessing read_post_processing(const JsonView& json, const Vocabulary& vocabulary);

}  // namespace wordsway
