// A prompt as a model was trained to read it: the text itself, or one turn of a chat.
//
// Chat templates are programs in a language of their own (Jinja). These four are known by name, as they are published
// for one turn of the user without a system text; what the words "user" and "[INST]" need around them is part of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"

namespace wordsway {

enum class ChatTemplate { kNone, kChatml, kLlama2, kLlama3, kMistral };

/// "none", "chatml", "llama2", "llama3", "mistral".
std::vector<std::string> chat_template_names();
/// Throws UsageError on another name.
ChatTemplate parse_chat_template(const std::string& name);

/// The template around the word PROMPT, for people.
std::string describe_chat_template(ChatTemplate chat_template);

/// What the user says, within the template. Throws DataError, naming the template and the token, when the vocabulary
/// lacks a special token of it. Of Mistral's three forms one with [INST] as a token of its own, where there is one, and
/// without a space after it where the tokenizer is byte-level.
std::string chat_text(ChatTemplate chat_template, const std::string& user, const Tokenizer& tokenizer);

/// The token that ends an answer in this template, beside the model's own; nothing for templates without one.
std::optional<int> end_of_answer(ChatTemplate chat_template, const Tokenizer& tokenizer);

struct EncodedPrompt {
  std::vector<int> ids;
  bool cut = false;  // whether the end of the user's text was left out, because the model has no more positions
};

/// Without a template the text with the special tokens that the tokenizer puts around it; in a template, which has its
/// own, without those. Throws DataError when there is no token, or the template alone is too long, and what chat_text
/// throws.
EncodedPrompt encode_prompt(const Model& model, const std::string& prompt, ChatTemplate chat_template);

}  // namespace wordsway
