#include "wordsway/text/lexicon/wordnet.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"

namespace wordsway::wordnet {
namespace {

constexpr std::array<const char*, 4> kSuffixes = {"noun", "verb", "adj", "adv"};
constexpr std::uintmax_t kMostBytes = std::uintmax_t{100} << 20;  // of a file; those of WordNet 3.0 have up to 15 MB
constexpr char kSatellite = 's';

[[noreturn]] void refuse(const std::string& file, std::uint64_t line, std::string_view what) {
  throw DataError(fmt::format("WordNet's {}, line {}: {}", file, line, what));
}

std::optional<PartOfSpeech> part_of(char letter) {
  switch (letter) {
    case 'n':
      return PartOfSpeech::kNoun;
    case 'v':
      return PartOfSpeech::kVerb;
    case 'a':
    case kSatellite:
      return PartOfSpeech::kAdjective;
    case 'r':
      return PartOfSpeech::kAdverb;
    default:
      return std::nullopt;
  }
}

// The fields of one line, which spaces separate.
class Fields {
 public:
  Fields(const std::string& file, std::uint64_t number, std::string_view line)
      : file_(file), number_(number), rest_(line) {}

  std::string_view text(const char* what) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    if (rest_.empty()) fail(fmt::format("{} is missing", what));
    const std::string_view field = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(field.size());
    return field;
  }

  bool more() const { return rest_.find_first_not_of(' ') != std::string_view::npos; }

  std::uint64_t number(const char* what, int base = 10, std::uint64_t most = std::uint64_t{1} << 40) {
    const std::string_view field = text(what);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value, base);
    if (error != std::errc{} || end != field.data() + field.size() || value > most)
      fail(fmt::format("{} is '{}', not a number up to {}", what, field.substr(0, 40), most));
    return value;
  }

  PartOfSpeech part(const char* what) {
    const std::string_view field = text(what);
    const auto found = field.size() == 1 ? part_of(field.front()) : std::nullopt;
    if (!found) fail(fmt::format("{} is '{}', not one of n, v, a, s and r", what, field.substr(0, 40)));
    return *found;
  }

  [[noreturn]] void fail(std::string_view what) const { refuse(file_, number_, what); }

 private:
  const std::string& file_;
  std::uint64_t number_;
  std::string_view rest_;
};

// Calls visit(fields, offset) for every line that is not of the licence, which begins with two spaces.
template <typename Visit>
void for_each_line(const std::string& file, std::string_view content, const Visit& visit) {
  std::uint64_t number = 0;
  for (size_t begin = 0; begin < content.size();) {
    const size_t end = std::min(content.find('\n', begin), content.size());
    const std::string_view line = content.substr(begin, end - begin);
    ++number;
    if (!line.empty() && !line.starts_with("  ")) {
      Fields fields(file, number, line);
      visit(fields, begin);
    }
    begin = end + 1;
  }
}

class Parser {
 public:
  explicit Parser(const Files& files) : files_(files) {}

  Database parse() {
    for (size_t part = 0; part < 4; ++part) number_synsets(part);
    for (size_t part = 0; part < 4; ++part) read_synsets(part);
    check_links();
    read_counts();
    for (size_t part = 0; part < 4; ++part) read_index(part);
    for (size_t part = 0; part < 4; ++part) read_forms(part);
    std::ranges::sort(found_.lemmas, [](const Lemma& a, const Lemma& b) {
      return a.text != b.text ? a.text < b.text : a.part < b.part;
    });
    return std::move(found_);
  }

 private:
  static std::string name(const char* kind, size_t part) { return fmt::format("{}.{}", kind, kSuffixes[part]); }

  // Links may lead forwards, so every offset needs a number first.
  void number_synsets(size_t part) {
    const std::string file = name("data", part);
    for_each_line(file, files_.data[part], [&](Fields& fields, size_t begin) {
      if (fields.number("the offset") != begin)
        fields.fail(fmt::format("the offset is not that of the line, {}", begin));
      numbers_[part].emplace(begin, count_++);
    });
  }

  size_t synset_at(PartOfSpeech part, std::uint64_t offset, const Fields& fields) const {
    const auto& numbers = numbers_[static_cast<size_t>(part)];
    const auto found = numbers.find(offset);
    if (found == numbers.end())
      fields.fail(fmt::format("no synset of data.{} begins at {}", kSuffixes[static_cast<size_t>(part)], offset));
    return found->second;
  }

  void read_synsets(size_t part) {
    const std::string file = name("data", part);
    for_each_line(file, files_.data[part], [&](Fields& fields, size_t) {
      Synset synset;
      fields.text("the offset");
      synset.topic = static_cast<int>(fields.number("the lexicographer file", 10, 99));
      const std::string_view type = fields.text("the type");
      if (type.size() != 1 || part_of(type.front()) != static_cast<PartOfSpeech>(part))
        fields.fail(fmt::format("'{}' is not the type of a synset of this file", type.substr(0, 40)));
      synset.part = static_cast<PartOfSpeech>(part);
      synset.is_satellite = type.front() == kSatellite;
      const auto words = fields.number("the number of words", 16, 255);
      for (std::uint64_t k = 0; k < words; ++k) {
        std::string_view word = fields.text("a word");
        fields.text("a word's lexical number");
        if (part == static_cast<size_t>(PartOfSpeech::kAdjective)) word = word.substr(0, word.find('('));
        synset.words.emplace_back(word);
      }
      const auto links = fields.number("the number of links", 10, 999);
      for (std::uint64_t k = 0; k < links; ++k) synset.links.push_back(read_link(fields));
      if (part == static_cast<size_t>(PartOfSpeech::kVerb)) read_frames(fields, synset);
      found_.synsets.push_back(std::move(synset));
    });
  }

  Link read_link(Fields& fields) {
    const std::string_view symbol = fields.text("a link's symbol");
    const std::uint64_t offset = fields.number("a link's offset");
    const PartOfSpeech part = fields.part("a link's part of speech");
    const auto words = static_cast<int>(fields.number("a link's words", 16, 0xffff));
    return {symbol[0], symbol.size() > 1 ? symbol[1] : '\0', synset_at(part, offset, fields), words >> 8, words & 0xff};
  }

  static void read_frames(Fields& fields, Synset& synset) {
    const auto frames = fields.number("the number of frames", 10, 99);
    for (std::uint64_t k = 0; k < frames; ++k) {
      fields.text("a frame's '+'");
      const auto frame = static_cast<int>(fields.number("a frame", 10, 99));
      if (fields.number("a frame's word", 16, 255) == 0) synset.frames.push_back(frame);
    }
    std::ranges::sort(synset.frames);
  }

  void check_links() const {
    for (const Synset& synset : found_.synsets)
      for (const Link& link : synset.links) {
        const auto here = static_cast<int>(synset.words.size());
        const auto there = static_cast<int>(found_.synsets[link.synset].words.size());
        if (link.from > here || link.to > there)
          throw DataError(
              fmt::format("WordNet's data.{}: the synset of '{}' links words {} and {}, and there are {} and {}",
                          kSuffixes[static_cast<size_t>(synset.part)], synset.words.empty() ? "" : synset.words.front(),
                          link.from, link.to, here, there));
      }
  }

  // Lines "lemma%1:06:00:: 3 17": the third sense of a noun was tagged 17 times.
  void read_counts() {
    for_each_line("cntlist.rev", files_.counts, [&](Fields& fields, size_t) {
      const std::string_view key = fields.text("the sense key");
      const size_t mark = key.rfind('%');
      if (mark == std::string_view::npos || mark + 1 >= key.size() || key[mark + 1] < '1' || key[mark + 1] > '5')
        fields.fail(fmt::format("'{}' is not a sense key", key.substr(0, 40)));
      const auto kind = static_cast<size_t>(key[mark + 1] - '1');
      const auto part = static_cast<PartOfSpeech>(kind == 4 ? 2 : kind);
      const auto sense = fields.number("the sense's number", 10, 999);
      if (sense == 0) fields.fail("the sense's number is 0");
      counts_[{std::string(key.substr(0, mark)), part, sense}] =
          static_cast<long>(fields.number("the count", 10, 1 << 30));
    });
  }

  void read_index(size_t part) {
    const std::string file = name("index", part);
    for_each_line(file, files_.index[part], [&](Fields& fields, size_t) {
      Lemma lemma;
      lemma.text = fields.text("the lemma");
      lemma.part = fields.part("the part of speech");
      if (lemma.part != static_cast<PartOfSpeech>(part)) fields.fail("the part of speech is not that of the file");
      const auto senses = fields.number("the number of senses", 10, 999);
      const auto symbols = fields.number("the number of symbols", 10, 99);
      for (std::uint64_t k = 0; k < symbols; ++k) fields.text("a symbol");
      fields.number("the number of senses", 10, 999);
      fields.number("the number of tagged senses", 10, 999);
      for (std::uint64_t k = 1; k <= senses; ++k) {
        const auto count = counts_.find({lemma.text, lemma.part, k});
        lemma.senses.push_back({synset_at(lemma.part, fields.number("a sense's offset"), fields),
                                count == counts_.end() ? 0 : count->second});
      }
      if (lemma.senses.empty()) fields.fail(fmt::format("'{}' has no sense", lemma.text.substr(0, 40)));
      found_.lemmas.push_back(std::move(lemma));
    });
  }

  // Lines "bought buy", the form before what it may be a form of.
  void read_forms(size_t part) {
    const std::string file = fmt::format("{}.exc", kSuffixes[part]);
    for_each_line(file, files_.exceptions[part], [&](Fields& fields, size_t) {
      const std::string_view form = fields.text("the form");
      do {
        found_.forms.push_back(
            {std::string(form), std::string(fields.text("the lemma")), static_cast<PartOfSpeech>(part)});
      } while (fields.more());
    });
  }

  using SenseKey = std::tuple<std::string, PartOfSpeech, std::uint64_t>;  // lemma, part, number of the sense

  const Files& files_;
  std::array<std::unordered_map<std::uint64_t, size_t>, 4> numbers_;
  size_t count_ = 0;
  std::map<SenseKey, long> counts_;
  Database found_;
};

}  // namespace

Files read_files(const std::filesystem::path& folder) {
  Files files;
  for (size_t part = 0; part < 4; ++part) {
    files.index[part] = read_small_file(folder / fmt::format("index.{}", kSuffixes[part]), kMostBytes);
    files.data[part] = read_small_file(folder / fmt::format("data.{}", kSuffixes[part]), kMostBytes);
    files.exceptions[part] = read_small_file(folder / fmt::format("{}.exc", kSuffixes[part]), kMostBytes);
  }
  files.counts = read_small_file(folder / "cntlist.rev", kMostBytes);
  return files;
}

Database parse(const Files& files) {
  return Parser(files).parse();
}

}  // namespace wordsway::wordnet
