// Models as a shell names them.
#pragma once

#include <filesystem>
#include <string>

#include "wordsway/audit/model.h"

namespace wordsway::app {

/// The folder of a model; of the built-in ones for "builtin", "builtin-decoder" and the names that normaliser_models()
/// gives, such as "builtin-softmax-4-seed-1" (shell/builtin_models.h). Throws FileError, with how to get the folder,
/// when there is none of this name and the name could be one of the Hugging Face hub.
std::filesystem::path model_folder(const std::string& name);
/// Opens the model in a folder or file on the requested device.
Model open_model(const std::string& name, const Device& device = {});

}  // namespace wordsway::app
