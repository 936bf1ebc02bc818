#include "wordsway/data/labelled_source.h"

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/synthetic.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

std::uint64_t word(Index value) {
  return static_cast<std::uint64_t>(value);
}

class SyntheticLabelledSource final : public LabelledSource {
 public:
  SyntheticLabelledSource(std::string specification, std::string rule, double spike, std::uint64_t seed)
      : specification_(std::move(specification)), rule_(std::move(rule)), spike_(spike), seed_(seed) {}

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
    return spiked_sample(stream.derive("tokens").derive(word(number)), stream.derive("spike"), n, d, spike_);
  }

  Matrix separating_direction(const Stream& stream, Index n, Index d) const {
    Matrix w = gaussian_matrix(stream.derive("halfspace"), n, d);
    if (spike_ == 0) return w;
    const Vector mu = gaussian_vector(stream.derive("spike"), d).normalized();
    w -= (w * mu) * mu.transpose();
    return w;
  }

  double label(const Stream& stream, const Matrix& X, const Matrix& w, Index number) const {
    if (rule_ == "coin") return stream.derive("coin").uniform(word(number)) < 0.5 ? 1 : -1;
    return X.cwiseProduct(w).sum() >= 0 ? 1 : -1;
  }

  std::string specification_, rule_;
  double spike_;
  std::uint64_t seed_;
};

}  // namespace

std::shared_ptr<const LabelledSource> synthetic_labelled_source(const std::string& specification,
                                                                const std::string& rule, std::uint64_t seed) {
  if (rule != "halfspace" && rule != "coin")
    throw UsageError("unknown label rule '" + rule + "'; there are: halfspace, coin");
  return std::make_shared<SyntheticLabelledSource>(specification, rule, parse_spike(specification), seed);
}

}  // namespace wordsway
