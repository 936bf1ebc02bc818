#include "wordsway/audit/pairs.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "wordsway/audit/embed.h"
#include "wordsway/core/cosine.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

constexpr size_t kPairsAtOnce = 512;  // their vectors after every step are kept at a time

std::vector<double> cosines(const std::vector<RowF>& a, const std::vector<RowF>& b) {
  std::vector<double> result;
  result.reserve(a.size());
  for (size_t k = 0; k < a.size(); ++k) result.push_back(cosine_of(a[k], b[k]));
  return result;
}

// Texts, each once, by the order of their first use.
class TextIndex {
 public:
  size_t add(const std::string& text) {
    const auto [place, is_new] = index_.emplace(text, texts_.size());
    if (is_new) texts_.push_back(text);
    return place->second;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, size_t> index_;
  std::vector<std::string> texts_;
};

struct PairTexts {
  size_t anchor, changed;
  std::optional<size_t> control;
};

PairTexts add_texts(TextIndex& index, const TextPair& pair) {
  PairTexts texts{index.add(pair.anchor), index.add(pair.changed), {}};
  if (pair.control) texts.control = index.add(*pair.control);
  return texts;
}

// Rows of a text that another one does not have: what is left between the ids that both begin and end with.
struct OwnRows {
  Index begin, end_first, end_second;
};

OwnRows own_rows(const Encoding& first, const Encoding& second) {
  const Index shorter = std::min(first.size(), second.size());
  const auto id = [](const Encoding& encoding, Index k) { return encoding.ids[static_cast<size_t>(k)]; };
  Index begin = 0, tail = 0;
  while (begin < shorter && id(first, begin) == id(second, begin)) ++begin;
  while (begin + tail < shorter && id(first, first.size() - 1 - tail) == id(second, second.size() - 1 - tail)) ++tail;
  return {begin, first.size() - tail, second.size() - tail};
}

// What to compute for a text besides its vectors: the contribution of some of its rows to the pooled vector.
struct PartRequest {
  size_t pair, side;  // 0: the anchor's, 1: the changed text's
  Index begin, end;
};

// In messages a text is quoted.
std::vector<LabelledText> labelled_texts(std::span<const std::string> texts) {
  std::vector<LabelledText> labelled;
  labelled.reserve(texts.size());
  for (const std::string& text : texts) labelled.push_back({text, std::nullopt, "'" + text + "'"});
  return labelled;
}

// The encodings of texts: those that are known, or new ones.
std::vector<Encoding> encodings_of(const Model& model, std::span<const std::string> texts, const std::string& prompt,
                                   const EncodedByText* encoded) {
  if (encoded == nullptr) return encode_texts(model, labelled_texts(texts), {.prompt = prompt});
  std::vector<Encoding> encodings;
  encodings.reserve(texts.size());
  for (const std::string& text : texts) encodings.push_back(encoded->at(text));
  return encodings;
}

// Runs the texts of some pairs through a model.
class PairEncoder {
 public:
  PairEncoder(const Model& model, std::span<const TextPair> pairs, const std::string& prompt,
              const EncodedByText* encoded)
      : model_(model), chain_(model.transformer->sentence_chain()), first_pooled_(unpooled_tokens(model, prompt)) {
    for (const TextPair& pair : pairs) texts_.push_back(add_texts(index_, pair));
    encodings_ = encodings_of(model, index_.texts(), prompt, encoded);
    vectors_.resize(encodings_.size());
    ask_for_parts();
  }

  void run() {
    for_each_hidden_states(model_, encodings_, [&](size_t text, const std::vector<MatrixF>& states, Index row) {
      follow(text, states, row);
    });
  }

  PairSimilarity similarity(size_t pair) const {
    const PairTexts& texts = texts_[pair];
    const std::vector<RowF>&anchor = vectors_[texts.anchor], &changed = vectors_[texts.changed];
    PairSimilarity result;
    result.by_step = cosines(anchor, changed);
    result.changed = result.by_step.back();
    if (texts.control) {
      result.control_by_step = cosines(anchor, vectors_[*texts.control]);
      result.control = result.control_by_step.back();
    }
    const auto& [of_anchor, of_changed] = parts_[pair];
    for (size_t layer = 0; layer < of_anchor.size(); ++layer) {
      const Eigen::RowVectorXd whole = (changed[layer] - anchor[layer]).cast<double>(),
                               own = (of_changed[layer] - of_anchor[layer]).cast<double>();
      const double squares = whole.squaredNorm();
      result.own_share.push_back(squares > 0 ? std::optional(own.dot(whole) / squares) : std::nullopt);
    }
    return result;
  }

 private:
  void ask_for_parts() {
    asked_.resize(encodings_.size());
    parts_.resize(texts_.size());
    if (std::ranges::find(chain_.modes, PoolingMode::kMax) != chain_.modes.end()) return;  // not a sum
    for (size_t pair = 0; pair < texts_.size(); ++pair) {
      const auto [anchor, changed, control] = texts_[pair];
      const OwnRows rows = own_rows(encodings_[anchor], encodings_[changed]);
      asked_[anchor].push_back({pair, 0, rows.begin, rows.end_first});
      asked_[changed].push_back({pair, 1, rows.begin, rows.end_second});
    }
  }

  void follow(size_t text, const std::vector<MatrixF>& states, Index row) {
    const Index n = encodings_[text].size();
    std::vector<RowF>& vectors = vectors_[text];
    for (const MatrixF& state : states) {
      vectors.push_back(chain_.pool(state.middleRows(row, n), {}, first_pooled_));
      for (const PartRequest& part : asked_[text]) {
        MatrixF alone = MatrixF::Zero(n, state.cols());
        alone.middleRows(part.begin, part.end - part.begin) = state.middleRows(row + part.begin, part.end - part.begin);
        parts_[part.pair][part.side].push_back(chain_.pool(alone, {}, first_pooled_));
      }
    }
    for (RowF& output : chain_.after_modules(vectors.back())) vectors.push_back(std::move(output));
    if (!vectors.back().allFinite())
      throw DataError(fmt::format("{}: the vector of '{}' holds a number that is not finite",
                                  model_.transformer->name(), index_.texts()[text]));
  }

  const Model& model_;
  const SentenceChain& chain_;
  Index first_pooled_;
  TextIndex index_;
  std::vector<PairTexts> texts_;
  std::vector<Encoding> encodings_;
  std::vector<std::vector<PartRequest>> asked_;          // by text
  std::vector<std::vector<RowF>> vectors_;               // by text and step
  std::vector<std::array<std::vector<RowF>, 2>> parts_;  // by pair, side and layer
};

}  // namespace

std::vector<std::string> similarity_steps(const Transformer& transformer) {
  std::vector<std::string> steps = {"embedding"};
  for (Index layer = 1; layer <= transformer.config().layers; ++layer) steps.push_back(fmt::format("layer {}", layer));
  for (std::string& name : transformer.sentence_chain().module_names()) steps.push_back(std::move(name));
  return steps;
}

namespace {

std::vector<PairSimilarity> similarities_of(const Model& model, std::span<const TextPair> pairs,
                                            const std::string& prompt, const EncodedByText* encoded,
                                            const Progress& progress) {
  std::vector<PairSimilarity> result;
  result.reserve(pairs.size());
  for (size_t begin = 0; begin < pairs.size(); begin += kPairsAtOnce) {
    const auto some = pairs.subspan(begin, std::min(kPairsAtOnce, pairs.size() - begin));
    PairEncoder encoder(model, some, prompt, encoded);
    encoder.run();
    for (size_t pair = 0; pair < some.size(); ++pair) result.push_back(encoder.similarity(pair));
    if (progress) progress({"pairs", static_cast<double>(result.size()), static_cast<double>(pairs.size())});
  }
  return result;
}

Matrix unit_vectors_of(const Model& model, std::span<const std::string> texts, const std::string& prompt,
                       const EncodedByText* encoded, const Progress& progress) {
  EmbedOptions options;
  options.output =
      ModelOutput{model.transformer->config().layers, readout_named("pooled"), unpooled_tokens(model, prompt)};
  Matrix result(static_cast<Index>(texts.size()), embedding_size(*model.transformer, options));
  ProgressCounter counter(progress, "texts", static_cast<double>(texts.size()));
  for_each_embedding(model, labelled_texts(texts), encodings_of(model, texts, prompt, encoded), options,
                     [&](size_t t, const MatrixF& vector) {
                       const Eigen::RowVectorXd row = vector.row(0).cast<double>();
                       result.row(static_cast<Index>(t)) = row / std::max(row.norm(), 1e-300);
                       counter.step();
                     });
  return result;
}

}  // namespace

std::vector<PairSimilarity> pair_similarities(const Model& model, std::span<const TextPair> pairs,
                                              const std::string& prompt, const Progress& progress) {
  return similarities_of(model, pairs, prompt, nullptr, progress);
}

std::vector<PairSimilarity> pair_similarities(const Model& model, std::span<const TextPair> pairs,
                                              const std::string& prompt, const EncodedByText& encoded,
                                              const Progress& progress) {
  return similarities_of(model, pairs, prompt, &encoded, progress);
}

std::vector<std::string> distinct_texts(std::span<const TextPair> pairs) {
  TextIndex index;
  for (const TextPair& pair : pairs) add_texts(index, pair);
  return index.texts();
}

std::vector<PairSimilarity> pair_similarities(std::span<const TextPair> pairs, const Matrix& vectors) {
  TextIndex index;
  std::vector<PairTexts> texts;
  texts.reserve(pairs.size());
  for (const TextPair& pair : pairs) texts.push_back(add_texts(index, pair));
  const Matrix units = unit_vectors(vectors, static_cast<Index>(index.texts().size()));
  const auto similarity = [&](size_t a, size_t b) {
    return std::clamp(units.row(static_cast<Index>(a)).dot(units.row(static_cast<Index>(b))), -1.0, 1.0);
  };
  std::vector<PairSimilarity> result;
  result.reserve(pairs.size());
  for (const PairTexts& pair : texts) {
    result.push_back({similarity(pair.anchor, pair.changed)});
    if (pair.control) result.back().control = similarity(pair.anchor, *pair.control);
  }
  return result;
}

Matrix unit_vectors(const Model& model, std::span<const std::string> texts, const std::string& prompt,
                    const Progress& progress) {
  return unit_vectors_of(model, texts, prompt, nullptr, progress);
}

Matrix unit_vectors(const Model& model, std::span<const std::string> texts, const std::string& prompt,
                    const EncodedByText& encoded, const Progress& progress) {
  return unit_vectors_of(model, texts, prompt, &encoded, progress);
}

Matrix unit_vectors(const Matrix& vectors, Index texts) {
  if (vectors.rows() != texts) throw DataError(fmt::format("there are {} vectors for {} texts", vectors.rows(), texts));
  Matrix result = vectors;
  for (Index row = 0; row < result.rows(); ++row) {
    const double norm = result.row(row).norm();
    if (!(norm > 0 && std::isfinite(norm)))
      throw DataError(fmt::format("vector {} (counted from 0) is {}", row, norm == 0 ? "zero" : "not finite"));
    result.row(row) /= norm;
  }
  return result;
}

}  // namespace wordsway
