#include "wordsway/audit/check_model.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/gguf_set.h"
#include "wordsway/io/input_file.h"
#include "wordsway/model/config_file.h"
#include "wordsway/model/sentence_folder.h"
#include "wordsway/model/weights.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

void check_model(const std::filesystem::path& folder) {
  if (is_gguf_path(folder)) {
    GgufSet::open(folder);
    load_tokenizer(folder);
    return;
  }
  if (!path_is_folder(folder)) throw FileError(fmt::format("{}: there is no such model folder", folder.string()));
  const SentenceFolder sentence = read_sentence_folder(folder);
  const ConfigFile config(sentence.transformer / "config.json");
  const Weights weights(sentence.transformer);
  load_tokenizer(sentence.transformer, sentence.settings.lower_case);
}

}  // namespace wordsway
