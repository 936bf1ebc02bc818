#include "wordsway/model/layers/attention.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/layers/elementary.h"
#include "wordsway/model/products/gemm.h"

namespace wordsway {
namespace {

constexpr Index kRowBlock = 256;       // its scores of one head, [256, 512] floats, stay in the L2 cache
constexpr Index kVjpRowBlock = 128;    // as two such matrices do
constexpr Index kGap = 16;             // between rows: columns of 512 rows would share a few sets of the L1 cache
constexpr Index kWorthAThread = 4096;  // n·d: starting a thread takes about 20 µs

// The columns of one head in the cotangent of qkv.
template <typename Matrix>
struct Head {
  Matrix q, k, v;
};

template <typename Qkv>
auto head_of(Qkv& qkv, const AttentionShape& shape, Index head) {
  const auto part = [&](Index begin) { return qkv.middleCols(begin, shape.width); };
  return Head<decltype(part(0))>{part(shape.query_begin(head)), part(shape.key_begin(head)),
                                 part(shape.value_begin(head))};
}

// The input of an attention: queries, [m, H·w], of the last m tokens, and keys and values, [n, 2G·w], of all.
struct Projected {
  ConstMatrixFRef queries, keys_values;
};

Projected parts_of(const ConstMatrixFRef& qkv, const AttentionShape& shape) {
  return {qkv.leftCols(shape.context_columns()), qkv.rightCols(shape.kv_columns())};
}

float scale_of_scores(const Attention& attention) {
  return static_cast<float>(attention.normaliser.beta) / std::sqrt(static_cast<float>(attention.shape.width));
}

void check_columns(ConstMatrixFRef matrix, const char* what, Index rows, Index columns) {
  if (matrix.rows() != rows || matrix.cols() != columns)
    throw DataError(fmt::format("{} must be {} x {}; got {} x {}", what, rows, columns, matrix.rows(), matrix.cols()));
}

void check(const Attention& attention, ConstMatrixFRef qkv, const AttentionMask& mask, Index shared = 0) {
  attention.shape.check();
  check_columns(qkv, "queries, keys and values", qkv.rows(), attention.shape.qkv_columns());
  mask.check(qkv.rows() - shared, shared);
}

// The rows of qkv before `own`, those of the texts themselves.
Index shared_rows(ConstMatrixFRef own, ConstMatrixFRef qkv) {
  return std::max<Index>(qkv.rows() - own.rows(), 0);
}

// Turns the scores of the keys into exponentials relative to the largest, other scores into 0; returns 1/their sum.
float exponentials(float* scores, RowRange keys, Index n) {
  std::fill(scores, scores + keys.begin, 0.f);
  std::fill(scores + keys.end, scores + n, 0.f);
  Eigen::Map<RowF> row(scores + keys.begin, keys.size());
  const float top = row.maxCoeff();
  for (Index j = keys.begin; j < keys.end; ++j) scores[j] = exp_float(scores[j] - top);
  return 1.f / row.sum();
}

// Turns the scores of the keys into unscaled weights of any normaliser, as exponentials() does for the softmax; with
// `slopes`, also into derivatives, which the vjp of the softmax does not need.
float unscaled_weights(const NormaliserSpec& normaliser, float* scores, float* slopes, RowRange keys, Index n) {
  if (normaliser.is_softmax()) return exponentials(scores, keys, n);
  for (float* row : {scores, slopes}) {
    if (row == nullptr) continue;
    std::fill(row, row + keys.begin, 0.f);
    std::fill(row + keys.end, row + n, 0.f);
  }
  return weigh_scores(normaliser.kind, keys.size(), scores + keys.begin,
                      slopes != nullptr ? slopes + keys.begin : nullptr);
}

// The rows of a text: those that it shares with others, then its own.
struct TextRows {
  Index shared;  // rows before those of all texts
  RowRange own;  // of the rows after these

  Index size() const { return shared + own.size(); }
  RowRange all() const { return {0, size()}; }
  /// The row after the shared ones of a token that is not shared.
  Index place(Index token) const { return token - shared + own.begin; }
};

// One head on one text, whose tokens count from 0.
class TextHead {
 public:
  // `from` and the matrices behind it must outlive this object: a block of a Ref asks the Ref itself for its
  // stride.
  TextHead(const Attention& attention, const Projected& from, const AttentionMask& mask, Index h, TextRows text)
      : attention_(attention), mask_(mask), text_(text), from_(from), h_(h) {
    if (attention.bias) bias_ = attention.bias->by_distance(h, text.size());
    if (text.shared > 0 && text.own.begin > 0) join(attention.keys_of(text.shared, text.all()).begin);
  }

  auto queries(RowRange tokens) const {
    const AttentionShape& shape = attention_.shape;
    const Index before = from_.keys_values.rows() - from_.queries.rows();  // that have no query
    return from_.queries.block(text_.shared + text_.place(tokens.begin) - before, shape.query_begin(h_), tokens.size(),
                               shape.width);
  }
  ConstMatrixFRef keys(RowRange tokens) const { return keys_values(tokens, attention_.shape.key_begin(h_), 0); }
  ConstMatrixFRef values(RowRange tokens) const {
    return keys_values(tokens, attention_.shape.value_begin(h_), attention_.shape.width);
  }

  // The keys that some query of these tokens sees.
  RowRange keys_of(RowRange tokens) const {
    return {attention_.keys_of(tokens.begin, text_.all()).begin, attention_.keys_of(tokens.end - 1, text_.all()).end};
  }

  // E and scale such that diag(scale)·E are the probabilities of these rows on these keys. `slopes` is [rows, keys] or
  // has no rows: f' as unscaled_weights has it.
  Eigen::VectorXf unscaled_probabilities(RowRange tokens, RowRange keys, MatrixFRef E, MatrixFRef slopes) const {
    gemm_on_this_thread(Transpose::kPlain, Transpose::kTransposed, scale_of_scores(attention_), queries(tokens),
                        this->keys(keys), 0, E);
    if (!mask_.all_visible()) E.rowwise() += mask_.key_bias().segment(keys.begin, keys.size());
    Eigen::VectorXf scale(tokens.size());
    for (Index row = 0; row < tokens.size(); ++row) {
      const Index query = tokens.begin + row;
      if (bias_.size() > 0) E.row(row) += bias_.segment(keys.begin - query + text_.size() - 1, keys.size());
      const RowRange seen = attention_.keys_of(query, text_.all());
      scale[row] = unscaled_weights(attention_.normaliser, E.row(row).data(),
                                    slopes.rows() > 0 ? slopes.row(row).data() : nullptr,
                                    {seen.begin - keys.begin, seen.end - keys.begin}, keys.size());
    }
    return scale;
  }
  Eigen::VectorXf unscaled_probabilities(RowRange tokens, RowRange keys, MatrixFRef E) const {
    MatrixF none;
    return unscaled_probabilities(tokens, keys, E, none);
  }

 private:
  ConstMatrixFRef keys_values(RowRange tokens, Index column_of_qkv, Index column_of_joined) const {
    const AttentionShape& shape = attention_.shape;
    if (joined_.rows() > 0)
      return joined_.block(tokens.begin - first_joined_, column_of_joined, tokens.size(), shape.width);
    return from_.keys_values.block(text_.own.begin + tokens.begin, column_of_qkv - shape.context_columns(),
                                   tokens.size(), shape.width);
  }

  // Copies keys and values of the tokens from `first` on below each other, because shared rows and own ones are apart.
  // Products copy them too, so this costs little in comparison, and bits are those of a text in one piece.
  void join(Index first) {
    const AttentionShape& shape = attention_.shape;
    first_joined_ = first;
    joined_.resize(text_.size() - first, 2 * shape.width);
    const auto copy = [&](Index column_of_qkv, Index to) {
      const auto column = from_.keys_values.middleCols(column_of_qkv - shape.context_columns(), shape.width);
      joined_.block(0, to, text_.shared - first, shape.width) = column.middleRows(first, text_.shared - first);
      joined_.block(text_.shared - first, to, text_.own.size(), shape.width) =
          column.middleRows(text_.shared + text_.own.begin, text_.own.size());
    };
    copy(shape.key_begin(h_), 0);
    copy(shape.value_begin(h_), shape.width);
  }

  const Attention& attention_;
  const AttentionMask& mask_;
  TextRows text_;
  const Projected& from_;
  Index h_;
  RowF bias_;               // by distance
  MatrixF joined_;          // [tokens, 2w] keys and values; empty if the text is in one piece
  Index first_joined_ = 0;  // the token that they begin with
};

// The vjp of the row-wise softmax, P = diag(scale)·E: dS = P ∘ (dP − rowsum(P ∘ dP)), where G = diag(scale)·dP is given
// and overwritten.
void softmax_vjp(ConstMatrixFRef E, const Eigen::VectorXf& scale, MatrixFRef G) {
  for (Index row = 0; row < E.rows(); ++row) {
    const float inner = E.row(row).dot(G.row(row)) * scale[row];
    G.row(row).array() = E.row(row).array() * (G.row(row).array() - inner);
  }
}

// The vjp of the weights of other normalisers, P = diag(scale)·f: dS = scale·f' ∘ (dP − rowsum(P ∘ dP)).
void weights_vjp(ConstMatrixFRef E, ConstMatrixFRef slopes, const Eigen::VectorXf& scale, MatrixFRef G) {
  for (Index row = 0; row < E.rows(); ++row) {
    const float inner = E.row(row).dot(G.row(row)) * scale[row];
    G.row(row).array() = slopes.row(row).array() * (G.row(row).array() - inner);
  }
}

// Adds to the cotangents of keys and values, which other heads may share, and writes that of the queries.
void head_vjp(const Attention& attention, ConstMatrixFRef qkv, const AttentionMask& mask, Index h, TextRows text,
              ConstMatrixFRef context_cotangent, MatrixFRef qkv_cotangent) {
  const Projected from = parts_of(qkv, attention.shape);
  const TextHead head(attention, from, mask, h, text);
  auto cotangent = head_of(qkv_cotangent, attention.shape, h);
  const float score_scale = scale_of_scores(attention);
  const Index width = attention.shape.width;
  const Blocks blocks{text.own.size(), kVjpRowBlock};
  const bool softmax = attention.normaliser.is_softmax();
  MatrixF E(std::min(text.own.size(), kVjpRowBlock), text.size() + kGap), S(E.rows(), E.cols());
  MatrixF slopes(softmax ? 0 : E.rows(), softmax ? 0 : E.cols());
  for (Index block = 0; block < blocks.count(); ++block) {
    const Index begin = text.shared + blocks.begin(block), m = blocks.length(block), place = text.place(begin);
    const RowRange rows{begin, begin + m}, keys = head.keys_of(rows);
    const RowRange kept{std::max(keys.begin, text.shared), keys.end};  // keys whose cotangents are needed
    auto e = E.topLeftCorner(m, keys.size());
    auto s = S.topLeftCorner(m, keys.size());
    auto key_cotangent = cotangent.k.middleRows(text.place(kept.begin), kept.size());
    auto value_cotangent = cotangent.v.middleRows(text.place(kept.begin), kept.size());
    auto f = softmax ? slopes.topLeftCorner(0, 0) : slopes.topLeftCorner(m, keys.size());
    const Eigen::VectorXf scale = head.unscaled_probabilities(rows, keys, e, f);
    const MatrixF out = scale.asDiagonal() * context_cotangent.block(place, h * width, m, width);
    gemm_on_this_thread(Transpose::kTransposed, Transpose::kPlain, 1, e.rightCols(kept.size()), out, 1,
                        value_cotangent);
    gemm_on_this_thread(Transpose::kPlain, Transpose::kTransposed, 1, out, head.values(keys), 0, s);
    if (softmax)
      softmax_vjp(e, scale, s);
    else
      weights_vjp(e, f, scale, s);
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, score_scale, s, head.keys(keys), 0,
                        cotangent.q.middleRows(place, m));
    gemm_on_this_thread(Transpose::kTransposed, Transpose::kPlain, score_scale, s.rightCols(kept.size()),
                        head.queries(rows), 1, key_cotangent);
  }
}

// A block of tokens of one text in one head.
struct AttentionItem {
  Index head;
  TextRows text;
  RowRange tokens;
};

// The work on the n rows after the shared ones.
std::vector<AttentionItem> attention_items(const Attention& attention, const AttentionMask& mask, Index shared,
                                           Index n) {
  // In a window a long block of rows sees many keys that each of its rows does not.
  const Index size = attention.window ? std::clamp<Index>(2 * *attention.window, 32, kRowBlock) : kRowBlock;
  std::vector<AttentionItem> items;
  for (const RowRange& own : mask.texts(n)) {
    const Blocks blocks{own.size(), size};
    for (Index h = 0; h < attention.shape.heads; ++h)
      for (Index block = 0; block < blocks.count(); ++block) {
        const Index begin = shared + blocks.begin(block);
        items.push_back({h, {shared, own}, {begin, begin + blocks.length(block)}});
      }
  }
  return items;
}

// The context of all rows but the shared ones, which come first.
void context_of(const Attention& attention, const Projected& from, const AttentionMask& mask, MatrixFRef context) {
  const Index shared = from.keys_values.rows() - context.rows(), width = attention.shape.width;
  const std::vector<AttentionItem> items = attention_items(attention, mask, shared, context.rows());
  parallel_if(context.size() >= kWorthAThread, static_cast<Index>(items.size()), [&](Index k) {
    const auto& [h, text, tokens] = items[static_cast<size_t>(k)];
    const TextHead head(attention, from, mask, h, text);
    const RowRange keys = head.keys_of(tokens);
    MatrixF P(tokens.size(), keys.size());
    const Eigen::VectorXf scale = head.unscaled_probabilities(tokens, keys, P);
    auto out = context.block(text.place(tokens.begin), h * width, tokens.size(), width);
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, 1, P, head.values(keys), 0, out);
    for (Index row = 0; row < tokens.size(); ++row) out.row(row) *= scale[row];  // on d/H columns instead of n
  });
}

// The part of some keys in the result of a query: exponentials relative to the largest score among them, summed up.
struct PartialContext {
  MatrixF context;       // [blocks, H·w]
  MatrixF largest, sum;  // [blocks, H]
};

// Adds block b, the keys `rows`.
void add_block(const AttentionShape& shape, const RowF& query, ConstMatrixFRef rows, Index b, PartialContext& to) {
  const Index w = shape.width, values = shape.kv_columns() / 2;
  Eigen::VectorXf e(rows.rows());
  for (Index h = 0; h < shape.heads; ++h) {
    const Index column = shape.kv_head(h) * w;
    e.noalias() = rows.middleCols(column, w) * query.segment(h * w, w).transpose();
    to.largest(b, h) = e.maxCoeff();
    for (float& score : e) score = exp_float(score - to.largest(b, h));
    to.sum(b, h) = e.sum();
    to.context.row(b).segment(h * w, w).noalias() = e.transpose() * rows.middleCols(values + column, w);
  }
}

// The context of one query, without packing keys and values for products, which would cost more than the products.
void context_of_one(const Attention& attention, const Projected& from, RowFRef context) {
  constexpr Index kBlock = 128;             // keys: in a long text heads one by one would leap over pages
  constexpr Index kWorthThreads = 1 << 17;  // numbers to read: 20 µs
  const AttentionShape& shape = attention.shape;
  const RowRange text{0, from.keys_values.rows()}, keys = attention.keys_of(text.end - 1, text);
  const Blocks blocks{keys.size(), kBlock};
  const RowF query = from.queries.row(0) * scale_of_scores(attention);
  PartialContext parts;
  parts.context.resize(blocks.count(), shape.context_columns());
  parts.largest.resize(blocks.count(), shape.heads);
  parts.sum.resize(blocks.count(), shape.heads);
  parallel_if(keys.size() * shape.kv_columns() >= kWorthThreads, blocks.count(), [&](Index b) {
    const auto rows = from.keys_values.middleRows(keys.begin + blocks.begin(b), blocks.length(b));
    add_block(shape, query, rows, b, parts);
  });
  for (Index h = 0; h < shape.heads; ++h) {
    const Eigen::VectorXf weights = (parts.largest.col(h).array() - parts.largest.col(h).maxCoeff()).exp();
    auto out = context.segment(h * shape.width, shape.width);
    out.noalias() = weights.transpose() * parts.context.middleCols(h * shape.width, shape.width);
    out /= weights.dot(parts.sum.col(h));
  }
}

}  // namespace

AttentionMask::AttentionMask(std::span<const int> visible) : key_bias_(static_cast<Index>(visible.size())) {
  for (Index j = 0; j < key_bias_.size(); ++j) key_bias_[j] = visible[static_cast<size_t>(j)] != 0 ? 0.f : kHiddenScore;
  if (count(key_bias_.size()) == 0)
    throw DataError("the attention mask hides every token; at least one must be visible");
  if (count(key_bias_.size()) == key_bias_.size()) key_bias_.resize(0);
}

AttentionMask AttentionMask::of_texts(std::span<const Index> lengths) {
  AttentionMask mask;
  Index end = 0;
  for (const Index length : lengths) {
    if (length < 1) throw DataError("a text of no tokens cannot stand among others; expected at least one token");
    mask.ends_.push_back(end += length);
  }
  return mask;
}

Index AttentionMask::count(Index n) const {
  return all_visible() ? n : (key_bias_.array() == 0).count();
}

void AttentionMask::check(Index n, Index shared) const {
  const Index covered = ends_.empty() ? key_bias_.size() : ends_.back(), all = ends_.empty() ? shared + n : n;
  if (covered != 0 && covered != all)
    throw DataError(fmt::format("the attention mask covers {} tokens, but there are {}", covered, all));
}

std::vector<RowRange> AttentionMask::texts(Index n) const {
  if (ends_.empty()) return {{0, n}};
  std::vector<RowRange> texts;
  texts.reserve(ends_.size());
  Index begin = 0;
  for (const Index end : ends_) {
    texts.push_back({begin, end});
    begin = end;
  }
  return texts;
}

void AttentionShape::check() const {
  if (heads < 1 || kv_heads < 1 || width < 1 || heads % kv_heads != 0)
    throw DataError(
        fmt::format("attention needs heads of at least one column, in groups of one size; got {} heads, {} of keys, {} "
                    "columns each",
                    heads, kv_heads, width));
}

RowRange Attention::keys_of(Index query, RowRange text) const {
  RowRange keys = text;
  if (window) keys = {std::max(text.begin, query - *window), std::min(text.end, query + *window + 1)};
  if (causal) keys.end = query + 1;
  return keys;
}

void Attention::forward(ConstMatrixFRef qkv, const AttentionMask& mask, MatrixFRef context) const {
  const Index shared = shared_rows(context, qkv);
  check(*this, qkv, mask, shared);
  check_columns(context, "the context", qkv.rows() - shared, shape.context_columns());
  context_of(*this, parts_of(qkv, shape), mask, context);
}

void Attention::forward_last(ConstMatrixFRef queries, ConstMatrixFRef keys_values, MatrixFRef context) const {
  shape.check();
  const Index tokens = keys_values.rows();
  check_columns(keys_values, "keys and values", tokens, shape.kv_columns());
  check_columns(queries, "queries", std::clamp<Index>(queries.rows(), 1, tokens), shape.context_columns());
  check_columns(context, "the context", queries.rows(), shape.context_columns());
  const Projected from{queries, keys_values};
  if (queries.rows() == 1 && !bias && normaliser.is_softmax()) return context_of_one(*this, from, context.row(0));
  context_of(*this, from, {}, context);
}

// Heads that share keys and values run one after the other, since they add to the same cotangents.
void Attention::vjp(ConstMatrixFRef qkv, const AttentionMask& mask, ConstMatrixFRef context_cotangent,
                    MatrixFRef qkv_cotangent) const {
  const Index shared = shared_rows(context_cotangent, qkv), rows = qkv.rows() - shared;
  check(*this, qkv, mask, shared);
  check_columns(context_cotangent, "the cotangent of the context", rows, shape.context_columns());
  check_columns(qkv_cotangent, "the cotangent of queries, keys and values", rows, shape.qkv_columns());
  const std::vector<RowRange> texts = mask.texts(rows);
  const Index group = shape.heads / shape.kv_heads, items = shape.kv_heads * static_cast<Index>(texts.size());
  parallel_if(context_cotangent.size() >= kWorthAThread, items, [&](Index item) {
    const RowRange& own = texts[static_cast<size_t>(item / shape.kv_heads)];
    const Index first_head = item % shape.kv_heads * group;
    auto cotangent = head_of(qkv_cotangent, shape, first_head);
    cotangent.k.middleRows(own.begin, own.size()).setZero();
    cotangent.v.middleRows(own.begin, own.size()).setZero();
    for (Index h = first_head; h < first_head + group; ++h)
      head_vjp(*this, qkv, mask, h, {shared, own}, context_cotangent, qkv_cotangent);
  });
}

MatrixF Attention::probabilities(ConstMatrixFRef qkv, const AttentionMask& mask, Index head) const {
  check(*this, qkv, mask);
  if (head < 0 || head >= shape.heads)
    throw UsageError(fmt::format("head {} does not exist; there are heads 0 to {}", head, shape.heads - 1));
  const RowRange text{0, qkv.rows()};
  MatrixF P(qkv.rows(), qkv.rows());
  const Projected from = parts_of(qkv, shape);
  const Eigen::VectorXf scale = TextHead(*this, from, mask, head, {0, text}).unscaled_probabilities(text, text, P);
  for (Index row = 0; row < P.rows(); ++row) P.row(row) *= scale[row];
  return P;
}

}  // namespace wordsway
