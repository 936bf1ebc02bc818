#include "wordsway/text/corpus/token_counts.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

std::unordered_set<int> tokens_with_a_role(const Tokenizer& tokenizer) {
  const std::vector<int> of_template = tokenizer.encode("").ids;
  std::unordered_set<int> roles(of_template.begin(), of_template.end());
  const SpecialIds& special = tokenizer.special_ids();
  for (const auto& id : {special.mask, special.padding, special.unknown, special.classification, special.separator,
                         special.begin_of_text, special.end_of_text})
    if (id) roles.insert(*id);
  return roles;
}

}  // namespace

DrawnTokens DrawnTokens::without_the_rest() const {
  DrawnTokens result;
  std::vector<Index> place(ids.size(), -1);
  for (const Index k : drawn) {
    Index& now = place[static_cast<size_t>(k)];
    if (now < 0) {
      now = static_cast<Index>(result.ids.size());
      result.ids.push_back(ids[static_cast<size_t>(k)]);
    }
    result.drawn.push_back(now);
  }
  return result;
}

TokenCounts::TokenCounts(const Tokenizer& tokenizer, std::span<const std::vector<int>> texts) {
  const std::unordered_set<int> roles = tokens_with_a_role(tokenizer);
  std::map<int, Index> counts;
  for (const std::vector<int>& text : texts)
    for (const int id : text) ++counts[id];
  std::vector<std::pair<int, Index>> found;
  for (const auto& entry : counts)
    if (!roles.contains(entry.first)) found.emplace_back(entry);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [id, count] : found) {
    ids_.push_back(id);
    counts_.push_back(count);
  }
}

DrawnTokens TokenCounts::draw(int own, Index most, Index count, const Stream& stream) const {
  DrawnTokens result;
  std::vector<double> ends;  // how many occurrences there are up to each, itself included
  for (size_t k = 0; k < ids_.size() && static_cast<Index>(result.ids.size()) < most; ++k) {
    if (ids_[k] == own) continue;
    result.ids.push_back(ids_[k]);
    ends.push_back((ends.empty() ? 0 : ends.back()) + static_cast<double>(counts_[k]));
  }
  if (ends.empty()) throw DataError("the texts have no other word to put in the place of a token");
  for (Index k = 0; k < count; ++k) {
    const double at = stream.uniform(static_cast<std::uint64_t>(k)) * ends.back();
    const auto found = std::upper_bound(ends.begin(), ends.end() - 1, at);
    result.drawn.push_back(found - ends.begin());
  }
  return result;
}

}  // namespace wordsway
