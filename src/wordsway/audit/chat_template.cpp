#include "wordsway/audit/chat_template.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway {
namespace {

struct Template {
  std::string name;
  std::vector<std::string> tokens;  // that the vocabulary must have
  std::string before, after;        // the user's text
  bool trimmed = false;             // without spaces at its ends
  std::string end = {};             // of an answer; empty: none of its own
};

// In the order of ChatTemplate; none first. The beginning-of-text token is written out, and the tokenizer adds no
// other.
const std::vector<Template>& templates() {
  static const std::vector<Template> all = {
      {"none", {}, "", ""},
      {"chatml",
       {"<|im_start|>", "<|im_end|>"},
       "<|im_start|>user\n",
       "<|im_end|>\n<|im_start|>assistant\n",
       false,
       "<|im_end|>"},
      {"llama2", {"<s>"}, "<s>[INST] ", " [/INST]", true},
      {"llama3",
       {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"},
       "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\n",
       "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
       true,
       "<|eot_id|>"},
      {"mistral", {"<s>"}, "<s>[INST] ", " [/INST]"},
  };
  return all;
}

// The forms of Mistral's tokenizers from version 2 on: SentencePiece, and byte-level ("Tekken").
const Template& mistral_with_tokens(const Tokenizer& tokenizer) {
  static const Template with_space{"mistral", {"<s>", "[INST]", "[/INST]"}, "<s>[INST] ", "[/INST]"};
  static const Template without{"mistral", {"<s>", "[INST]", "[/INST]"}, "<s>[INST]", "[/INST]"};
  return tokenizer.id_of("▁") ? with_space : without;
}

const Template& form_of(ChatTemplate chat_template, const Tokenizer& tokenizer) {
  if (chat_template == ChatTemplate::kMistral && tokenizer.id_of("[INST]")) return mistral_with_tokens(tokenizer);
  return templates()[static_cast<size_t>(chat_template)];
}

// The end of a message: the templates that chat models of this architecture were trained with.
std::string usual_templates(const Transformer& transformer) {
  const ArchitectureRegistry& registry = architecture_registry();
  const std::string& type = transformer.config().architecture;
  if (!registry.contains(type) || registry.get(type).chat_templates.empty()) return "";
  const ArchitectureEntry& entry = registry.get(type);
  return fmt::format("; chat models of {} use {}", entry.title, enumerate(entry.chat_templates, "or"));
}

void check_tokens(const Template& form, const Tokenizer& tokenizer, const std::string& advice = "") {
  for (const std::string& token : form.tokens)
    if (!tokenizer.id_of(token))
      throw DataError(fmt::format("the template {} needs the token {}, which the model's vocabulary lacks{}", form.name,
                                  token, advice));
}

std::string user_text(const Template& form, const std::string& user) {
  if (!form.trimmed) return user;
  constexpr const char* kSpace = " \t\r\n\v\f";
  const size_t begin = user.find_first_not_of(kSpace);
  return begin == std::string::npos ? "" : user.substr(begin, user.find_last_not_of(kSpace) + 1 - begin);
}

// The template is encoded as one text with its content, because tokens may span the border. If it is too long, tokens
// are dropped from the end of the user's text.
EncodedPrompt encode_turn(const Template& form, const std::string& user, const Model& model) {
  const std::string inner = user_text(form, user);
  const Encoding encoding = model.tokenizer->encode(form.before + inner + form.after, {.special_tokens = false});
  const Index begin = static_cast<Index>(form.before.size()), end = begin + static_cast<Index>(inner.size());
  const Index most = model.transformer->config().most_tokens();
  EncodedPrompt prompt{encoding.ids, encoding.size() > most};
  for (auto k = encoding.size() - 1; k >= 0 && static_cast<Index>(prompt.ids.size()) > most; --k) {
    const auto [from, to] = encoding.byte_offsets[static_cast<size_t>(k)];
    if (from >= begin && to <= end && from < to) prompt.ids.erase(prompt.ids.begin() + k);
  }
  if (static_cast<Index>(prompt.ids.size()) > most)
    throw DataError(fmt::format("the template {} alone takes {} tokens, but {} has positions for {}", form.name,
                                prompt.ids.size(), model.transformer->name(), most));
  return prompt;
}

}  // namespace

std::vector<std::string> chat_template_names() {
  std::vector<std::string> names;
  for (const Template& form : templates()) names.push_back(form.name);
  return names;
}

ChatTemplate parse_chat_template(const std::string& name) {
  const auto found = std::ranges::find(templates(), name, &Template::name);
  if (found == templates().end())
    throw UsageError(
        fmt::format("there is no template '{}'; there are {}", name, fmt::join(chat_template_names(), ", ")));
  return static_cast<ChatTemplate>(found - templates().begin());
}

std::string describe_chat_template(ChatTemplate chat_template) {
  const Template& form = templates()[static_cast<size_t>(chat_template)];
  return form.before + "PROMPT" + form.after;
}

std::string chat_text(ChatTemplate chat_template, const std::string& user, const Tokenizer& tokenizer) {
  const Template& form = form_of(chat_template, tokenizer);
  check_tokens(form, tokenizer);
  return form.before + user_text(form, user) + form.after;
}

std::optional<int> end_of_answer(ChatTemplate chat_template, const Tokenizer& tokenizer) {
  const Template& form = form_of(chat_template, tokenizer);
  return form.end.empty() ? std::nullopt : tokenizer.id_of(form.end);
}

EncodedPrompt encode_prompt(const Model& model, const std::string& prompt, ChatTemplate chat_template) {
  if (chat_template != ChatTemplate::kNone) {
    const Template& form = form_of(chat_template, *model.tokenizer);
    check_tokens(form, *model.tokenizer, usual_templates(*model.transformer));
    return encode_turn(form, prompt, model);
  }
  const Encoding encoding = model.tokenizer->encode(prompt, {.max_tokens = model.transformer->config().most_tokens()});
  if (encoding.size() == 0)
    throw DataError(
        fmt::format("the prompt has no token, and {} puts none before a text; expected at least one word to go on from",
                    model.transformer->name()));
  return {encoding.ids, encoding.cut};
}

}  // namespace wordsway
