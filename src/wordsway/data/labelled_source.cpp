#include "wordsway/data/labelled_source.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic_data.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/random_order.h"

namespace wordsway {

namespace {

std::uint64_t word(Index value) {
  return static_cast<std::uint64_t>(value);
}

class SyntheticLabelledSource final : public LabelledSource {
 public:
  SyntheticLabelledSource(std::string specification, std::string rule, NamedLaw law, std::uint64_t seed)
      : specification_(std::move(specification)), rule_(std::move(rule)), law_(law), seed_(seed) {}

  std::string name() const override { return specification_ + " " + rule_; }
  Record content() const override { return {{"data", name()}}; }

  LabelledSamples draw(Index n, Index d, Index training_size, std::uint64_t trial) const override {
    const Stream stream = Stream(seed_).derive("labelled").derive(word(n)).derive(word(d)).derive(trial);
    const Matrix w = separating_direction(stream, n, d);
    LabelledSamples drawn;
    drawn.X = sample(stream, n, d, 0);
    drawn.label = label(stream, drawn.X, w, 0);
    drawn.training.resize(training_size, n * d);
    drawn.labels.resize(training_size);
    parallel_for(training_size, [&](Index s) {
      const Matrix X = sample(stream, n, d, s + 1);
      drawn.labels[s] = label(stream, X, w, s + 1);
      drawn.training.row(s) = Eigen::Map<const Vector>(X.data(), X.size());
    });
    return drawn;
  }

 private:
  // Number 0 is the new sample, so that it is the same for every N.
  Matrix sample(const Stream& stream, Index n, Index d, Index number) const {
    const Stream tokens = stream.derive("tokens").derive(word(number)), shared = stream.derive("spike");
    // Scaled twice, so that their last digits stay what they always were.
    if (specification_ == "sphere") return spiked_sample(tokens, shared, n, d, 0);
    return law_.law->sample({n, d, law_.value, tokens, shared});
  }

  Matrix separating_direction(const Stream& stream, Index n, Index d) const {
    Matrix w = gaussian_matrix(stream.derive("halfspace"), n, d);
    if (!law_.law->direction) return w;
    const Vector mu = law_.law->direction(stream.derive("spike"), d);
    w -= (w * mu) * mu.transpose();
    return w;
  }

  double label(const Stream& stream, const Matrix& X, const Matrix& w, Index number) const {
    if (rule_ == "coin") return stream.derive("coin").uniform(word(number)) < 0.5 ? 1 : -1;
    return X.cwiseProduct(w).sum() >= 0 ? 1 : -1;
  }

  std::string specification_, rule_;
  NamedLaw law_;
  std::uint64_t seed_;
};

}  // namespace

std::shared_ptr<const LabelledSource> synthetic_labelled_source(const std::string& specification,
                                                                const std::string& rule, std::uint64_t seed) {
  if (rule != "halfspace" && rule != "coin")
    throw UsageError(unknown_name("label rule", rule, std::vector<std::string>{"halfspace", "coin"}));
  return std::make_shared<SyntheticLabelledSource>(specification, rule, parse_law(specification), seed);
}

// Labelled samples that the user brings: a pool to draw from, or a fixed training set and a new sample.

namespace {

class CheckedArray {
 public:
  explicit CheckedArray(LabelledArray array) : array_(std::move(array)) {
    const auto& shape = array_.shape;
    if (shape.size() != 3)
      throw DataError(
          fmt::format("{}: samples must be an array samples x n x d; got {} dimensions", array_.name, shape.size()));
    if (count() == 0 || n() == 0 || d() == 0) throw DataError(array_.name + ": the array is empty");
    if (static_cast<Index>(array_.labels.size()) != count())
      throw DataError(fmt::format("{}: there must be a label for each of the {} samples; got {}", array_.name, count(),
                                  array_.labels.size()));
    for (size_t s = 0; s < array_.labels.size(); ++s)
      if (std::abs(array_.labels[s]) != 1)
        throw DataError(
            fmt::format("{}: labels must be 1 or -1; that of sample {} is {}", array_.name, s, array_.labels[s]));
  }

  const std::string& name() const { return array_.name; }
  Index count() const { return array_.shape[0]; }
  Index n() const { return array_.shape[1]; }
  Index d() const { return array_.shape[2]; }
  double label(Index s) const { return array_.labels[static_cast<size_t>(s)]; }

  // `what` is what the samples are: "training samples".
  Record content(const std::string& what) const {
    Digest samples, labels;
    for (const Index size : array_.shape) samples.add(static_cast<std::uint64_t>(size));
    samples.add(std::span<const double>(array_.values));
    labels.add(std::span<const double>(array_.labels));
    return {{what, samples.text()},
            {"labels of the " + what, labels.text()},
            {"normalisation", normalisation_name(array_.normalise)}};
  }

  Matrix sample(Index s, Index rows, Index columns) const {
    if (rows > n() || columns > d())
      throw DataError(
          fmt::format("{}: the samples are {} x {}; {} x {} was asked for", name(), n(), d(), rows, columns));
    const Eigen::Map<const Matrix> whole(array_.values.data() + s * n() * d(), n(), d());
    Matrix X = whole.topLeftCorner(rows, columns);
    if (!X.allFinite()) throw DataError(fmt::format("{}: sample {} contains a value that is not finite", name(), s));
    if (array_.normalise) normalise_rows(X);
    return X;
  }

 private:
  LabelledArray array_;
};

void put(LabelledSamples& drawn, Index row, const Matrix& X, double label) {
  drawn.training.row(row) = Eigen::Map<const Vector>(X.data(), X.size());
  drawn.labels[row] = label;
}

class PoolSource final : public LabelledSource {
 public:
  PoolSource(LabelledArray pool, std::uint64_t seed) : pool_(std::move(pool)), seed_(seed) {}

  std::string name() const override { return pool_.name(); }
  Record content() const override { return pool_.content("samples of the pool"); }
  std::optional<Index> own_n() const override { return pool_.n(); }
  std::optional<Index> own_d() const override { return pool_.d(); }

  LabelledSamples draw(Index n, Index d, Index training_size, std::uint64_t trial) const override {
    if (training_size + 1 > pool_.count())
      throw DataError(fmt::format("{}: {} training samples and a new one need {} samples; the pool has {}",
                                  pool_.name(), training_size, training_size + 1, pool_.count()));
    const auto order = random_order(Stream(seed_).derive("pool").derive(trial), pool_.count(), training_size + 1);
    LabelledSamples drawn{Matrix(training_size, n * d), Vector(training_size), pool_.sample(order[0], n, d),
                          pool_.label(order[0])};
    for (Index s = 0; s < training_size; ++s) {
      const Index from = order[static_cast<size_t>(s) + 1];
      put(drawn, s, pool_.sample(from, n, d), pool_.label(from));
    }
    return drawn;
  }

 private:
  CheckedArray pool_;
  std::uint64_t seed_;
};

class FixedSource final : public LabelledSource {
 public:
  FixedSource(LabelledArray training, LabelledArray fresh) : training_(std::move(training)), fresh_(std::move(fresh)) {
    if (fresh_.count() != 1)
      throw DataError(fmt::format("{}: one new sample was expected; got {}", fresh_.name(), fresh_.count()));
    if (fresh_.n() != training_.n() || fresh_.d() != training_.d())
      throw DataError(fmt::format("{}: the new sample is {} x {}, the training samples are {} x {}", fresh_.name(),
                                  fresh_.n(), fresh_.d(), training_.n(), training_.d()));
  }

  std::string name() const override { return training_.name(); }
  Record content() const override {
    Record content = training_.content("training samples");
    content.merge(fresh_.content("new samples"));
    return content;
  }
  std::optional<Index> own_n() const override { return training_.n(); }
  std::optional<Index> own_d() const override { return training_.d(); }
  std::optional<Index> own_training_size() const override { return training_.count(); }

  LabelledSamples draw(Index n, Index d, Index training_size, std::uint64_t /*trial*/) const override {
    if (training_size > training_.count())
      throw DataError(fmt::format("{}: there are {} training samples; {} were asked for", training_.name(),
                                  training_.count(), training_size));
    LabelledSamples drawn{Matrix(training_size, n * d), Vector(training_size), fresh_.sample(0, n, d), fresh_.label(0)};
    for (Index s = 0; s < training_size; ++s) put(drawn, s, training_.sample(s, n, d), training_.label(s));
    return drawn;
  }

 private:
  CheckedArray training_, fresh_;
};

}  // namespace

std::shared_ptr<const LabelledSource> pool_source(LabelledArray pool, std::uint64_t seed) {
  return std::make_shared<PoolSource>(std::move(pool), seed);
}

std::shared_ptr<const LabelledSource> fixed_source(LabelledArray training, LabelledArray fresh) {
  return std::make_shared<FixedSource>(std::move(training), std::move(fresh));
}

}  // namespace wordsway
