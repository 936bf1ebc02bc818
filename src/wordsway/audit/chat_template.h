// A prompt as a model was trained to read it: the text itself, or one turn of a chat.
//
// Chat templates are programs in a language of their own (Jinja). These four are known by name in their published form
// for one user turn without a system text, including the words around the turn, such as "user" and "[INST]".
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

/// The user's text within the template. Throws DataError, naming the template and the token, if the vocabulary lacks
/// one of its special tokens. Of Mistral's three forms, takes the one with [INST] as a token of its own if there is
/// one, without a space after it if the tokenizer is byte-level.
std::string chat_text(ChatTemplate chat_template, const std::string& user, const Tokenizer& tokenizer);

/// The token that ends an answer in this template, besides the model's own; nothing for templates without one.
std::optional<int> end_of_answer(ChatTemplate chat_template, const Tokenizer& tokenizer);

struct EncodedPrompt {
  std::vector<int> ids;
  bool cut = false;  // whether the end of the user's text was left out, because the model has no more positions
};

/// Without a template, encodes the text with the tokenizer's special tokens; with a template, which has its own,
/// without them. Throws DataError if there is no token or the template by itself is too long, and what chat_text
/// throws.
EncodedPrompt encode_prompt(const Model& model, const std::string& prompt, ChatTemplate chat_template);

}  // namespace wordsway
