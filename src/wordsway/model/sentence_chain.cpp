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

// Every kind of module: how many numbers it takes and gives, what it does, its vjp, and its words.

Index inputs(const DenseModule& module, Index) {
  return module.linear.weight.inputs();
}
Index inputs(const LayerNormModule& module, Index) {
  return module.norm.gain.size();
}
Index inputs(const NormalizeModule&, Index given) {
  return given;
}
Index inputs(const TruncateModule&, Index given) {
  return given;
}

Index outputs(const DenseModule& module, Index) {
  return module.linear.weight.outputs();
}
Index outputs(const LayerNormModule& module, Index) {
  return module.norm.gain.size();
}
Index outputs(const NormalizeModule&, Index given) {
  return given;
}
Index outputs(const TruncateModule& module, Index given) {
  return std::min(module.size, given);
}

RowF forward_module(const DenseModule& module, const RowF& x) {
  MatrixF y = module.linear.forward(x);
  activate(module.activation, y);
  if (!module.has_residual) return y;
  if (module.residual.weight.outputs() == 0) return y + x;
  return y + module.residual.forward(x);
}
RowF forward_module(const LayerNormModule& module, const RowF& x) {
  return module.norm.forward(x);
}
RowF forward_module(const NormalizeModule&, const RowF& x) {
  return x / std::max(x.norm(), kLeastNorm);
}

RowF forward_module(const TruncateModule& module, const RowF& x) {
  return x.head(outputs(module, x.size()));
}

RowF vjp_module(const DenseModule& module, const RowF& x, const RowF& cotangent) {
  MatrixF inside = module.linear.forward(x), slope(1, inside.cols()), result(1, x.size());
  activate(module.activation, inside, slope);
  module.linear.vjp(slope.cwiseProduct(cotangent), result);
  if (!module.has_residual) return result;
  if (module.residual.weight.outputs() == 0) return result + cotangent;
  MatrixF past(1, x.size());
  module.residual.vjp(cotangent, past);
  return result + past;
}
RowF vjp_module(const LayerNormModule& module, const RowF& x, const RowF& cotangent) {
  LayerNormTrace trace;
  MatrixF y(1, x.size()), result(1, x.size());
  module.norm.forward(x, &trace, y);
  module.norm.vjp(trace, cotangent, result);
  return result;
}
RowF vjp_module(const NormalizeModule&, const RowF& x, const RowF& cotangent) {
  const float norm = std::max(x.norm(), kLeastNorm);
  const RowF direction = x / norm;
  return (cotangent - direction * direction.dot(cotangent)) / norm;
}

RowF vjp_module(const TruncateModule&, const RowF& x, const RowF& cotangent) {
  RowF result = RowF::Zero(x.size());
  result.head(cotangent.size()) = cotangent;
  return result;
}

std::string describe_module(const DenseModule& module) {
  return fmt::format("dense {} to {} {}{}", module.linear.weight.inputs(), module.linear.weight.outputs(),
                     activation_name(module.activation), module.has_residual ? " with residual" : "");
}
std::string describe_module(const LayerNormModule&) {
  return "layer norm";
}
std::string describe_module(const NormalizeModule&) {
  return "normalised";
}
std::string describe_module(const TruncateModule& module) {
  return fmt::format("cut to {} numbers", module.size);
}

std::string name_of(const DenseModule&) {
  return "dense";
}
std::string name_of(const LayerNormModule&) {
  return "layer norm";
}
std::string name_of(const NormalizeModule&) {
  return "normalise";
}
std::string name_of(const TruncateModule&) {
  return "truncate";
}

Index parameters_of(const DenseModule& module) {
  return module.linear.parameters() + module.residual.parameters();
}
Index parameters_of(const LayerNormModule& module) {
  return module.norm.parameters();
}
Index parameters_of(const NormalizeModule&) {
  return 0;
}
Index parameters_of(const TruncateModule&) {
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
  for (const SentenceModule& module : modules) {
    const Index wanted = std::visit([&](const auto& kind) { return inputs(kind, given); }, module.kind);
    if (wanted != given)
      throw DataError(fmt::format("{}: the module takes {} numbers, but what comes before it gives {}", module.source,
                                  wanted, given));
    given = std::visit([&](const auto& kind) { return outputs(kind, given); }, module.kind);
  }
}

Index SentenceChain::output_size(Index hidden_size) const {
  Index size = static_cast<Index>(modes.size()) * hidden_size;
  for (const SentenceModule& module : modules)
    size = std::visit([&](const auto& kind) { return outputs(kind, size); }, module.kind);
  return size;
}

bool SentenceChain::normalised() const {
  return !modules.empty() && std::holds_alternative<NormalizeModule>(modules.back().kind);
}

Index SentenceChain::parameters() const {
  Index count = 0;
  for (const SentenceModule& module : modules)
    count += std::visit([](const auto& kind) { return parameters_of(kind); }, module.kind);
  return count;
}

std::string SentenceChain::pooling() const {
  std::string result;
  for (const PoolingMode mode : modes) result += (result.empty() ? "" : ", ") + to_string(mode);
  return result;
}

std::string SentenceChain::describe() const {
  std::string result = pooling() + (include_prompt ? "" : " without the prompt");
  for (const SentenceModule& module : modules)
    result += ", " + std::visit([](const auto& kind) { return describe_module(kind); }, module.kind);
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
  return apply_modules(pool(hidden, mask, first));
}

RowF SentenceChain::apply_modules(const RowF& pooled) const {
  return modules.empty() ? pooled : after_modules(pooled).back();
}

RowF SentenceChain::modules_vjp(const RowF& pooled, ConstRowFRef cotangent) const {
  std::vector<RowF> inputs = {pooled};  // of every module
  for (RowF& output : after_modules(pooled)) inputs.push_back(std::move(output));
  RowF back = cotangent;
  for (size_t k = modules.size(); k-- > 0;)
    back = std::visit([&](const auto& kind) { return vjp_module(kind, inputs[k], back); }, modules[k].kind);
  return back;
}

std::vector<RowF> SentenceChain::after_modules(const RowF& pooled) const {
  std::vector<RowF> outputs;
  outputs.reserve(modules.size());
  for (const SentenceModule& module : modules) {
    const RowF& x = outputs.empty() ? pooled : outputs.back();
    outputs.push_back(std::visit([&](const auto& kind) { return forward_module(kind, x); }, module.kind));
  }
  return outputs;
}

std::vector<std::string> SentenceChain::module_names() const {
  std::vector<std::string> names;
  for (const SentenceModule& module : modules) {
    const std::string name = std::visit([](const auto& kind) { return name_of(kind); }, module.kind);
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
  const RowF back = modules_vjp(pool(hidden, mask, first), cotangent);
  const std::vector<Index> tokens = pooled_tokens(hidden, mask, first);
  MatrixF result = MatrixF::Zero(hidden.rows(), hidden.cols());
  for (size_t k = 0; k < modes.size(); ++k)
    add_pool_vjp(modes[k], hidden, tokens, back.segment(static_cast<Index>(k) * hidden.cols(), hidden.cols()), result);
  return result;
}

}  // namespace wordsway
