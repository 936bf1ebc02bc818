#include "wordsway/text/tokenizer/unigram.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/bpe.h"
#include "wordsway/text/tokenizer/byte_tokens.h"
#include "wordsway/text/tokenizer/trie.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

constexpr double kUnknownPenalty = 10;
constexpr int kNone = -1;

class Unigram final : public SubwordModel {
 public:
  Unigram(const Vocabulary& vocabulary, UnigramOptions options) : options_(std::move(options)) {
    for (int id = 0; id < vocabulary.size(); ++id) {
      // If a piece stands there twice, the last one counts.
      if (vocabulary.find(vocabulary.token(id)) == id) trie_.insert(unicode::decode(vocabulary.token(id)), id);
    }
    unknown_score_ = *std::min_element(options_.scores.begin(), options_.scores.end()) - kUnknownPenalty;
    byte_ids_ = find_fallback_ids(vocabulary);
    for (const PreTokenizer& rule : options_.pre_tokenizers)
      if (const auto* metaspace = std::get_if<Metaspace>(&rule)) mark_ = metaspace->mark;
  }

  std::string_view name() const override { return "Unigram"; }

  void normalize(Characters& text) const override {
    if (options_.normalizer) options_.normalizer(text);
  }

  void tokenize(Characters segment, int& word, TokenizedText& tokenized) const override {
    const Words words = cut_into_words(std::move(segment), options_.pre_tokenizers);
    Scratch scratch;
    std::size_t begin = 0;
    for (const std::size_t end : words.ends) {
      cut_word(CharacterSpan(words.text).subspan(begin, end - begin), word++, scratch, tokenized);
      begin = end;
    }
  }

  std::string surface(std::string_view token) const override {
    return sentencepiece_surface(token, mark_, options_.byte_fallback);
  }

 private:
  // The best way to cut the characters before a place: where its last piece starts, and which it is.
  struct Best {
    double score;
    std::size_t begin;
    int id;  // kNone before any way is known
  };

  struct Scratch {
    std::string utf8;
    std::vector<Symbol> symbols;
    std::vector<Best> best;
  };

  void cut_word(CharacterSpan text, int word, Scratch& scratch, TokenizedText& tokenized) const {
    to_utf8(text, scratch.utf8);
    if (!cache_.find(scratch.utf8, scratch.symbols)) {
      find_symbols(text, scratch);
      cache_.insert(scratch.utf8, scratch.symbols);
    }
    std::size_t begin = 0;
    std::size_t end = 0;
    for (const Symbol& symbol : scratch.symbols) {
      if (symbol.length > 0) begin = end;  // 0: one more byte of the same stretch
      end += static_cast<std::size_t>(symbol.length);
      if (symbol.id == options_.unknown_id) {
        to_utf8(text.subspan(begin, end - begin), scratch.utf8);
        tokenized.matched.emplace(tokenized.pieces.size(), scratch.utf8);
      }
      tokenized.pieces.push_back({symbol.id, text[begin].begin, text[end - 1].end, word});
    }
  }

  /// Lengths are in characters.
  void find_symbols(CharacterSpan text, Scratch& scratch) const {
    find_best(text, scratch.best);
    scratch.symbols.clear();
    for (std::size_t end = text.size(); end > 0;) {
      std::size_t begin = scratch.best[end].begin;
      const int id = scratch.best[end].id;
      if (id == options_.unknown_id) {
        while (begin > 0 && scratch.best[begin].id == id) begin = scratch.best[begin].begin;
        append_unknown(text.subspan(begin, end - begin), scratch.symbols);
      } else {
        scratch.symbols.push_back({id, static_cast<int>(end - begin)});
      }
      end = begin;
    }
    std::reverse(scratch.symbols.begin(), scratch.symbols.end());
  }

  void find_best(CharacterSpan text, std::vector<Best>& best) const {
    best.assign(text.size() + 1, {0, 0, kNone});
    for (std::size_t begin = 0; begin < text.size(); ++begin) {
      const double here = best[begin].score;
      const auto consider = [&](std::size_t end, int id, double score) {
        if (best[end].id == kNone || score > best[end].score) best[end] = {score, begin, id};
      };
      bool is_known = false;  // the character alone
      int node = Trie::kRoot;
      for (std::size_t end = begin; end < text.size();) {
        node = trie_.child(node, text[end++].code);
        if (node == Trie::kNowhere) break;
        const int id = trie_.value(node);
        if (id == Trie::kNoValue) continue;
        consider(end, id, options_.scores[id] + here);
        is_known |= end == begin + 1;
      }
      if (!is_known) consider(begin + 1, options_.unknown_id, unknown_score_ + here);
    }
  }

  /// The symbols of a fused stretch, the last one first.
  void append_unknown(CharacterSpan text, std::vector<Symbol>& symbols) const {
    int node = Trie::kRoot;
    for (std::size_t i = 0; i < text.size() && node != Trie::kNowhere; ++i) node = trie_.child(node, text[i].code);
    const int whole = node == Trie::kNowhere ? Trie::kNoValue : trie_.value(node);
    const int length = static_cast<int>(text.size());
    if (whole == Trie::kNoValue && options_.byte_fallback && append_bytes(text, symbols)) return;
    symbols.push_back({whole == Trie::kNoValue ? options_.unknown_id : whole, length});
  }

  /// Every byte as a piece that stands for the whole stretch; false when the vocabulary lacks one.
  bool append_bytes(CharacterSpan text, std::vector<Symbol>& symbols) const {
    std::string utf8;
    to_utf8(text, utf8);
    const auto id_of = [&](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
    if (std::any_of(utf8.begin(), utf8.end(), [&](char byte) { return id_of(byte) == kNone; })) return false;
    for (std::size_t i = utf8.size(); i > 0; --i)
      symbols.push_back({id_of(utf8[i - 1]), i == 1 ? static_cast<int>(text.size()) : 0});
    return true;
  }

  UnigramOptions options_;
  Trie trie_;
  double unknown_score_;
  std::array<int, 256> byte_ids_{};
  char32_t mark_ = Metaspace().mark;
  mutable WordCache cache_;
};

}  // namespace

std::unique_ptr<SubwordModel> make_unigram(const Vocabulary& vocabulary, UnigramOptions options) {
  return std::make_unique<Unigram>(vocabulary, std::move(options));
}

double score_as_read_by_tokenizers(double score) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, std::abs(score), std::chars_format::scientific);
  // d.ddde±x, without the point an integer of at most 17 digits times a power of ten.
  std::uint64_t digits = 0;
  int exponent = 0;
  const char* at = text;
  bool after_point = false;
  for (; *at != 'e'; ++at) {
    if (*at == '.') {
      after_point = true;
      continue;
    }
    digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
    exponent -= after_point ? 1 : 0;
  }
  ++at;
  int written_exponent = 0;
  std::from_chars(at + (*at == '+' ? 1 : 0), written.ptr, written_exponent);
  exponent += written_exponent;
  // Both write integers below 10^16 with all their digits and ".0".
  if (exponent >= 0 && std::abs(score) < 1e16) {
    digits = static_cast<std::uint64_t>(std::abs(score)) * 10;
    exponent = -1;
  }
  auto value = static_cast<double>(digits);
  for (; exponent < -308; exponent += 308) value /= 1e308;
  double power = 1;
  const std::string power_text = fmt::format("1e{}", std::abs(exponent));
  std::from_chars(power_text.data(), power_text.data() + power_text.size(), power);
  value = exponent < 0 ? value / power : value * power;
  return std::copysign(value, score);
}

namespace {

/// [["piece", score], ...]; the id of a piece is its place.
std::vector<double> read_pieces(const JsonView& list, Vocabulary& vocabulary) {
  std::vector<double> scores;
  const std::string where = list.where();
  for (const JsonView& entry : list.elements()) {
    const std::vector<JsonView> pair = entry.elements();
    if (pair.size() != 2) entry.fail(fmt::format("expected a piece and its score, got {} values", pair.size()));
    vocabulary.add(pair[0].string(), static_cast<long long>(scores.size()), where);
    const double score = pair[1].number();
    if (!std::isfinite(score)) pair[1].fail("expected a finite score");
    scores.push_back(score_as_read_by_tokenizers(score));
  }
  if (scores.empty()) list.fail("the vocabulary is empty");
  return scores;
}

int read_unknown_id(const JsonView& value, int size) {
  if (!value.exists()) value.fail("Unigram without an unknown piece is not supported; expected its id");
  const std::int64_t id = value.integer();
  if (id < 0 || id >= size) value.fail(fmt::format("no piece has the id {}; expected 0 to {}", id, size - 1));
  return static_cast<int>(id);
}

}  // namespace

std::unique_ptr<SubwordModel> read_unigram(const JsonView& json, Vocabulary& vocabulary) {
  const JsonView model = json["model"];
  UnigramOptions options;
  options.scores = read_pieces(model["vocab"], vocabulary);
  options.unknown_id = read_unknown_id(model["unk_id"], vocabulary.size());
  options.byte_fallback = model["byte_fallback"].boolean_or(false);
  options.normalizer = read_normalizer(json["normalizer"], "Unigram");
  options.pre_tokenizers = read_pre_tokenizers(json["pre_tokenizer"], "Unigram");
  return make_unigram(vocabulary, std::move(options));
}

}  // namespace wordsway
