#include "wordsway/text/tokenizer/tokenizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/post_processing.h"
#include "wordsway/text/tokenizer/text_stream.h"
#include "wordsway/text/tokenizer/tokenizer_parts.h"

namespace wordsway {
namespace {

// Goes through a text once and collects its tokens.
class Cutter {
 public:
  explicit Cutter(const TokenizerParts& parts) : parts_(parts) {}

  TokenizedText cut(const Characters& text) {
    result_.pieces.reserve(text.size() / 4 + 8);
    for_each_segment(parts_.raw_tokens, text, [&](CharacterSpan stretch) {
      Characters normalized(stretch.begin(), stretch.end());
      parts_.normalize(normalized);
      for_each_segment(parts_.normalized_tokens, normalized, [&](CharacterSpan plain) {
        parts_.model->tokenize(Characters(plain.begin(), plain.end()), word_, result_);
      });
    });
    return std::move(result_);
  }

 private:
  template <typename UsePlainText>
  void for_each_segment(const AddedTokens& tokens, CharacterSpan text, const UsePlainText& use_plain_text) {
    for (const AddedTokens::Segment& segment : tokens.split(text)) {
      const CharacterSpan part = text.subspan(segment.begin, segment.end - segment.begin);
      if (segment.id) {
        add_token(*segment.id, part);
      } else {
        use_plain_text(part);
      }
    }
  }

  void add_token(int id, CharacterSpan found) {
    std::string matched;
    to_utf8(found, matched);
    if (matched != parts_.vocabulary.token(id)) result_.matched.emplace(result_.pieces.size(), std::move(matched));
    result_.pieces.push_back({id, found.front().begin, found.back().end, word_++});
  }

  const TokenizerParts& parts_;
  TokenizedText result_;
  int word_ = 0;
};

/// Leaves at most `max_tokens` less the template's own; true when something was cut.
bool cut_to(std::vector<Piece>& pieces, Index max_tokens, Index special_tokens) {
  if (max_tokens < special_tokens || max_tokens < 1) {
    throw UsageError(fmt::format("at most {} tokens leave no room; expected at least {}, the number of special tokens",
                                 max_tokens, std::max<Index>(special_tokens, 1)));
  }
  const auto room = static_cast<std::size_t>(max_tokens - special_tokens);
  if (pieces.size() <= room) return false;
  pieces.resize(room);
  return true;
}

class EncodingBuilder {
 public:
  EncodingBuilder(const Vocabulary& vocabulary, std::size_t size) : vocabulary_(vocabulary) {
    encoding_.ids.reserve(size);
    encoding_.pieces.reserve(size);
    encoding_.words.reserve(size);
    encoding_.offsets.reserve(size);
    encoding_.byte_offsets.reserve(size);
  }

  void add_special(const std::vector<int>& ids) {
    for (const int id : ids) add(id, vocabulary_.token(id), std::nullopt, {0, 0}, {0, 0});
  }

  void add_text(const TokenizedText& text, const std::vector<std::uint32_t>& byte_begin) {
    for (std::size_t i = 0; i < text.pieces.size(); ++i) {
      const Piece& p = text.pieces[i];
      add(p.id, text.token_text(i, vocabulary_), p.word, {p.begin, p.end}, {byte_begin[p.begin], byte_begin[p.end]});
    }
  }

  Encoding finish() { return std::move(encoding_); }

 private:
  void add(int id, const std::string& piece, std::optional<int> word, std::array<Index, 2> offsets,
           std::array<Index, 2> byte_offsets) {
    encoding_.ids.push_back(id);
    encoding_.pieces.push_back(piece);
    encoding_.words.push_back(word);
    encoding_.offsets.push_back(offsets);
    encoding_.byte_offsets.push_back(byte_offsets);
  }

  const Vocabulary& vocabulary_;
  Encoding encoding_;
};

}  // namespace

void TokenizerParts::normalize(Characters& text) const {
  if (lower_case) lowercase_all(text);
  model->normalize(text);
}

void TokenizerParts::add_tokens(const std::vector<AddedToken>& tokens, std::string_view where) {
  for (const AddedToken& token : tokens) {
    if (const auto known = vocabulary.find(token.content); known && *known != token.id) {
      throw DataError(fmt::format("{}: added token '{}' has the id {} but the vocabulary says {}", where, token.content,
                                  token.id, *known));
    }
    vocabulary.add(token.content, token.id, where);
    Characters content = decode_text(token.content).characters;
    if (token.normalized) {
      normalize(content);
      std::string normalized;
      to_utf8(content, normalized);
      if (normalized != token.content) normalized_content[token.id] = normalized;
    }
    if (token.special) special_tokens.insert(token.content);
    (token.normalized ? normalized_tokens : raw_tokens).add(token, content);
  }
}

std::optional<std::string_view> TokenizerParts::decoded_token(int id) const {
  if (!vocabulary.has_id(id)) return std::nullopt;
  const auto found = normalized_content.find(id);
  return found != normalized_content.end() ? found->second : vocabulary.token(id);
}

Tokenizer::Tokenizer(TokenizerParts parts, std::vector<SourceFile> files)
    : parts_(std::make_unique<const TokenizerParts>(std::move(parts))), files_(std::move(files)) {}
Tokenizer::~Tokenizer() = default;

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  const DecodedText decoded = decode_text(text);
  TokenizedText tokenized = Cutter(*parts_).cut(decoded.characters);
  const PostProcessing& post = parts_->post;
  const Index special = options.special_tokens ? special_token_count() : 0;
  const bool cut = options.max_tokens && cut_to(tokenized.pieces, *options.max_tokens, special);
  if (post.trim_offsets) trim_offsets(tokenized, parts_->vocabulary, post.keep_prefix_space);

  EncodingBuilder builder(parts_->vocabulary, tokenized.pieces.size() + static_cast<std::size_t>(special));
  if (options.special_tokens) builder.add_special(post.before);
  builder.add_text(tokenized, decoded.byte_begin);
  if (options.special_tokens) builder.add_special(post.after);
  Encoding encoding = builder.finish();
  encoding.cut = cut;
  return encoding;
}

Index Tokenizer::count_tokens(std::string_view text, bool special_tokens) const {
  const TokenizedText tokenized = Cutter(*parts_).cut(decode_text(text).characters);
  return static_cast<Index>(tokenized.pieces.size()) + (special_tokens ? special_token_count() : 0);
}

std::string_view Tokenizer::kind() const {
  return parts_->model->name();
}
int Tokenizer::vocabulary_size() const {
  return parts_->vocabulary.size();
}
std::optional<int> Tokenizer::id_of(std::string_view piece) const {
  return parts_->vocabulary.find(piece);
}
bool Tokenizer::has_id(int id) const {
  return parts_->vocabulary.has_id(id);
}
const std::string& Tokenizer::piece(int id) const {
  return parts_->vocabulary.token(id);
}
std::string Tokenizer::surface(int id) const {
  return parts_->model->surface(piece(id));
}
const SpecialIds& Tokenizer::special_ids() const {
  return parts_->special_ids;
}
std::optional<Index> Tokenizer::max_length() const {
  return parts_->max_length;
}
std::optional<Index> Tokenizer::saved_truncation() const {
  return parts_->saved_truncation;
}

Record Tokenizer::content() const {
  if (files_.empty())
    throw UsageError("a tokenizer that did not come from files cannot be told from another; keep no journal with it");
  return files_.fields();
}

Index Tokenizer::special_token_count() const {
  return static_cast<Index>(parts_->post.before.size() + parts_->post.after.size());
}

std::vector<Encoding> encode_all(const Tokenizer& tokenizer, std::span<const std::string> texts,
                                 const EncodeOptions& options) {
  std::vector<Encoding> encodings(texts.size());
  const Blocks blocks{static_cast<Index>(texts.size()), 32};
  parallel_for(blocks.count(), [&](Index block) {
    for (Index i = blocks.begin(block); i < blocks.begin(block) + blocks.length(block); ++i) {
      encodings[i] = tokenizer.encode(texts[i], options);
    }
  });
  return encodings;
}

TextStream::TextStream(const Tokenizer& tokenizer, bool skip_special)
    : parts_(tokenizer.parts_.get()),
      skip_special_(skip_special),
      chain_(std::make_unique<DecodingChain>(parts_->decoding)) {}
TextStream::~TextStream() = default;
TextStream::TextStream(TextStream&&) noexcept = default;
TextStream& TextStream::operator=(TextStream&&) noexcept = default;

std::string TextStream::add(int id) {
  const auto token = parts_->decoded_token(id);
  if (!token || (skip_special_ && parts_->special_tokens.contains(*token))) return {};
  return chain_->add(*token);
}

std::string TextStream::finish() {
  std::string rest = chain_->finish();
  chain_ = std::make_unique<DecodingChain>(parts_->decoding);
  return rest;
}

std::string Tokenizer::decode(std::span<const int> ids, bool skip_special) const {
  TextStream stream(*this, skip_special);
  std::string text;
  for (const int id : ids) text += stream.add(id);
  return text + stream.finish();
}

}  // namespace wordsway
