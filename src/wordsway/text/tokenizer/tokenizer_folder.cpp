// load_tokenizer of text/tokenizer/tokenizer.h: which files of a folder make the tokenizer, or the GGUF file that has
// one among its keys.
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/gguf_set.h"
#include "wordsway/io/input_file.h"
#include "wordsway/text/tokenizer/bpe_models.h"
#include "wordsway/text/tokenizer/gguf_tokenizer.h"
#include "wordsway/text/tokenizer/tokenizer_config.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"
#include "wordsway/text/tokenizer/tokenizer_parts.h"
#include "wordsway/text/tokenizer/vocabulary.h"
#include "wordsway/text/tokenizer/wordpiece.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

/// The tokens that the vocabulary has, with their ids, and the tokens that tokenizer_config.json adds.
std::vector<AddedToken> known_tokens(const std::vector<AddedToken>& tokens, const TokenizerConfig& config,
                                     const Vocabulary& vocabulary) {
  std::vector<AddedToken> known = config.added_tokens;
  const auto listed = [&](const std::string& content) {
    return std::any_of(known.begin(), known.end(), [&](const AddedToken& t) { return t.content == content; });
  };
  for (AddedToken token : tokens) {
    const auto id = vocabulary.find(token.content);
    if (!id || listed(token.content)) continue;
    token.id = *id;
    known.push_back(token);
  }
  return known;
}

int require_token(const Vocabulary& vocabulary, const std::string& token, const fs::path& file) {
  const auto id = vocabulary.find(token);
  if (!id) throw DataError(fmt::format("{}: the vocabulary lacks the special token '{}'", file.string(), token));
  return *id;
}

TokenizerParts from_vocab_txt(const fs::path& file, const TokenizerConfig& config) {
  TokenizerParts parts{.lower_case = config.lower_case_texts};
  parts.vocabulary = read_vocabulary_lines(file);
  const AddedToken unknown = config.role_or("unk_token", "[UNK]");
  const AddedToken separator = config.role_or("sep_token", "[SEP]");
  const AddedToken classification = config.role_or("cls_token", "[CLS]");
  WordPieceOptions options;
  options.unknown_token = unknown.content;
  options.normalizer.lowercase = config.lowercase.value_or(true);
  options.normalizer.strip_accents = config.strip_accents.value_or(options.normalizer.lowercase);
  options.normalizer.space_out_cjk = config.space_out_cjk.value_or(true);
  parts.model = make_wordpiece(parts.vocabulary, options, file.string());
  parts.add_tokens(known_tokens({unknown, separator, classification, config.role_or("pad_token", "[PAD]"),
                                 config.role_or("mask_token", "[MASK]")},
                                config, parts.vocabulary),
                   file.string());
  parts.decoding = {join_word_pieces(options.continuation_prefix, true)};
  parts.post.before = {require_token(parts.vocabulary, classification.content, file)};
  parts.post.after = {require_token(parts.vocabulary, separator.content, file)};
  return parts;
}

/// RoBERTa's template, unless this is a GPT-2 or has no such tokens.
void set_up_roberta(const TokenizerConfig& config, TokenizerParts& parts) {
  const bool is_gpt2 = config.tokenizer_class.find("GPT2") != std::string::npos;
  const auto begin = parts.vocabulary.find(config.role_or("cls_token", "<s>").content);
  const auto end = parts.vocabulary.find(config.role_or("sep_token", "</s>").content);
  if (is_gpt2 || !begin || !end) return;
  parts.post.before = {*begin};
  parts.post.after = {*end};
  parts.post.trim_offsets = config.trim_offsets.value_or(true);
  parts.post.keep_prefix_space = config.add_prefix_space.value_or(false);
}

TokenizerParts from_vocab_and_merges(const fs::path& vocabulary_file, const fs::path& merges_file,
                                     const TokenizerConfig& config) {
  TokenizerParts parts{.lower_case = config.lower_case_texts};
  parts.vocabulary = read_vocabulary_object(JsonView::read(vocabulary_file));
  ByteLevelBpeOptions options;
  options.add_prefix_space = config.add_prefix_space.value_or(false);
  parts.model = make_byte_level_bpe(parts.vocabulary, read_merge_lines(merges_file, parts.vocabulary), options,
                                    vocabulary_file.string());
  std::vector<AddedToken> special;
  for (const auto& [role, token] : config.roles) special.push_back(token);
  for (const char* usual : {"<s>", "</s>", "<unk>", "<pad>", "<|endoftext|>"}) {
    special.push_back(config.role_or("", usual));
  }
  AddedToken mask = config.role_or("mask_token", "<mask>");
  mask.lstrip = true;  // RoBERTa's mask takes the space before it
  special.insert(special.begin(), mask);
  parts.add_tokens(known_tokens(special, config, parts.vocabulary), vocabulary_file.string());
  parts.decoding = {join_bytes()};
  set_up_roberta(config, parts);
  return parts;
}

TokenizerParts from_folder(const fs::path& folder, const TokenizerConfig& config) {
  if (const fs::path file = folder / "vocab.txt"; path_exists(file)) return from_vocab_txt(file, config);
  const fs::path vocabulary = folder / "vocab.json";
  const fs::path merges = folder / "merges.txt";
  if (path_exists(vocabulary) && path_exists(merges)) return from_vocab_and_merges(vocabulary, merges, config);
  throw DataError(fmt::format(
      "{}: no tokenizer here; expected tokenizer.json, or vocab.txt, or vocab.json and merges.txt", folder.string()));
}

/// The files that load_tokenizer reads, each as it is now.
std::vector<SourceFile> note_files(const fs::path& folder) {
  std::vector<const char*> names = {"vocab.json", "merges.txt"};
  if (path_exists(folder / "vocab.txt")) names = {"vocab.txt"};
  if (path_exists(folder / "tokenizer.json")) names = {"tokenizer.json"};
  names.insert(names.end(), {"tokenizer_config.json", "special_tokens_map.json"});
  std::vector<SourceFile> files;
  for (const char* name : names)
    if (path_exists(folder / name)) files.push_back(note_file("rules of the tokenizer", folder / name));
  return files;
}

std::unique_ptr<Tokenizer> load_gguf_tokenizer(const fs::path& path, bool lower_case) {
  const GgufSet set = GgufSet::open(path);
  TokenizerParts parts = read_gguf_tokenizer(set.metadata());
  parts.lower_case = lower_case;
  return std::make_unique<Tokenizer>(std::move(parts), std::vector{set.source_files("rules of the tokenizer").front()});
}

}  // namespace

std::unique_ptr<Tokenizer> load_tokenizer(const fs::path& folder, bool lower_case) {
  if (is_gguf_path(folder)) return load_gguf_tokenizer(folder, lower_case);
  if (!path_is_folder(folder)) throw FileError(fmt::format("{}: there is no such folder", folder.string()));
  std::vector<SourceFile> files = note_files(folder);
  TokenizerConfig config = read_tokenizer_config(folder);
  config.lower_case_texts = lower_case;
  if (const fs::path file = folder / "tokenizer.json"; path_exists(file)) {
    return std::make_unique<Tokenizer>(read_tokenizer_json(JsonView::read(file), config), std::move(files));
  }
  TokenizerParts parts = from_folder(folder, config);
  parts.special_ids = find_special_ids(config, parts.vocabulary);
  parts.max_length = config.max_length;
  return std::make_unique<Tokenizer>(std::move(parts), std::move(files));
}

}  // namespace wordsway
