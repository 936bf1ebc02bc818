#include "wordsway/text/pairs/builtin_pairs.h"

#include <array>
#include <cstdint>
#include <set>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/pairs/pair_templates.h"

namespace wordsway {
namespace {

using grammar::Grammar;
using grammar::Writer;
using pairs::PairClass;
using pairs::PairTemplate;

constexpr std::uint64_t kSeed = 2402'02969;
constexpr std::uint64_t kMostAttempts = 1000;

const Grammar& filler_grammar() {
  static const std::array tables{pairs::filler_rules()};
  static const Grammar grammar(tables);
  return grammar;
}

// Takes the anchor and the changed text, unless they are the same text or one of them was taken before.
bool take_texts(const TextPair& pair, std::set<std::string>& taken) {
  if (pair.anchor == pair.changed || taken.contains(pair.anchor) || taken.contains(pair.changed)) return false;
  taken.insert({pair.anchor, pair.changed});
  return true;
}

// Pair `number` of a class: templates are taken in turn, and drawn again until the texts are new.
TextPair write_pair(const PairClass& kind, std::size_t number, std::set<std::string>& taken) {
  const PairTemplate& pair_template = kind.templates[number % kind.templates.size()];
  const int side = pairs::side_of(number, kind.templates.size());
  const Stream stream = Stream(kSeed).derive("built-in pair").derive(kind.name).derive(number);
  for (std::uint64_t attempt = 0; attempt < kMostAttempts; ++attempt) {
    Writer writer(filler_grammar(), stream.derive(attempt));
    TextPair pair = pairs::fill(pair_template, side, writer);
    if (!take_texts(pair, taken)) continue;
    pair.class_name = kind.name;
    return pair;
  }
  throw UsageError("pair template: no new texts are left in '" + std::string(pair_template.anchor) + "'");
}

std::vector<TextPair> write_all_pairs() {
  std::vector<TextPair> all;
  all.reserve(pairs::pair_classes().size() * kBuiltinPairsPerClass);
  std::set<std::string> taken;
  for (const PairClass& kind : pairs::pair_classes()) {
    for (std::size_t number = 0; number < kBuiltinPairsPerClass; ++number) {
      all.push_back(write_pair(kind, number, taken));
    }
  }
  return all;
}

std::vector<std::string_view> names_of(std::span<const PairClass> classes) {
  std::vector<std::string_view> names;
  names.reserve(classes.size());
  for (const PairClass& kind : classes) names.push_back(kind.name);
  return names;
}

}  // namespace

const std::vector<TextPair>& builtin_pairs() {
  static const std::vector<TextPair> all = write_all_pairs();
  return all;
}

std::span<const std::string_view> builtin_pair_classes() {
  static const std::vector<std::string_view> names = names_of(pairs::pair_classes());
  return names;
}

std::string builtin_pairs_digest() {
  Digest digest;
  for (const TextPair& pair : builtin_pairs()) {
    digest.add(std::string_view(pair.class_name));
    digest.add(std::string_view(pair.anchor));
    digest.add(std::string_view(pair.changed));
    digest.add(std::string_view(pair.control.value()));
  }
  return digest.text();
}

}  // namespace wordsway
