#include "wordsway/text/tokenizer/byte_level_bpe.h"

#include <array>
#include <unordered_map>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/bpe_word.h"
#include "wordsway/text/tokenizer/byte_level.h"

namespace wordsway {
namespace {

constexpr int kNone = -1;

class ByteLevelBpe final : public SubwordModel {
 public:
  ByteLevelBpe(const Vocabulary& vocabulary, Merges merges, const ByteLevelBpeOptions& options, int unknown_id)
      : merges_(std::move(merges)), options_(options), unknown_id_(unknown_id) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string token;
      unicode::append_utf8(token, byte_level::character_of(static_cast<unsigned char>(byte)));
      byte_ids_[byte] = vocabulary.find(token).value_or(kNone);
    }
    if (!options.whole_words_first) return;
    for (int id = 0; id < vocabulary.size(); ++id) {
      if (!vocabulary.has_id(id)) continue;
      if (auto bytes = byte_level::find_bytes(vocabulary.token(id))) whole_words_.emplace(std::move(*bytes), id);
    }
  }

  std::string_view name() const override { return "byte-level BPE"; }

  void normalize(Characters& text) const override {
    if (options_.normalizer) options_.normalizer(text);
  }

  void tokenize(Characters segment, int& word, TokenizedText& tokenized) const override {
    if (options_.add_prefix_space && segment.front().code != U' ') {
      segment.insert(segment.begin(), {U' ', segment.front().begin, segment.front().end});
    }
    const CharacterSpan text(segment);
    BpeWord scratch;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = word_end(text, begin, *options_.pattern);
      scratch.start(text.subspan(begin, end - begin));
      cut_word(scratch);
      scratch.append_pieces(word++, tokenized.pieces);
      begin = end;
    }
  }

  std::string surface(std::string_view token) const override { return byte_level::bytes_of(token); }

 private:
  void cut_word(BpeWord& word) const {
    if (cache_.find(word.bytes(), word.symbols)) return;
    find_symbols(word.bytes(), word.symbols);
    cache_.insert(word.bytes(), word.symbols);
  }

  void find_symbols(const std::string& bytes, std::vector<Symbol>& symbols) const {
    symbols.clear();
    if (const auto whole = whole_words_.find(bytes); whole != whole_words_.end()) {
      symbols.push_back({whole->second, static_cast<int>(bytes.size())});
      return;
    }
    bool after_unknown = false;
    for (const char byte : bytes) {
      const int id = byte_ids_[static_cast<unsigned char>(byte)];
      if (id != kNone) {
        symbols.push_back({id, 1});
      } else if (unknown_id_ != kNone && after_unknown && options_.fuse_unknown) {
        ++symbols.back().length;
      } else if (unknown_id_ != kNone) {
        symbols.push_back({unknown_id_, 1});
      }
      after_unknown = id == kNone;
    }
    merges_.apply(symbols);
  }

  Merges merges_;
  ByteLevelBpeOptions options_;
  int unknown_id_;
  std::array<int, 256> byte_ids_{};
  std::unordered_map<std::string, int> whole_words_;
  mutable WordCache cache_;
};

}  // namespace

std::unique_ptr<SubwordModel> make_byte_level_bpe(const Vocabulary& vocabulary, Merges merges,
                                                  const ByteLevelBpeOptions& options, std::string_view where) {
  const int unknown_id = find_unknown_id(vocabulary, options.unknown_token, where);
  return std::make_unique<ByteLevelBpe>(vocabulary, std::move(merges), options, unknown_id);
}

}  // namespace wordsway
