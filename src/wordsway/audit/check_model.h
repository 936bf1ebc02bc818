// Whether a folder or file is a model, found out quickly.
#pragma once

#include <filesystem>

namespace wordsway {

/// Reads what is quickly read of a model: its settings, which tensors there are, and the tokenizer. Throws what
/// load_model would throw for them.
void check_model(const std::filesystem::path& folder);

}  // namespace wordsway
