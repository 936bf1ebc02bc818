#include "wordsway/text/corpus/text_selection.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/random_order.h"

namespace wordsway {
namespace {

constexpr Index kBlock = 256;  // texts tokenized at once; a constant, so that threads cannot matter

/// How many texts of each label may still be taken.
class Quotas {
 public:
  Quotas(const std::vector<LabelledText>& corpus, const SelectionOptions& options) : balanced_(options.balanced) {
    for (const LabelledText& text : corpus) {
      if (balanced_ && text.label) left_[*text.label] = 0;
    }
    if (!balanced_) left_[0] = 0;
    Index remaining = options.count.value_or(0);
    Index shares = static_cast<Index>(left_.size());
    for (auto& [label, left] : left_) {
      left = (remaining + shares - 1) / shares;
      remaining -= left;
      --shares;
    }
  }

  bool wants(const LabelledText& text) const {
    if (!balanced_) return left_.at(0) > 0;
    return text.label && left_.at(*text.label) > 0;
  }
  void take(const LabelledText& text) { --left_[balanced_ ? *text.label : 0]; }
  bool done() const {
    return std::all_of(left_.begin(), left_.end(), [](const auto& entry) { return entry.second == 0; });
  }

 private:
  bool balanced_;
  std::map<int, Index> left_;
};

/// The indices, in the drawn order, of texts that are short enough; stops once `enough` says so.
template <typename Use>
void walk_short_texts(const std::vector<LabelledText>& corpus, const Tokenizer& tokenizer, const Stream& stream,
                      const SelectionOptions& options, const Use& use) {
  const std::vector<Index> order =
      random_order(stream, static_cast<Index>(corpus.size()), static_cast<Index>(corpus.size()));
  const Blocks blocks{static_cast<Index>(order.size()), kBlock};
  std::vector<Index> tokens(kBlock);
  for (Index block = 0; block < blocks.count(); ++block) {
    parallel_for(blocks.length(block), [&](Index i) {
      tokens[i] = tokenizer.count_tokens(corpus[order[blocks.begin(block) + i]].text, options.special_tokens);
    });
    for (Index i = 0; i < blocks.length(block); ++i) {
      if (tokens[i] < options.max_tokens && !use(order[blocks.begin(block) + i])) return;
    }
  }
}

/// As many texts of every label as the rarest label has.
Index largest_balanced_count(const std::vector<LabelledText>& corpus, const std::vector<Index>& candidates) {
  std::map<int, Index> counts;
  for (const LabelledText& text : corpus) {
    if (text.label) counts[*text.label] = 0;
  }
  for (const Index i : candidates) {
    if (corpus[i].label) ++counts[*corpus[i].label];
  }
  if (counts.empty()) return 0;
  const auto rarest =
      std::min_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return rarest->second * static_cast<Index>(counts.size());
}

[[noreturn]] void too_few(std::size_t found, const SelectionOptions& options) {
  throw DataError(fmt::format("the corpus has only {}{} texts with fewer than {} tokens; asked for {}", found,
                              options.balanced ? " usable labelled" : "", options.max_tokens, *options.count));
}

std::vector<LabelledText> take(const std::vector<LabelledText>& corpus, const std::vector<Index>& candidates,
                               const SelectionOptions& options) {
  std::vector<LabelledText> taken;
  Quotas quotas(corpus, options);
  for (const Index i : candidates) {
    if (!quotas.wants(corpus[i])) continue;
    quotas.take(corpus[i]);
    taken.push_back(corpus[i]);
  }
  if (static_cast<Index>(taken.size()) < *options.count) too_few(taken.size(), options);
  return taken;
}

}  // namespace

std::vector<LabelledText> select_texts(const std::vector<LabelledText>& corpus, const Tokenizer& tokenizer,
                                       const Stream& stream, const SelectionOptions& options) {
  if (options.count && *options.count < 1) {
    throw UsageError(fmt::format("cannot select {} texts; expected at least 1", *options.count));
  }
  std::vector<Index> candidates;
  Quotas quotas(corpus, options);
  walk_short_texts(corpus, tokenizer, stream, options, [&](Index i) {
    candidates.push_back(i);
    if (!options.count) return true;
    if (quotas.wants(corpus[i])) quotas.take(corpus[i]);
    return !quotas.done();
  });
  SelectionOptions exact = options;
  if (!options.count) {
    exact.count = options.balanced ? largest_balanced_count(corpus, candidates) : static_cast<Index>(candidates.size());
  }
  return take(corpus, candidates, exact);
}

}  // namespace wordsway
