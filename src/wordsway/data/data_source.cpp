#include "wordsway/data/data_source.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/random_order.h"
#include "wordsway/random/stream.h"

namespace wordsway {

ReplacementWords DataSource::replacement_words(const TokenPlace& /*place*/, Index /*count*/,
                                               const Stream& /*stream*/) const {
  throw UsageError("the data " + name() + " have no words that could stand in for a token");
}

namespace {

class SyntheticSource final : public DataSource {
 public:
  SyntheticSource(std::string name, NamedLaw law, std::uint64_t seed)
      : name_(std::move(name)), law_(law), seed_(seed) {}

  std::string name() const override { return name_; }
  Record content() const override { return {{"data", name_}}; }

  Matrix sample(Index n, Index d, std::uint64_t trial) const override {
    return law_.law->sample(draw_of(stream_of(n, d, trial).derive("tokens"), n, {n, d, trial, 0}));
  }

  // New tokens of the same law; those of a trial share what its sample has in common.
  ReplacementWords replacement_words(const TokenPlace& place, Index count, const Stream& stream) const override {
    ReplacementWords words;
    const LawDraw draw = draw_of(stream, count, place);
    words.rows = law_.law->words ? law_.law->words(draw) : law_.law->sample(draw);
    words.drawn.resize(static_cast<size_t>(count));
    std::iota(words.drawn.begin(), words.drawn.end(), Index{0});
    return words;
  }

 private:
  Stream stream_of(Index n, Index d, std::uint64_t trial) const {
    const auto size = [](Index value) { return static_cast<std::uint64_t>(value); };
    return Stream(seed_).derive("data").derive(size(n)).derive(size(d)).derive(trial);
  }

  LawDraw draw_of(const Stream& tokens, Index count, const TokenPlace& place) const {
    return {count, place.d, law_.value, tokens, stream_of(place.n, place.d, place.trial).derive("spike")};
  }

  std::string name_;
  NamedLaw law_;
  std::uint64_t seed_;
};

class ArraySource final : public DataSource {
 public:
  ArraySource(std::string name, std::vector<Index> shape, std::vector<double> values, bool normalise)
      : name_(std::move(name)), values_(std::move(values)), normalise_(normalise) {
    if (shape.size() != 2 && shape.size() != 3)
      throw DataError(
          fmt::format("{}: samples must be an array n x d or samples x n x d; got {} dimensions", name_, shape.size()));
    samples_ = shape.size() == 3 ? shape[0] : 1;
    n_ = shape[shape.size() - 2];
    d_ = shape.back();
    if (samples_ == 0 || n_ == 0 || d_ == 0) throw DataError(name_ + ": the array is empty");
  }

  std::string name() const override { return name_; }
  Record content() const override {
    Digest digest;
    for (const Index size : {samples_, n_, d_}) digest.add(static_cast<std::uint64_t>(size));
    digest.add(std::span<const double>(values_));
    return {{"samples", digest.text()}, {"normalisation", normalisation_name(normalise_)}};
  }
  std::optional<Index> own_n() const override { return n_; }
  std::optional<Index> own_d() const override { return d_; }
  std::optional<Index> count() const override { return samples_; }

  Matrix sample(Index n, Index d, std::uint64_t trial) const override {
    if (n > n_ || d > d_)
      throw DataError(fmt::format("{}: the samples are {} x {}; {} x {} was asked for", name_, n_, d_, n, d));
    Matrix X = all_rows().block(first_row(trial), 0, n, d);
    if (!X.allFinite()) throw DataError(name_ + ": the sample contains a value that is not finite");
    if (normalise_) normalise_rows(X);
    return X;
  }

  // The other rows of all samples; those that come several times are drawn as often.
  ReplacementWords replacement_words(const TokenPlace& place, Index count, const Stream& stream) const override {
    const auto rows = all_rows();
    const std::vector<Index> others = rows_unlike(first_row(place.trial) + place.token, place.d, stream);
    if (others.empty())
      throw DataError(fmt::format("{}: there is no other row to put in the place of token {}", name_, place.token));
    ReplacementWords words;
    const auto before = [&](Index a, Index b) {
      return std::lexicographical_compare(rows.row(a).begin(), rows.row(a).begin() + place.d, rows.row(b).begin(),
                                          rows.row(b).begin() + place.d);
    };
    std::map<Index, Index, decltype(before)> different(before);  // row of the array to row of the words
    std::vector<Index> number;
    number.reserve(others.size());
    for (const Index row : others)
      number.push_back(different.emplace(row, static_cast<Index>(different.size())).first->second);
    words.rows.resize(static_cast<Index>(different.size()), place.d);
    for (const auto& [row, k] : different) words.rows.row(k) = rows.row(row).head(place.d);
    if (normalise_) normalise_rows(words.rows);
    for (Index k = 0; k < count; ++k) {
      const double at = stream.uniform(static_cast<std::uint64_t>(k)) * static_cast<double>(number.size());
      words.drawn.push_back(number[static_cast<size_t>(at)]);
    }
    return words;
  }

  Index replacement_count(Index /*count*/) const override { return std::min(kMostReplacementWords, samples_ * n_ - 1); }

 private:
  Eigen::Map<const Matrix> all_rows() const { return {values_.data(), samples_ * n_, d_}; }
  Index first_row(std::uint64_t trial) const {
    return static_cast<Index>(trial % static_cast<std::uint64_t>(samples_)) * n_;
  }

  // The rows that differ from row `own` in their first d coordinates and can be rows of X, or some thousands of them:
  // padding, rows of zeros that cannot be scaled, is no word.
  std::vector<Index> rows_unlike(Index own, Index d, const Stream& stream) const {
    const auto rows = all_rows();
    std::vector<Index> others;
    for (const Index row : random_order(stream.derive("rows"), rows.rows(), rows.rows())) {
      const auto head = rows.row(row).head(d);
      if (head == rows.row(own).head(d) || !head.allFinite() || (normalise_ && head.isZero(0))) continue;
      others.push_back(row);
      if (static_cast<Index>(others.size()) == kMostReplacementWords) break;
    }
    std::sort(others.begin(), others.end());
    return others;
  }

  std::string name_;
  std::vector<double> values_;
  bool normalise_;
  Index samples_ = 0, n_ = 0, d_ = 0;
};

}  // namespace

std::shared_ptr<const DataSource> synthetic_source(const std::string& specification, std::uint64_t seed) {
  return std::make_shared<SyntheticSource>(specification, parse_law(specification), seed);
}

std::shared_ptr<const DataSource> array_source(std::string name, std::vector<Index> shape, std::vector<double> values,
                                               bool normalise) {
  return std::make_shared<ArraySource>(std::move(name), std::move(shape), std::move(values), normalise);
}

double share_of_first_direction(const Matrix& X) {
  const Matrix gram = X.rows() <= X.cols() ? Matrix(X * X.transpose()) : Matrix(X.transpose() * X);
  const double all = gram.trace();
  if (!(all > 0) || !std::isfinite(all)) throw DataError("a sample that is 0 or not finite has no first direction");
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram / all, Eigen::EigenvaluesOnly);
  return std::clamp(solver.eigenvalues().maxCoeff(), 0.0, 1.0);
}

std::string normalisation_name(bool normalise) {
  return normalise ? "rows of norm sqrt(d)" : "none";
}

void normalise_rows(Matrix& X) {
  const double target = std::sqrt(static_cast<double>(X.cols()));
  for (Index j = 0; j < X.rows(); ++j) {
    double norm = X.row(j).stableNorm();
    if (!std::isfinite(norm)) throw DataError(fmt::format("row {} of the sample is not finite", j));
    if (norm == 0)
      throw DataError(fmt::format("row {} of the sample is zero, so it cannot be scaled to norm sqrt(d)", j));
    if (!std::isfinite(target / norm)) {  // a denormal norm: scale by a power of two first, which is exact
      X.row(j) *= 0x1p600;
      norm = X.row(j).stableNorm();
    }
    X.row(j) *= target / norm;
  }
}

Matrix sphere_sample(const Stream& stream, Index n, Index d) {
  Matrix X = gaussian_matrix(stream, n, d);
  normalise_rows(X);
  return X;
}

Matrix spiked_sample(const Stream& stream, const Stream& shared, Index n, Index d, double spike) {
  if (!(spike >= 0 && spike <= 1)) throw UsageError(fmt::format("the spike A must lie in [0, 1]; got {}", spike));
  const Vector mu = gaussian_vector(shared, d).normalized();
  const double scale = std::sqrt((1 - spike) / static_cast<double>(d));
  Matrix X = sphere_sample(stream, n, d) * scale;
  X.rowwise() += std::sqrt(spike) * mu.transpose();
  normalise_rows(X);
  return X;
}

}  // namespace wordsway
