// Generation: the text that a decoder writes after a prompt.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/audit/chat_template.h"
#include "wordsway/audit/model.h"

namespace wordsway {

struct GenerateOptions {
  Index max_new_tokens = 64;
  double temperature = 0;              // 0: the likeliest token each time; of equal ones the lowest id
  double top_p = 1;                    // draws among the likeliest tokens that together reach this probability
  std::uint64_t seed = 1;              // of the draws; step t of every prompt takes the t-th number of one stream
  std::vector<std::string> stop = {};  // texts that end the answer, which does not contain them
  ChatTemplate chat_template = ChatTemplate::kNone;
  /// Called after every token with the text that has become certain, whole characters, possibly none; false ends the
  /// text here. What is put together is Generation::text.
  std::function<bool(std::string_view)> on_text = {};

  /// Throws UsageError on a number out of range or an empty stop text.
  void check() const;
};

struct Generation {
  std::vector<int> prompt_ids;
  std::vector<int> ids;   // all tokens the model chose, that of the end and those of a stop text included
  std::string text;       // after the prompt, or within a template the answer alone; without special tokens
  bool finished = false;  // whether the model ended the text or a stop text came; otherwise the tokens were used up
  bool stopped = false;   // whether on_text ended it
  bool prompt_cut = false;
  double seconds = 0;  // from the ids of the prompt to the last token
  /// Speed of the tokens after the first, measured from when that was chosen, so reading the prompt does not count.
  /// Nothing for fewer than two tokens.
  std::optional<double> tokens_per_second;
};

/// The text that `model` writes after `prompt`, at most until the model's positions are used up. The same for any
/// number of threads. Throws DataError when the model is an encoder or has no head for the next word, or gives values
/// that are not finite; and what encode_prompt and options.check() throw.
Generation generate(const Model& model, const std::string& prompt, const GenerateOptions& options = {});

/// A prompt that was read: what several continuations may start from, each with a copy.
struct ReadPrompt {
  EncodedPrompt prompt;
  KeyValueCache cache;
  MatrixF last;  // the last hidden state's last row, [1, d]
  double seconds;
};
ReadPrompt read_prompt(const Model& model, const std::string& prompt, ChatTemplate chat_template);
/// As generate(), from this state on.
Generation continue_prompt(const Model& model, ReadPrompt from, const GenerateOptions& options);

/// The keys of `wordsway generate`.
Record row_of(const Generation& generation);

}  // namespace wordsway
