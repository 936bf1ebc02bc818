#include "wordsway/text/words/word_diff.h"

#include <algorithm>
#include <span>

namespace wordsway {
namespace {

struct SpacedWord {
  std::string_view whole;  // with the punctuation around it: what is compared
  TextPlace place{};       // without it
};

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_edge(char c) {
  return std::string_view(".,;:!?\"()[]{}'").find(c) != std::string_view::npos;
}

std::vector<SpacedWord> spaced_words(std::string_view text) {
  std::vector<SpacedWord> words;
  for (size_t begin = 0; begin < text.size();) {
    if (is_space(text[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < text.size() && !is_space(text[end])) ++end;
    TextPlace place = {begin, end};
    while (place[0] < place[1] && is_edge(text[place[0]])) ++place[0];
    while (place[0] < place[1] && is_edge(text[place[1] - 1])) --place[1];
    if (place[0] == place[1]) place = {begin, end};  // nothing but punctuation
    words.push_back({text.substr(begin, end - begin), place});
    begin = end;
  }
  return words;
}

constexpr size_t kMostCells = 4'000'000;  // of the table below; longer texts differ from their first to last difference

// shared[i][j]: the longest common sequence of the words from i and from j on.
WordDiff diff_between(std::span<const SpacedWord> a, std::span<const SpacedWord> b) {
  WordDiff diff;
  const size_t columns = b.size() + 1;
  if ((a.size() + 1) * columns > kMostCells) {
    for (const SpacedWord& word : a) diff.in_first.push_back(word.place);
    for (const SpacedWord& word : b) diff.in_second.push_back(word.place);
    return diff;
  }
  std::vector<int> shared((a.size() + 1) * columns, 0);
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      shared[i * columns + j] = a[i].whole == b[j].whole
                                    ? 1 + shared[(i + 1) * columns + j + 1]
                                    : std::max(shared[(i + 1) * columns + j], shared[i * columns + j + 1]);
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i].whole == b[j].whole) {
      ++i, ++j;
    } else if (j == b.size() || (i < a.size() && shared[(i + 1) * columns + j] >= shared[i * columns + j + 1])) {
      diff.in_first.push_back(a[i++].place);
    } else {
      diff.in_second.push_back(b[j++].place);
    }
  }
  return diff;
}

}  // namespace

WordDiff word_diff(std::string_view first, std::string_view second) {
  const std::vector<SpacedWord> a = spaced_words(first), b = spaced_words(second);
  size_t begin = 0, end_a = a.size(), end_b = b.size();
  while (begin < std::min(end_a, end_b) && a[begin].whole == b[begin].whole) ++begin;
  while (end_a > begin && end_b > begin && a[end_a - 1].whole == b[end_b - 1].whole) --end_a, --end_b;
  return diff_between(std::span(a).subspan(begin, end_a - begin), std::span(b).subspan(begin, end_b - begin));
}

std::vector<std::string> changed_words(std::string_view first, std::string_view second) {
  const WordDiff diff = word_diff(first, second);
  std::vector<std::string> words;
  for (const TextPlace& place : diff.in_first) words.emplace_back(first.substr(place[0], place[1] - place[0]));
  for (const TextPlace& place : diff.in_second) words.emplace_back(second.substr(place[0], place[1] - place[0]));
  return words;
}

}  // namespace wordsway
