#include "wordsway/model/sentence_chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr float kLeastNorm = 1e-12f;  // as torch.nn.functional.normalize

constexpr std::array<std::pair<PoolingMode, const char*>, 6> kModes{
    {{PoolingMode::kCls, "cls"},
     {PoolingMode::kMax, "max"},
     {PoolingMode::kMean, "mean"},
     {PoolingMode::kMeanSqrtLength, "mean_sqrt_len_tokens"},
     {PoolingMode::kWeightedMean, "weightedmean"},
     {PoolingMode::kLastToken, "lasttoken"}}};

// The tokens that are pooled, in order.
std::vector<Index> pooled_tokens(ConstMatrixFRef hidden, const AttentionMask& mask, Index first) {
  if (hidden.rows() < 1) throw DataError("pooling needs at least one token; got none");
  mask.check(hidden.rows());
  std::vector<Index> tokens;
  for (Index j = first; j < hidden.rows(); ++j)
    if (mask.visible(j)) tokens.push_back(j);
  if (tokens.empty())
    throw DataError(fmt::format("no token is left to pool: the prompt takes all {} of the text", hidden.rows()));
  return tokens;
}

// A mode that is linear in the hidden state: Σ weight_j h_j / divisor over tokens.
struct LinearPooling {
  std::vector<std::pair<Index, double>> weights;
  double divisor = 1;
};

LinearPooling linear_pooling(PoolingMode mode, const std::vector<Index>& tokens) {
  LinearPooling result;
  if (mode == PoolingMode::kCls) return {{{tokens.front(), 1}}, 1};
  if (mode == PoolingMode::kLastToken) return {{{tokens.back(), 1}}, 1};
  double sum = 0;
  for (const Index token : tokens) {
    const double weight = mode == PoolingMode::kWeightedMean ? static_cast<double>(token + 1) : 1;
    result.weights.emplace_back(token, weight);
    sum += weight;
  }
  result.divisor = mode == PoolingMode::kMeanSqrtLength ? std::sqrt(sum) : sum;
  return result;
}

RowF pool_one(PoolingMode mode, ConstMatrixFRef hidden, const std::vector<Index>& tokens) {
  if (mode == PoolingMode::kMax) {
    RowF most = hidden.row(tokens.front());
    for (const Index token : tokens) most = most.cwiseMax(hidden.row(token));
    return most;
  }
  const LinearPooling linear = linear_pooling(mode, tokens);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(hidden.cols());
  for (const auto& [token, weight] : linear.weights) sum += hidden.row(token).cast<double>() * weight;
  return (sum / linear.divisor).cast<float>();
}

void add_pool_vjp(PoolingMode mode, ConstMatrixFRef hidden, const std::vector<Index>& tokens, ConstRowFRef cotangent,
                  MatrixF& result) {
  if (mode == PoolingMode::kMax) {
    for (Index c = 0; c < hidden.cols(); ++c) {
      const Index most = *std::max_element(tokens.begin(), tokens.end(),
                                           [&](Index a, Index b) { return hidden(a, c) < hidden(b, c); });
      result(most, c) += cotangent[c];
    }
    return;
  }
  const LinearPooling linear = linear_pooling(mode, tokens);
  for (const auto& [token, weight] : linear.weights)
    result.row(token) += cotangent * static_cast<float>(weight / linear.divisor);
}

// Every kind of step: how many numbers it takes and gives, what it does, its vjp, and its words.

Index inputs(const DenseStep& step, Index) {
  return step.linear.weight.inputs();
}
Index inputs(const LayerNormStep& step, Index) {
  return step.norm.gain.size();
}
Index inputs(const NormalizeStep&, Index given) {
  return given;
}
Index inputs(const TruncateStep&, Index given) {
  return given;
}

Index outputs(const DenseStep& step, Index) {
  return step.linear.weight.outputs();
}
Index outputs(const LayerNormStep& step, Index) {
  return step.norm.gain.size();
}
Index outputs(const NormalizeStep&, Index given) {
  return given;
}
Index outputs(const TruncateStep& step, Index given) {
  return std::min(step.size, given);
}

RowF forward_step(const DenseStep& step, const RowF& x) {
  MatrixF y = step.linear.forward(x);
  activate(step.activation, y);
  if (!step.has_residual) return y;
  if (step.residual.weight.outputs() == 0) return y + x;
  return y + step.residual.forward(x);
}
RowF forward_step(const LayerNormStep& step, const RowF& x) {
  return step.norm.forward(x);
}
RowF forward_step(const NormalizeStep&, const RowF& x) {
  return x / std::max(x.norm(), kLeastNorm);
}

RowF forward_step(const TruncateStep& step, const RowF& x) {
  return x.head(outputs(step, x.size()));
}

RowF vjp_step(const DenseStep& step, const RowF& x, const RowF& cotangent) {
  MatrixF inside = step.linear.forward(x), slope(1, inside.cols()), result(1, x.size());
  activate(step.activation, inside, slope);
  step.linear.vjp(slope.cwiseProduct(cotangent), result);
  if (!step.has_residual) return result;
  if (step.residual.weight.outputs() == 0) return result + cotangent;
  MatrixF past(1, x.size());
  step.residual.vjp(cotangent, past);
  return result + past;
}
RowF vjp_step(const LayerNormStep& step, const RowF& x, const RowF& cotangent) {
  LayerNormTrace trace;
  MatrixF y(1, x.size()), result(1, x.size());
  step.norm.forward(x, &trace, y);
  step.norm.vjp(trace, cotangent, result);
  return result;
}
RowF vjp_step(const NormalizeStep&, const RowF& x, const RowF& cotangent) {
  const float norm = std::max(x.norm(), kLeastNorm);
  const RowF direction = x / norm;
  return (cotangent - direction * direction.dot(cotangent)) / norm;
}

RowF vjp_step(const TruncateStep&, const RowF& x, const RowF& cotangent) {
  RowF result = RowF::Zero(x.size());
  result.head(cotangent.size()) = cotangent;
  return result;
}

std::string describe_step(const DenseStep& step) {
  return fmt::format("dense {} to {} {}{}", step.linear.weight.inputs(), step.linear.weight.outputs(),
                     activation_name(step.activation), step.has_residual ? " with residual" : "");
}
std::string describe_step(const LayerNormStep&) {
  return "layer norm";
}
std::string describe_step(const NormalizeStep&) {
  return "normalised";
}
std::string describe_step(const TruncateStep& step) {
  return fmt::format("cut to {} numbers", step.size);
}

std::string name_of(const DenseStep&) {
  return "dense";
}
std::string name_of(const LayerNormStep&) {
  return "layer norm";
}
std::string name_of(const NormalizeStep&) {
  return "normalise";
}
std::string name_of(const TruncateStep&) {
  return "truncate";
}

Index parameters_of(const DenseStep& step) {
  return step.linear.parameters() + step.residual.parameters();
}
Index parameters_of(const LayerNormStep& step) {
  return step.norm.parameters();
}
Index parameters_of(const NormalizeStep&) {
  return 0;
}
Index parameters_of(const TruncateStep&) {
  return 0;
}

}  // namespace

PoolingMode pooling_mode_named(const std::string& name) {
  std::string all;
  for (const auto& [mode, known] : kModes) {
    if (name == known) return mode;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(fmt::format("unknown pooling '{}'; there are: {}", name, all));
}

std::string to_string(PoolingMode mode) {
  for (const auto& [known, name] : kModes)
    if (mode == known) return name;
  return "";
}

void SentenceChain::check(Index hidden_size) const {
  Index given = static_cast<Index>(modes.size()) * hidden_size;
  for (const SentenceStep& step : steps) {
    const Index wanted = std::visit([&](const auto& kind) { return inputs(kind, given); }, step.kind);
    if (wanted != given)
      throw DataError(fmt::format("{}: the module takes {} numbers, but what comes before it gives {}", step.source,
                                  wanted, given));
    given = std::visit([&](const auto& kind) { return outputs(kind, given); }, step.kind);
  }
}

Index SentenceChain::output_size(Index hidden_size) const {
  Index size = static_cast<Index>(modes.size()) * hidden_size;
  for (const SentenceStep& step : steps)
    size = std::visit([&](const auto& kind) { return outputs(kind, size); }, step.kind);
  return size;
}

bool SentenceChain::normalised() const {
  return !steps.empty() && std::holds_alternative<NormalizeStep>(steps.back().kind);
}

Index SentenceChain::parameters() const {
  Index count = 0;
  for (const SentenceStep& step : steps)
    count += std::visit([](const auto& kind) { return parameters_of(kind); }, step.kind);
  return count;
}

std::string SentenceChain::pooling() const {
  std::string result;
  for (const PoolingMode mode : modes) result += (result.empty() ? "" : ", ") + to_string(mode);
  return result;
}

std::string SentenceChain::describe() const {
  std::string result = pooling() + (include_prompt ? "" : " without the prompt");
  for (const SentenceStep& step : steps)
    result += ", " + std::visit([](const auto& kind) { return describe_step(kind); }, step.kind);
  return result;
}

RowF SentenceChain::pool(ConstMatrixFRef hidden, const AttentionMask& mask, Index first) const {
  const std::vector<Index> tokens = pooled_tokens(hidden, mask, first);
  const Index d = hidden.cols();
  RowF pooled(static_cast<Index>(modes.size()) * d);
  for (size_t k = 0; k < modes.size(); ++k)
    pooled.segment(static_cast<Index>(k) * d, d) = pool_one(modes[k], hidden, tokens);
  return pooled;
}

RowF SentenceChain::forward(ConstMatrixFRef hidden, const AttentionMask& mask, Index first) const {
  return apply_steps(pool(hidden, mask, first));
}

RowF SentenceChain::apply_steps(const RowF& pooled) const {
  return steps.empty() ? pooled : after_steps(pooled).back();
}

RowF SentenceChain::steps_vjp(const RowF& pooled, ConstRowFRef cotangent) const {
  std::vector<RowF> inputs = {pooled};  // of every step
  for (RowF& output : after_steps(pooled)) inputs.push_back(std::move(output));
  RowF back = cotangent;
  for (size_t k = steps.size(); k-- > 0;)
    back = std::visit([&](const auto& kind) { return vjp_step(kind, inputs[k], back); }, steps[k].kind);
  return back;
}

std::vector<RowF> SentenceChain::after_steps(const RowF& pooled) const {
  std::vector<RowF> outputs;
  outputs.reserve(steps.size());
  for (const SentenceStep& step : steps) {
    const RowF& x = outputs.empty() ? pooled : outputs.back();
    outputs.push_back(std::visit([&](const auto& kind) { return forward_step(kind, x); }, step.kind));
  }
  return outputs;
}

std::vector<std::string> SentenceChain::step_names() const {
  std::vector<std::string> names;
  for (const SentenceStep& step : steps) {
    const std::string name = std::visit([](const auto& kind) { return name_of(kind); }, step.kind);
    const auto before = std::ranges::count_if(names, [&](const std::string& known) { return known.starts_with(name); });
    names.push_back(before == 0 ? name : fmt::format("{} {}", name, before + 1));
  }
  return names;
}

MatrixF SentenceChain::vjp(ConstMatrixFRef hidden, const AttentionMask& mask, ConstRowFRef cotangent,
                           Index first) const {
  if (cotangent.size() != output_size(hidden.cols()))
    throw DataError(fmt::format("the cotangent of a pooled vector must have {} numbers; got {}",
                                output_size(hidden.cols()), cotangent.size()));
  const RowF back = steps_vjp(pool(hidden, mask, first), cotangent);
  const std::vector<Index> tokens = pooled_tokens(hidden, mask, first);
  MatrixF result = MatrixF::Zero(hidden.rows(), hidden.cols());
  for (size_t k = 0; k < modes.size(); ++k)
    add_pool_vjp(modes[k], hidden, tokens, back.segment(static_cast<Index>(k) * hidden.cols(), hidden.cols()), result);
  return result;
}

}  // namespace wordsway
