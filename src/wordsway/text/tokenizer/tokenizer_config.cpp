#include "wordsway/text/tokenizer/tokenizer_config.h"

#include <charconv>
#include <initializer_list>

#include "wordsway/io/input_file.h"

namespace wordsway {
namespace {

constexpr const char* kRoles[] = {"unk_token",  "sep_token", "pad_token", "cls_token",
                                  "mask_token", "bos_token", "eos_token"};
// Libraries write about 1e30 for "no limit".
constexpr double kNoLimit = 1e9;

std::optional<bool> optional_boolean(const JsonView& value) {
  return value.exists() ? std::optional(value.boolean()) : std::nullopt;
}

void read_roles(const JsonView& file, std::map<std::string, AddedToken>& roles) {
  for (const char* role : kRoles) {
    const JsonView value = file[role];
    if (value.is_object()) {
      roles.emplace(role, read_added_token(value));
    } else if (value.exists()) {
      AddedToken token;
      token.content = value.string();
      token.special = true;
      roles.emplace(role, token);
    }
  }
}

std::vector<AddedToken> read_decoder(const JsonView& decoder) {
  std::vector<AddedToken> tokens;
  if (!decoder.exists()) return tokens;
  for (const auto& [key, value] : decoder.members()) {
    AddedToken token = read_added_token(value);
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), token.id);
    if (error != std::errc() || end != key.data() + key.size()) value.fail("expected an integer id as the key");
    tokens.push_back(token);
  }
  return tokens;
}

std::optional<Index> read_max_length(const JsonView& value) {
  if (!value.exists() || value.number() > kNoLimit) return std::nullopt;
  if (value.integer() < 1) value.fail("expected a positive length");
  return static_cast<Index>(value.integer());
}

}  // namespace

AddedToken TokenizerConfig::role_or(const std::string& role, const std::string& fallback) const {
  if (const auto found = roles.find(role); found != roles.end()) return found->second;
  AddedToken token;
  token.content = fallback;
  token.special = true;
  return token;
}

AddedToken read_added_token(const JsonView& object) {
  AddedToken token;
  token.content = object["content"].string();
  if (object["id"].exists()) {
    const std::int64_t id = object["id"].integer();
    if (id < 0 || id >= Vocabulary::kMaxSize)
      object["id"].fail("expected an id from 0 to " + std::to_string(Vocabulary::kMaxSize - 1));
    token.id = static_cast<int>(id);
  }
  token.special = object["special"].boolean_or(false);
  token.single_word = object["single_word"].boolean_or(false);
  token.lstrip = object["lstrip"].boolean_or(false);
  token.rstrip = object["rstrip"].boolean_or(false);
  token.normalized = object["normalized"].boolean_or(!token.special);
  return token;
}

TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder) {
  TokenizerConfig config;
  if (const auto file = folder / "tokenizer_config.json"; path_exists(file)) {
    const JsonView json = JsonView::read(file);
    read_roles(json, config.roles);
    config.tokenizer_class = json["tokenizer_class"].string_or("");
    config.added_tokens = read_decoder(json["added_tokens_decoder"]);
    config.lowercase = optional_boolean(json["do_lower_case"]);
    config.strip_accents = optional_boolean(json["strip_accents"]);
    config.space_out_cjk = optional_boolean(json["tokenize_chinese_chars"]);
    config.add_prefix_space = optional_boolean(json["add_prefix_space"]);
    config.trim_offsets = optional_boolean(json["trim_offsets"]);
    config.max_length = read_max_length(json["model_max_length"]);
  }
  if (const auto file = folder / "special_tokens_map.json"; path_exists(file)) {
    read_roles(JsonView::read(file), config.roles);
  }
  return config;
}

SpecialIds find_special_ids(const TokenizerConfig& config, const Vocabulary& vocabulary) {
  const auto find = [&](const char* role, std::initializer_list<const char*> usual) -> std::optional<int> {
    if (const auto named = config.roles.find(role); named != config.roles.end()) {
      if (const auto id = vocabulary.find(named->second.content)) return id;
    }
    for (const char* name : usual) {
      if (const auto id = vocabulary.find(name)) return id;
    }
    return std::nullopt;
  };
  return {.mask = find("mask_token", {"[MASK]", "<mask>"}),
          .padding = find("pad_token", {"[PAD]", "<pad>"}),
          .unknown = find("unk_token", {"[UNK]", "<unk>"}),
          .classification = find("cls_token", {"[CLS]", "<s>"}),
          .separator = find("sep_token", {"[SEP]", "</s>"}),
          .begin_of_text = find("bos_token", {"<s>", "<|begin_of_text|>"}),
          .end_of_text = find("eos_token", {"</s>", "<|endoftext|>", "<|end_of_text|>"})};
}

}  // namespace wordsway
