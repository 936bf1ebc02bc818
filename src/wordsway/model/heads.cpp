#include "wordsway/model/heads.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"
#include "wordsway/model/config_file.h"
#include "wordsway/model/products/gemm.h"

namespace wordsway {

namespace {

constexpr float kLeastNorm = 1e-12f;  // as torch.nn.functional.normalize

void check(ConstMatrixFRef hidden, const AttentionMask& mask) {
  if (hidden.rows() < 1) throw DataError("pooling needs at least one token; got none");
  mask.check(hidden.rows());
}

RowF pool(Pooling::Kind kind, ConstMatrixFRef hidden, const AttentionMask& mask) {
  if (kind == Pooling::Kind::kCls) return hidden.row(0);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(hidden.cols());
  for (Index j = 0; j < hidden.rows(); ++j) {
    if (mask.visible(j)) sum += hidden.row(j).cast<double>();
  }
  return (sum / static_cast<double>(mask.count(hidden.rows()))).cast<float>();
}

// "sentence_transformers.models.Pooling" → "Pooling": the package has moved its classes before.
std::string last_part(const std::string& type) {
  return type.substr(type.find_last_of('.') + 1);
}

Pooling::Kind kind_named(const ConfigFile& file, const std::string& key, const std::string& name) {
  if (name == "cls") return Pooling::Kind::kCls;
  if (name == "mean") return Pooling::Kind::kMean;
  file.refuse(key, "asks for pooling '" + name + "'; supported are cls and mean");
}

Pooling::Kind read_kind(const ConfigFile& file) {
  if (file.has("pooling_mode")) return kind_named(file, "pooling_mode", file.text("pooling_mode"));
  static constexpr std::array<std::pair<const char*, const char*>, 6> kFlags{
      {{"pooling_mode_cls_token", "cls"},
       {"pooling_mode_mean_tokens", "mean"},
       {"pooling_mode_max_tokens", "max"},
       {"pooling_mode_mean_sqrt_len_tokens", "mean_sqrt_len"},
       {"pooling_mode_weightedmean_tokens", "weightedmean"},
       {"pooling_mode_lasttoken", "lasttoken"}}};
  std::string key, name;
  for (const auto& [flag, meaning] : kFlags) {
    if (!file.flag_or(flag, false)) continue;
    if (!name.empty()) file.refuse(flag, "is true, and so is '" + key + "'; only one way of pooling is supported");
    key = flag;
    name = meaning;
  }
  if (name.empty()) file.refuse("pooling_mode_mean_tokens", "is not true, nor is any other way of pooling");
  return kind_named(file, key, name);
}

}  // namespace

RowF Pooling::forward(ConstMatrixFRef hidden, const AttentionMask& mask) const {
  check(hidden, mask);
  RowF pooled = pool(kind, hidden, mask);
  if (!normalise) return pooled;
  return pooled / std::max(pooled.norm(), kLeastNorm);
}

MatrixF Pooling::vjp(ConstMatrixFRef hidden, const AttentionMask& mask, ConstRowFRef pooled_cotangent) const {
  check(hidden, mask);
  if (pooled_cotangent.size() != hidden.cols())
    throw DataError(fmt::format("the cotangent of a pooled vector must have {} numbers; got {}", hidden.cols(),
                                pooled_cotangent.size()));
  RowF cotangent = pooled_cotangent;
  if (normalise) {
    const RowF pooled = pool(kind, hidden, mask);
    const float norm = std::max(pooled.norm(), kLeastNorm);
    const RowF direction = pooled / norm;
    cotangent = (cotangent - direction * direction.dot(cotangent)) / norm;
  }
  MatrixF result = MatrixF::Zero(hidden.rows(), hidden.cols());
  if (kind == Kind::kCls) {
    result.row(0) = cotangent;
    return result;
  }
  cotangent /= static_cast<float>(mask.count(hidden.rows()));
  for (Index j = 0; j < hidden.rows(); ++j) {
    if (mask.visible(j)) result.row(j) = cotangent;
  }
  return result;
}

Pooling read_pooling(const std::filesystem::path& folder) {
  const std::filesystem::path modules = folder / "modules.json";
  Pooling pooling;
  if (!path_exists(modules)) return pooling;
  for (const ConfigFile& module : ConfigFile::list(modules)) {
    const std::string kind = last_part(module.text("type"));
    if (kind == "Transformer") continue;
    if (kind == "Normalize") {
      pooling.normalise = true;
    } else if (kind == "Pooling") {
      pooling.kind = read_kind(ConfigFile(folder / module.text_or("path", "1_Pooling") / "config.json"));
    } else {
      module.refuse("type", "names the module '" + kind + "'; supported are Transformer, Pooling and Normalize");
    }
  }
  return pooling;
}

MatrixF WordHead::logits(ConstMatrixFRef hidden, const MatrixF& words) const {
  MatrixF h = transform.forward(hidden);
  activate(activation, h);
  h = norm.forward(h);
  const MatrixF& table = decoder.size() > 0 ? decoder : words;
  MatrixF result(hidden.rows(), table.rows());
  multiply_transposed(h, table, result);
  result.rowwise() += bias;
  return result;
}

}  // namespace wordsway
