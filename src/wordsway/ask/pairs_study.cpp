#include "wordsway/ask/pairs_study.h"

#include <algorithm>
#include <cmath>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr Index kItemsOfTask = 512;  // pair_similarities keeps the vectors of this many pairs at a time
constexpr Index kUsualTokens = 16;   // tokens of a text, for estimates

Record row_of(const PairSimilarity& found) {
  std::vector<double> shares;
  for (const std::optional<double>& share : found.own_share) shares.push_back(share.value_or(std::nan("")));
  return {{"changed", found.changed},
          {"control", optional_value(found.control)},
          {"by_step", found.by_step},
          {"control_by_step", found.control_by_step},
          {"own_share", shares}};
}

PairSimilarity similarity_of(const Record& row) {
  PairSimilarity found;
  found.changed = row.number("changed");
  if (!row.missing("control")) found.control = row.number("control");
  found.by_step = row.numbers("by_step");
  found.control_by_step = row.numbers("control_by_step");
  for (const double share : row.numbers("own_share"))
    found.own_share.push_back(std::isnan(share) ? std::nullopt : std::optional(share));
  return found;
}

void require_all(const std::vector<Record>& rows) {
  const auto failed = std::ranges::find_if(rows, is_failed);
  if (failed != rows.end()) throw DataError(failed->text("failure"));
}

}  // namespace

PairsStudy::PairsStudy(std::shared_ptr<const Model> model, std::vector<TextPair> pairs, std::vector<std::string> texts,
                       EncodedByText encoded, std::string name, std::string prompt, Progress progress)
    : model_(std::move(model)),
      pairs_(std::move(pairs)),
      texts_(std::move(texts)),
      encoded_(std::move(encoded)),
      name_(std::move(name)),
      prompt_(std::move(prompt)),
      progress_(std::move(progress)) {}

Index PairsStudy::items() const {
  return static_cast<Index>(pairs_.empty() ? texts_.size() : pairs_.size());
}

Index PairsStudy::begin(Index task) const {
  return task * kItemsOfTask;
}

Record PairsStudy::config() const {
  return {{"model", model_->transformer->name()},
          {"pairs_from", name_},
          {"compared", pairs_.empty() ? "all texts" : "pairs"},
          {"items", std::int64_t{items()}},
          {"prompt", prompt_}};
}

StudyContent PairsStudy::content() const {
  Record content = content_of(*model_);
  Digest digest;
  for (const TextPair& pair : pairs_) {
    digest.add(pair.anchor);
    digest.add(pair.changed);
    digest.add(pair.control.value_or(""));
  }
  for (const std::string& text : texts_) digest.add(text);
  content.set("texts", digest.text());
  return {content, {{"model"}, {"pairs_from"}}};
}

Index PairsStudy::size() const {
  return (items() + kItemsOfTask - 1) / kItemsOfTask;
}

Index PairsStudy::row_count(Index task) const {
  return std::min(kItemsOfTask, items() - begin(task));
}

// Each pair holds the vectors of three texts after every step.
double PairsStudy::memory_bytes(Index task) const {
  const ModelConfig& config = model_->transformer->config();
  return 3.0 * sizeof(float) * static_cast<double>(row_count(task)) * static_cast<double>(config.layers + 3) *
         static_cast<double>(config.hidden_size);
}

double PairsStudy::work(Index task) const {
  const ModelConfig& config = model_->transformer->config();
  return static_cast<double>(row_count(task)) * (pairs_.empty() ? 1 : 3) *
         config.forward_flops(kUsualTokens, std::max<Index>(1, config.layers));
}

std::vector<Record> PairsStudy::run(Index task) const {
  const Index first = begin(task), count = row_count(task);
  const Progress progress = size() == 1 ? progress_ : Progress();
  std::vector<Record> rows;
  rows.reserve(static_cast<size_t>(count));
  const auto add = [&](Index item, const Record& found) {
    rows.push_back(key(task));
    rows.back().set("item", std::int64_t{first + item});
    rows.back().merge(found);
  };
  const auto offset = static_cast<size_t>(first), length = static_cast<size_t>(count);
  if (!pairs_.empty()) {
    const auto found =
        pair_similarities(*model_, std::span(pairs_).subspan(offset, length), prompt_, encoded_, progress);
    for (Index k = 0; k < count; ++k) add(k, row_of(found[static_cast<size_t>(k)]));
    return rows;
  }
  const Matrix units = unit_vectors(*model_, std::span(texts_).subspan(offset, length), prompt_, encoded_, progress);
  for (Index k = 0; k < count; ++k) {
    const auto row = units.row(k);
    add(k, {{"vector", std::vector<double>(row.data(), row.data() + row.size())}});
  }
  return rows;
}

std::vector<PairSimilarity> PairsStudy::similarities(const std::vector<Record>& rows) const {
  require_all(rows);
  std::vector<PairSimilarity> result;
  result.reserve(rows.size());
  for (const Record& row : rows) result.push_back(similarity_of(row));
  return result;
}

Matrix PairsStudy::vectors(const std::vector<Record>& rows) const {
  require_all(rows);
  Matrix units;
  for (size_t k = 0; k < rows.size(); ++k) {
    const std::vector<double> row = rows[k].numbers("vector");
    if (k == 0) units.resize(static_cast<Index>(rows.size()), static_cast<Index>(row.size()));
    units.row(static_cast<Index>(k)) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), units.cols());
  }
  return units;
}

}  // namespace wordsway
