// Options that say which model a command works on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "options/common.h"
#include "wordsway/audit/model.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// Adds -m/--model; `standard` says in its help which model is taken without it.
void add_model_option(CLI::App& command, std::string& folder, const std::string& standard = "builtin");

/// The folder of a model; of the built-in one for "builtin" and for nothing. Throws FileError, with how to get the
/// folder, when there is none of this name and the name could be one of the Hugging Face hub.
std::filesystem::path model_folder(const std::string& folder);
/// What it holds.
Model open_model(const std::string& folder);

/// What encode_texts gives (audit/model.h); how many texts were cut, and which have no word, is said on stderr.
std::vector<Encoding> encode_with_remark(const Model& model, const std::vector<LabelledText>& texts,
                                         const CommonOptions& common, bool special_tokens = true);

/// The same as ids alone, under the name that results give them.
EncodedTexts encode_corpus(const Model& model, const std::string& name, const std::vector<LabelledText>& texts,
                           const CommonOptions& common);

}  // namespace wordsway::app
