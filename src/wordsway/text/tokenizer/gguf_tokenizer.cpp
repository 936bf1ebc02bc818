#include "wordsway/text/tokenizer/gguf_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/json.h"
#include "wordsway/text/tokenizer/bpe_models.h"
#include "wordsway/text/tokenizer/tokenizer_config.h"

namespace wordsway {
namespace {

constexpr const char *kModel = "tokenizer.ggml.model", *kPre = "tokenizer.ggml.pre", *kTokens = "tokenizer.ggml.tokens",
                     *kScores = "tokenizer.ggml.scores", *kTypes = "tokenizer.ggml.token_type",
                     *kMerges = "tokenizer.ggml.merges", *kAddSpace = "tokenizer.ggml.add_space_prefix",
                     *kAddBos = "tokenizer.ggml.add_bos_token", *kAddEos = "tokenizer.ggml.add_eos_token",
                     *kBosId = "tokenizer.ggml.bos_token_id", *kEosId = "tokenizer.ggml.eos_token_id",
                     *kUnknownId = "tokenizer.ggml.unknown_token_id", *kPaddingId = "tokenizer.ggml.padding_token_id";

// Values of the key token_type.
constexpr Index kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6;

// Every split of a token is looked up, so a token must not be as long as a file.
constexpr std::size_t kMostBytes = 1024;

// Metadata of a tokenizer, read key by key.
class Reader {
 public:
  explicit Reader(const GgufMetadata& metadata) : metadata_(metadata) {}

  TokenizerParts read() {
    const std::string model = metadata_.text(kModel);
    if (model != "gpt2" && model != "llama")
      metadata_.fail(kModel, fmt::format("is {}; supported are gpt2 and llama", json_quoted(model)));
    read_tokens();
    model == "gpt2" ? set_up_byte_level() : set_up_sentencepiece();
    parts_.add_tokens(added_tokens(), place_of(kTokens));
    set_up_template();
    parts_.special_ids = find_special_ids(roles(), parts_.vocabulary);
    return std::move(parts_);
  }

 private:
  void read_tokens() {
    std::vector<std::string> tokens = metadata_.texts(kTokens);
    if (tokens.empty()) metadata_.fail(kTokens, "is empty");
    types_.assign(tokens.size(), kNormal);
    if (metadata_.contains(kTypes)) types_ = metadata_.integers(kTypes);
    require_one_for_each(kTypes, types_.size(), tokens.size());
    for (std::size_t id = 0; id < tokens.size(); ++id) {
      if (types_[id] < kNormal || types_[id] > kByte)
        metadata_.fail(kTypes, fmt::format("says {} of token {}; expected 1 to 6", types_[id], id));
      if (types_[id] != kUnused) add_token(std::move(tokens[id]), id);
    }
    if (parts_.vocabulary.size() == 0) metadata_.fail(kTokens, "holds unused tokens alone");
  }

  void add_token(std::string token, std::size_t id) {
    if (!unicode::is_valid_utf8(token))
      metadata_.fail(kTokens, fmt::format("holds a token, {}, that is not UTF-8", id));
    if (const auto other = parts_.vocabulary.find(token)) {
      metadata_.fail(kTokens, fmt::format("holds the token {} twice, as {} and {}", json_quoted(token.substr(0, 100)),
                                          *other, id));
    }
    parts_.vocabulary.add(std::move(token), static_cast<long long>(id), place_of(kTokens));
  }

  void require_one_for_each(const std::string& key, std::size_t values, std::size_t tokens) const {
    if (values != tokens) metadata_.fail(key, fmt::format("has {} values for {} tokens", values, tokens));
  }

  void set_up_byte_level() {
    ByteLevelBpeOptions options;
    const std::string pre = metadata_.text(kPre);
    if (pre == "llama-bpe" || pre == "llama3" || pre == "llama-v3") {
      options.pattern = &llama3_pattern();
      options.whole_words_first = true;
      adds_bos_ = true;
    } else if (pre == "qwen2") {
      options.pattern = &qwen2_pattern();
      options.normalizer = compose_nfc;
    } else if (pre == "default") {
      metadata_.fail(kPre,
                     "is \"default\", which a converter writes that does not know the pattern of words: llama.cpp then "
                     "cuts by rules that no model was trained with; supported are gpt-2, llama-bpe and qwen2");
    } else if (pre != "gpt-2") {
      metadata_.fail(kPre, fmt::format("is {}; supported are gpt-2, llama-bpe and qwen2", json_quoted(pre)));
    }
    Merges merges;
    const std::vector<std::string> lines = metadata_.texts(kMerges);
    const std::string where = place_of(kMerges);
    for (const std::string& line : lines) add_merge_line(line, parts_.vocabulary, where, merges);
    parts_.model = make_byte_level_bpe(parts_.vocabulary, std::move(merges), options, where);
    parts_.decoding = {join_bytes()};
  }

  void set_up_sentencepiece() {
    for (const char* key : {"tokenizer.ggml.remove_extra_whitespaces", "tokenizer.ggml.treat_whitespace_as_suffix"})
      if (flag_or(key, false)) metadata_.fail(key, "is true, which is not supported");
    const std::vector<double> scores = metadata_.numbers(kScores);
    require_one_for_each(kScores, scores.size(), types_.size());
    const auto wrong = std::find_if(scores.begin(), scores.end(), [](double score) { return !std::isfinite(score); });
    if (wrong != scores.end())
      metadata_.fail(kScores,
                     fmt::format("holds a score, that of token {}, which is not finite", wrong - scores.begin()));
    for (int id = 0; id < parts_.vocabulary.size(); ++id) {
      if (parts_.vocabulary.has_id(id) && parts_.vocabulary.token(id).size() > kMostBytes)
        metadata_.fail(kTokens, fmt::format("holds a token, {}, of more than {} bytes", id, kMostBytes));
    }
    adds_bos_ = true;
    const bool prefix = flag_or(kAddSpace, true);
    SentencePieceBpeOptions options;
    std::vector<Normalizer> steps;
    if (prefix) steps.emplace_back([](Characters& text) { prepend(text, U"▁"); });
    steps.emplace_back([](Characters& text) { replace_all(text, U" ", U"▁"); });
    options.normalizer = in_sequence(std::move(steps));
    options.unknown_token = unknown_token();
    options.fuse_unknown = true;
    options.byte_fallback = true;
    parts_.model = make_sentencepiece_bpe(parts_.vocabulary, merges_from_scores(parts_.vocabulary, scores),
                                          std::move(options), place_of(kTokens));
    parts_.decoding = {replace_in_tokens("▁", " "), join_fallback_bytes(), fuse_tokens()};
    if (prefix) parts_.decoding.push_back(strip_tokens(U' ', 1, 0));
  }

  std::optional<std::string> unknown_token() const {
    if (const auto id = token_id(kUnknownId)) return parts_.vocabulary.token(*id);
    const auto found = std::find(types_.begin(), types_.end(), kUnknown);
    if (found == types_.end()) return std::nullopt;
    return parts_.vocabulary.token(static_cast<int>(found - types_.begin()));
  }

  std::vector<AddedToken> added_tokens() const {
    std::vector<AddedToken> result;
    for (std::size_t id = 0; id < types_.size(); ++id) {
      const bool special = types_[id] == kControl || types_[id] == kUnknown;
      if (!special && types_[id] != kUserDefined) continue;
      AddedToken token;
      token.id = static_cast<int>(id);
      token.content = parts_.vocabulary.token(token.id);
      token.special = special;
      result.push_back(std::move(token));
    }
    return result;
  }

  void set_up_template() {
    const auto put = [&](const std::string& flag, const std::string& id_key, bool standard, std::vector<int>& place) {
      if (!flag_or(flag, standard)) return;
      if (const auto id = token_id(id_key)) {
        place.push_back(*id);
      } else if (metadata_.contains(flag)) {
        metadata_.fail(flag, fmt::format("is true, but there is no key {}", json_quoted(id_key)));
      }
    };
    put(kAddBos, kBosId, adds_bos_, parts_.post.before);
    put(kAddEos, kEosId, false, parts_.post.after);
  }

  // As tokenizer_config.json would name them.
  TokenizerConfig roles() const {
    TokenizerConfig config;
    for (const auto& [role, key] : {std::pair{"bos_token", kBosId},
                                    {"eos_token", kEosId},
                                    {"unk_token", kUnknownId},
                                    {"pad_token", kPaddingId}}) {
      if (const auto id = token_id(key)) config.roles[role].content = parts_.vocabulary.token(*id);
    }
    return config;
  }

  std::optional<int> token_id(const std::string& key) const {
    if (!metadata_.contains(key)) return std::nullopt;
    const Index id = metadata_.integer(key);
    if (id < 0 || id >= parts_.vocabulary.size() || !parts_.vocabulary.has_id(static_cast<int>(id)))
      metadata_.fail(key,
                     fmt::format("is {}, which no token has; the vocabulary has {} ids", id, parts_.vocabulary.size()));
    return static_cast<int>(id);
  }

  // Before messages of others.
  std::string place_of(const std::string& key) const { return metadata_.source() + ": " + key; }

  bool flag_or(const std::string& key, bool fallback) const {
    return metadata_.contains(key) ? metadata_.flag(key) : fallback;
  }

  const GgufMetadata& metadata_;
  std::vector<Index> types_;  // of every id
  bool adds_bos_ = false;     // unless the file says otherwise
  TokenizerParts parts_;
};

struct Split {
  double score;  // of the token
  std::size_t left_length, right_length;
  int left, right;
};

// The splits of one token into two others, by their ids.
void append_splits(const Vocabulary& vocabulary, int id, double score, std::vector<Split>& splits) {
  const std::string_view token = vocabulary.token(id);
  const auto first = static_cast<std::ptrdiff_t>(splits.size());
  const std::size_t length = unicode::decode(token).size();
  std::size_t left_length = 0;
  for (std::size_t at = 0; left_length + 1 < length;) {
    at += static_cast<std::size_t>(unicode::decode_first(token.substr(at)).length);
    ++left_length;
    const auto left = vocabulary.find(token.substr(0, at));
    if (!left) continue;
    const auto right = vocabulary.find(token.substr(at));
    if (right) splits.push_back({score, left_length, length - left_length, *left, *right});
  }
  std::sort(splits.begin() + first, splits.end(),
            [](const Split& a, const Split& b) { return std::tie(a.left, a.right) < std::tie(b.left, b.right); });
}

}  // namespace

Merges merges_from_scores(const Vocabulary& vocabulary, const std::vector<double>& scores) {
  std::vector<Split> splits;
  for (int id = 0; id < vocabulary.size(); ++id)
    if (vocabulary.has_id(id)) append_splits(vocabulary, id, scores[static_cast<std::size_t>(id)], splits);
  std::stable_sort(splits.begin(), splits.end(), [](const Split& a, const Split& b) {
    return std::tie(a.score, a.left_length, a.right_length) > std::tie(b.score, b.left_length, b.right_length);
  });
  Merges merges;
  for (const Split& split : splits)
    merges.add(vocabulary.token(split.left), vocabulary.token(split.right), vocabulary, "");
  return merges;
}

TokenizerParts read_gguf_tokenizer(const GgufMetadata& metadata) {
  return Reader(metadata).read();
}

}  // namespace wordsway
