#include "wordsway/data/data_source.h"

#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/stream.h"

namespace wordsway {

namespace {

class SyntheticSource final : public DataSource {
 public:
  SyntheticSource(std::string name, double spike, std::uint64_t seed)
      : name_(std::move(name)), spike_(spike), seed_(seed) {}

  std::string name() const override { return name_; }
  Record content() const override { return {{"data", name_}}; }

  Matrix sample(Index n, Index d, std::uint64_t trial) const override {
    const auto size = [](Index value) { return static_cast<std::uint64_t>(value); };
    const Stream stream = Stream(seed_).derive("data").derive(size(n)).derive(size(d)).derive(trial);
    if (spike_ == 0) return sphere_sample(stream.derive("tokens"), n, d);
    return spiked_sample(stream.derive("tokens"), stream.derive("spike"), n, d, spike_);
  }

 private:
  std::string name_;
  double spike_;
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
    const Index which = static_cast<Index>(trial % static_cast<std::uint64_t>(samples_));
    const Eigen::Map<const Matrix> whole(values_.data() + which * n_ * d_, n_, d_);
    Matrix X = whole.topLeftCorner(n, d);
    if (!X.allFinite()) throw DataError(name_ + ": the sample contains a value that is not finite");
    if (normalise_) normalise_rows(X);
    return X;
  }

 private:
  std::string name_;
  std::vector<double> values_;
  bool normalise_;
  Index samples_ = 0, n_ = 0, d_ = 0;
};

}  // namespace

double parse_spike(const std::string& specification) {
  if (specification == "sphere") return 0;
  constexpr std::string_view kSpiked = "spiked:";
  if (specification.starts_with(kSpiked)) {
    double spike = -1;
    const char *begin = specification.data() + kSpiked.size(), *end = specification.data() + specification.size();
    const auto [stop, error] = std::from_chars(begin, end, spike);
    if (error == std::errc() && stop == end && spike >= 0 && spike <= 1) return spike;
    throw UsageError("'" + specification + "': the spike A in spiked:A must be a number from 0 to 1");
  }
  const std::vector<std::string> known = {"builtin", "sphere", "spiked:A"};
  throw UsageError("unknown data '" + specification + "'; there are: builtin, sphere, spiked:A with A from 0 to 1" +
                   suggestion(specification, known));
}

std::shared_ptr<const DataSource> synthetic_source(const std::string& specification, std::uint64_t seed) {
  return std::make_shared<SyntheticSource>(specification, parse_spike(specification), seed);
}

std::shared_ptr<const DataSource> array_source(std::string name, std::vector<Index> shape, std::vector<double> values,
                                               bool normalise) {
  return std::make_shared<ArraySource>(std::move(name), std::move(shape), std::move(values), normalise);
}

std::string normalisation_name(bool normalise) {
  return normalise ? "rows of norm sqrt(d)" : "none";
}

void normalise_rows(Matrix& X) {
  const double target = std::sqrt(static_cast<double>(X.cols()));
  for (Index j = 0; j < X.rows(); ++j) {
    const double norm = X.row(j).stableNorm();
    if (!std::isfinite(norm)) throw DataError(fmt::format("row {} of the sample is not finite", j));
    if (norm == 0)
      throw DataError(fmt::format("row {} of the sample is zero, so it cannot be scaled to norm sqrt(d)", j));
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
