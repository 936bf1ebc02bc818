#include "wordsway/text/lexicon/word_selection.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using wordnet::Lemma;
using wordnet::Link;
using wordnet::Synset;

constexpr double kSynonymShare = 0.55, kAntonymShare = 0.4, kFirstAntonymShare = 0.3, kHeadShare = 0.6,
                 kAlikeShare = 0.35;
constexpr long kSynonymCount = 3, kAntonymCount = 3, kHeadCount = 25, kMemberCount = 2;
constexpr size_t kTopicWords = 48;
constexpr size_t kSynonymRank = 2, kAntonymRank = 3;
constexpr int kPersons = 18;  // the lexicographer file noun.person

std::string lower_case(std::string_view word) {
  std::string result(word);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

using Key = std::pair<std::string, PartOfSpeech>;

// What makes a group: the synset above its members or their topic, and for verbs the sentence frames that all have.
struct GroupKey {
  PartOfSpeech part;
  size_t above;  // or kTopic
  int topic = 0;
  std::vector<int> frames = {};
  bool operator<(const GroupKey& other) const {
    return std::tie(part, above, topic, frames) < std::tie(other.part, other.above, other.topic, other.frames);
  }
};

constexpr size_t kTopic = SIZE_MAX;

class Selector {
 public:
  Selector(const wordnet::Database& database, std::string_view corrections) : database_(database) {
    for (const Lemma& lemma : database_.lemmas) lemmas_.emplace(Key{lemma.text, lemma.part}, &lemma);
    mark_unwanted();
    for (const Lemma& lemma : database_.lemmas)
      if (is_plain_word(lemma.text) && !is_name(lemma)) relate(lemma);
    fill_groups();
    correct(corrections);
  }

  WordSelection take() { return {std::move(words_), std::move(groups_)}; }

 private:
  struct Use {
    size_t rank;  // from 1; 0: the word does not have this sense
    double share;
    long count;
  };

  static Use use_of(const Lemma& lemma, size_t rank) {
    const auto weight = [&](size_t k) {
      return static_cast<double>(lemma.senses[k].count) + 0.5 / static_cast<double>(k + 1);
    };
    double sum = 0;
    for (size_t k = 0; k < lemma.senses.size(); ++k) sum += weight(k);
    return {rank, weight(rank - 1) / sum, lemma.senses[rank - 1].count};
  }

  Use use_of(std::string_view word, size_t synset) const {
    const auto found = lemmas_.find(Key{word, database_.synsets[synset].part});
    if (found == lemmas_.end()) return {};
    const Lemma& lemma = *found->second;
    for (size_t k = 0; k < lemma.senses.size(); ++k)
      if (lemma.senses[k].synset == synset) return use_of(lemma, k + 1);
    return {};
  }

  static long count_of(const Lemma& lemma) {
    long sum = 0;
    for (const auto& sense : lemma.senses) sum += sense.count;
    return sum;
  }

  void mark_unwanted() {
    static const std::set<std::string_view> kUnwanted = {"disparagement", "ethnic_slur", "obscenity", "archaism",
                                                         "dialect",       "regionalism", "plural",    "combining_form"};
    static const std::set<std::string_view> kCompared = {"comparative", "superlative"};
    for (size_t s = 0; s < database_.synsets.size(); ++s)
      for (const Link& link : database_.synsets[s].links) {
        if (link.symbol != ';' || link.detail != 'u') continue;
        const auto& words = database_.synsets[link.synset].words;
        if (std::ranges::any_of(words, [&](const auto& word) { return kUnwanted.contains(word); })) unwanted_.insert(s);
        if (std::ranges::any_of(words, [&](const auto& word) { return kCompared.contains(word); })) compared_.insert(s);
      }
  }

  bool is_wanted(std::string_view word, size_t synset) const {
    return is_plain_word(word) && !unwanted_.contains(synset);
  }

  void relate(const Lemma& lemma) {
    RelatedWord related;
    related.count = count_of(lemma);
    std::map<std::string, long> synonyms, antonyms;
    for (size_t k = 0; k < lemma.senses.size(); ++k) {
      const Use own = use_of(lemma, k + 1);
      const size_t synset = lemma.senses[k].synset;
      if (own.share >= kSynonymShare) add_synonyms(lemma, synset, own.share, synonyms);
      if (own.share >= (k == 0 ? kFirstAntonymShare : kAntonymShare)) add_antonyms(lemma, synset, antonyms);
    }
    // A satellite has no antonym of its own; its head has one.
    const size_t first = lemma.senses.front().synset;
    if (antonyms.empty() && use_of(lemma, 1).share >= kHeadShare)
      for (const size_t head : heads_of(first)) add_antonyms_of_head(head, antonyms);
    // Adverbs that are not of manner have little in common but what their adjectives have.
    const bool has_kind = lemma.part != PartOfSpeech::kAdverb || lemma.text.ends_with("ly") || group_key(first);
    if (has_kind && use_of(lemma, 1).share >= kAlikeShare) related.groups.push_back(group_of(first));
    related.takes = takes_of(database_.synsets[first]);
    for (const auto& sense : lemma.senses) related.may_take |= takes_of(database_.synsets[sense.synset]);
    related.synonyms = by_count(synonyms);
    related.antonyms = by_count(antonyms);
    words_.emplace(Key{lemma.text, lemma.part}, std::move(related));
  }

  // By the numbers of WordNet's sentence frames (`man wninput`): 8 is "Somebody ----s something".
  static std::uint32_t takes_of(const Synset& synset) {
    std::uint32_t takes = 0;
    for (const int frame : synset.frames) {
      if ((frame >= 8 && frame <= 11) || frame == 20 || frame == 21 || frame == 24) takes |= verb_takes::kObject;
      if (frame == 1 || frame == 2 || frame == 22 || frame == 27) takes |= verb_takes::kNothing;
      if (frame == 28) takes |= verb_takes::kInfinitive;
      if (frame == 26) takes |= verb_takes::kClause;
    }
    return takes;
  }

  static std::vector<std::pair<long, std::string>> by_count(const std::map<std::string, long>& words) {
    std::vector<std::pair<long, std::string>> result;
    result.reserve(words.size());
    for (const auto& [word, count] : words) result.emplace_back(count, word);
    std::ranges::stable_sort(result, [](const auto& a, const auto& b) { return a.first > b.first; });
    return result;
  }

  static void keep_largest(std::map<std::string, long>& words, const std::string& word, long count) {
    const auto [at, fresh] = words.emplace(word, count);
    if (!fresh) at->second = std::max(at->second, count);
  }

  void add_synonyms(const Lemma& lemma, size_t synset, double share, std::map<std::string, long>& synonyms) const {
    for (const std::string& word : database_.synsets[synset].words) {
      if (word == lemma.text || !is_wanted(word, synset)) continue;
      // "easy" is an adverb, too, but not where "easily" is one.
      if (lemma.part == PartOfSpeech::kAdverb && lemma.text.ends_with("ly") != word.ends_with("ly")) continue;
      const Use use = use_of(word, synset);
      if (use.rank >= 1 && use.rank <= kSynonymRank && use.count >= kSynonymCount && use.share * share >= kSynonymShare)
        keep_largest(synonyms, word, use.count);
    }
  }

  void add_antonyms(const Lemma& lemma, size_t synset, std::map<std::string, long>& antonyms) const {
    const Synset& here = database_.synsets[synset];
    if (here.part == PartOfSpeech::kNoun && here.topic == kPersons) return;
    for (const Link& link : here.links) {
      if (link.symbol != '!' || link.from == 0 || link.to == 0) continue;
      if (lower_case(here.words[static_cast<size_t>(link.from - 1)]) != lemma.text) continue;
      const std::string& word = database_.synsets[link.synset].words[static_cast<size_t>(link.to - 1)];
      const Use use = use_of(word, link.synset);
      const bool is_common = use.count >= kAntonymCount || are_by_prefix(lemma.text, word);
      if (is_common && is_wanted(word, link.synset) && use.rank >= 1 && use.rank <= kAntonymRank)
        keep_largest(antonyms, word, use.count);
    }
  }

  // "illegal" is as clear as "legal", however seldom it was met; so are "enable" and "disable", "careful" and
  // "careless".
  static bool are_by_prefix(std::string_view a, std::string_view b) {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.ends_with(a)) {
      static const std::set<std::string_view> kPrefixes = {"un", "in", "im", "il", "ir", "dis", "mis", "non", "ab"};
      return kPrefixes.contains(b.substr(0, b.size() - a.size()));
    }
    constexpr std::array<std::array<std::string_view, 2>, 5> kPairs = {
        {{"en", "dis"}, {"in", "ex"}, {"over", "under"}, {"pre", "post"}, {"in", "out"}}};
    const auto differ_by = [&](std::string_view one, std::string_view other) {
      return (a.starts_with(one) && b.starts_with(other) && a.substr(one.size()) == b.substr(other.size())) ||
             (b.starts_with(one) && a.starts_with(other) && b.substr(one.size()) == a.substr(other.size()));
    };
    if (std::ranges::any_of(kPairs, [&](const auto& pair) { return differ_by(pair[0], pair[1]); })) return true;
    return (a.ends_with("ful") && b.ends_with("less")) || (b.ends_with("ful") && a.ends_with("less"));
  }

  void add_antonyms_of_head(size_t head, std::map<std::string, long>& antonyms) const {
    for (const Link& link : database_.synsets[head].links) {
      if (link.symbol != '!' || link.to == 0) continue;
      const std::string& word = database_.synsets[link.synset].words[static_cast<size_t>(link.to - 1)];
      const Use use = use_of(word, link.synset);
      if (is_wanted(word, link.synset) && use.rank == 1 && use.count >= kHeadCount)
        keep_largest(antonyms, word, use.count);
    }
  }

  // The heads that a satellite is similar to; nothing for other synsets.
  std::vector<size_t> heads_of(size_t synset) const {
    std::vector<size_t> heads;
    if (database_.synsets[synset].is_satellite)
      for (const Link& link : database_.synsets[synset].links)
        if (link.symbol == '&') heads.push_back(link.synset);
    return heads;
  }

  std::optional<size_t> first_link(size_t synset, char symbol) const {
    for (const Link& link : database_.synsets[synset].links)
      if (link.symbol == symbol) return link.synset;
    return std::nullopt;
  }

  std::optional<GroupKey> group_key(size_t synset) const {
    const Synset& here = database_.synsets[synset];
    switch (here.part) {
      case PartOfSpeech::kNoun:
      case PartOfSpeech::kVerb: {
        const auto above = first_link(synset, '@');
        return above ? std::optional(GroupKey{here.part, *above, 0, here.frames}) : std::nullopt;
      }
      case PartOfSpeech::kAdjective: {
        const auto heads = heads_of(synset);
        return GroupKey{here.part, heads.empty() ? synset : heads.front()};
      }
      case PartOfSpeech::kAdverb: {
        const auto adjective = first_link(synset, '\\');
        if (!adjective || database_.synsets[*adjective].part != PartOfSpeech::kAdjective) return std::nullopt;
        const auto heads = heads_of(*adjective);
        return GroupKey{here.part, heads.empty() ? *adjective : heads.front()};
      }
    }
    return std::nullopt;
  }

  std::pair<std::uint32_t, bool> number_of(const GroupKey& key) {
    const auto [at, fresh] = group_numbers_.emplace(key, static_cast<std::uint32_t>(groups_.size()));
    if (fresh) groups_.emplace_back();
    return {at->second, fresh};
  }

  // The group of the words beside a synset, with what contains it: of nouns, the group of the synset above; of others,
  // and of that one, all words about the same topic.
  std::uint32_t group_of(size_t synset) {
    const Synset& here = database_.synsets[synset];
    const std::uint32_t topic = number_of({here.part, kTopic, here.topic, here.frames}).first;
    const auto key = group_key(synset);
    if (!key) return topic;
    const auto [group, fresh] = number_of(*key);
    if (!fresh) return group;
    groups_[group].parent = topic;
    if (here.part == PartOfSpeech::kNoun)
      if (const auto above = group_key(key->above)) {
        const auto [parent, unknown] = number_of(*above);
        if (unknown) groups_[parent].parent = topic;
        if (parent != group) groups_[group].parent = parent;
      }
    return group;
  }

  // Every word that was met is a member by its first sense. A verb that takes more than a group's verbs do fits, too.
  void fill_groups() {
    std::map<GroupKey, std::vector<std::pair<const std::vector<int>*, std::uint32_t>>> numbers;  // without frames
    for (const auto& [key, number] : group_numbers_)
      numbers[{key.part, key.above, key.topic}].emplace_back(&key.frames, number);
    for (const Lemma& lemma : database_.lemmas) {
      const wordnet::Sense& first = lemma.senses.front();
      const Synset& synset = database_.synsets[first.synset];
      if (first.count < kMemberCount || !is_wanted(lemma.text, first.synset) || is_name(lemma)) continue;
      if (compared_.contains(first.synset)) continue;
      const auto join = [&](GroupKey key) {
        key.frames.clear();
        const auto groups = numbers.find(key);
        if (groups == numbers.end()) return;
        for (const auto& [frames, number] : groups->second)
          if (std::ranges::includes(synset.frames, *frames)) groups_[number].words.emplace(lemma.text, first.count);
      };
      if (synset.part != PartOfSpeech::kAdverb || lemma.text.ends_with("ly")) join({synset.part, kTopic, synset.topic});
      if (const auto key = group_key(first.synset)) join(*key);
    }
    // Of a topic, the commonest words are enough.
    for (const auto& [key, number] : group_numbers_)
      if (key.above == kTopic) keep_commonest(groups_[number].words, kTopicWords);
  }

  static void keep_commonest(std::map<std::string, long>& words, size_t most) {
    const auto sorted = by_count(words);
    for (size_t k = most; k < sorted.size(); ++k) words.erase(sorted[k].second);
  }

  // Index files have lower case alone; a synset says whether the word has capitals.
  bool is_name(const Lemma& lemma) const {
    const auto has_it = [&](const wordnet::Sense& sense) {
      const auto& words = database_.synsets[sense.synset].words;
      return std::ranges::find(words, lemma.text) != words.end();
    };
    return std::ranges::none_of(lemma.senses, has_it);
  }

  void correct(std::string_view corrections) {
    for (size_t begin = 0, number = 1; begin < corrections.size(); ++number) {
      const size_t end = std::min(corrections.find('\n', begin), corrections.size());
      const std::string_view line = corrections.substr(begin, end - begin);
      if (!line.empty() && !line.starts_with('#')) correct_by(line, number);
      begin = end + 1;
    }
  }

  void correct_by(std::string_view line, size_t number) {
    const auto refuse = [&](std::string_view what) {
      throw DataError(fmt::format("the corrections of the lexicon, line {}: {}", number, what));
    };
    std::vector<std::string> fields;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find('\t', begin), line.size());
      fields.emplace_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (fields.size() == 1) return remove_everywhere(fields[0]);
    if (fields.size() != 5) refuse("there are not five fields (word, part, relation, other, change)");
    const auto part = std::ranges::find(kPartNames, fields[1]);
    if (part == kPartNames.end()) refuse(fmt::format("'{}' is not a part of speech", fields[1]));
    const auto word = words_.find({fields[0], static_cast<PartOfSpeech>(part - kPartNames.begin())});
    if (word == words_.end()) refuse(fmt::format("WordNet does not have '{}' as {}", fields[0], fields[1]));
    if (fields[2] == "alike" && fields[3] == "*" && fields[4] == "remove") {
      word->second.groups.clear();
      return;
    }
    const bool synonym = fields[2] == "synonym";
    if (!synonym && fields[2] != "antonym") refuse(fmt::format("'{}' is not a relation", fields[2]));
    auto& list = synonym ? word->second.synonyms : word->second.antonyms;
    std::erase_if(list, [&](const auto& one) { return one.second == fields[3]; });
    if (fields[4] == "add")
      list.insert(list.begin(), {0, fields[3]});
    else if (fields[4] != "remove")
      refuse(fmt::format("'{}' is neither add nor remove", fields[4]));
  }

  void remove_everywhere(const std::string& word) {
    for (auto& [key, related] : words_)
      for (auto* list : {&related.synonyms, &related.antonyms})
        std::erase_if(*list, [&](const auto& one) { return one.second == word; });
    for (WordGroup& group : groups_) group.words.erase(word);
  }

  const wordnet::Database& database_;
  std::map<Key, const Lemma*> lemmas_;
  std::set<size_t> unwanted_, compared_;  // synsets; compared: "better", "best"
  std::map<GroupKey, std::uint32_t> group_numbers_;
  std::vector<WordGroup> groups_;
  std::map<Key, RelatedWord> words_;
};

}  // namespace

bool is_plain_word(std::string_view word) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (word.empty() || word.size() > 40 || !letter(word.front()) || !letter(word.back())) return false;
  return std::ranges::all_of(word, [&](char c) { return letter(c) || c == '-' || c == '\''; });
}

WordSelection select_words(const wordnet::Database& database, std::string_view corrections) {
  return Selector(database, corrections).take();
}

}  // namespace wordsway
