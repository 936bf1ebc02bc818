// The keys that a query of a text sees, and where the rows of a text are, for kernels of attention
// (attention_kernels.cuh). Positions count from the start of the text; those before its own rows, in a decoder, are the
// same for all texts.
#pragma once

#include "wordsway/cuda/attention_kernels.cuh"
#include "wordsway/cuda/operand.cuh"

namespace wordsway::cuda {

// The keys of a text that a query may see.
struct Sight {
  const AttentionCall& call;
  int length;         // positions, those before the text's own rows included
  const float* bias;  // of the head, by distance
  float scale;        // from products to exponents of 2

  __device__ Sight(const AttentionCall& of, int positions, int head)
      : call(of),
        length(positions),
        bias(of.distance_bias != nullptr ? of.distance_bias + static_cast<long>(head) * (2 * of.most - 1) + of.most - 1
                                         : nullptr),
        scale(of.scale * 1.44269504088896341f) {}

  __device__ bool sees(int query, int key) const {
    if (query >= length || key >= length || (call.causal && key > query)) return false;
    return call.window < 0 || abs(key - query) <= call.window;
  }
  // Whether all queries below `end` see all keys below `key_end`, and nothing is added to their scores.
  __device__ bool whole(int end, int key_end) const {
    return bias == nullptr && !call.causal && call.window < 0 && end <= length && key_end <= length;
  }
  // A product that counts nothing where the key is not seen, with the bias in the units of the product.
  __device__ float seen(float product, int query, int key) const {
    if (!sees(query, key)) return -INFINITY;
    return bias != nullptr ? product + bias[key - query] / call.scale : product;
  }
  // Keys that queries [first, last] may see, and queries that may see keys [first, last]: tiles outside are left out.
  __device__ int first_key(int query) const { return call.window < 0 ? 0 : max(0, query - call.window); }
  __device__ int end_key(int query) const {
    int end = length;
    if (call.causal) end = min(end, query + 1);
    if (call.window >= 0) end = min(end, query + call.window + 1);
    return end;
  }
  __device__ int first_query(int key) const {
    return max(call.causal ? key : 0, call.window < 0 ? 0 : key - call.window);
  }
  __device__ int end_query(int key) const { return call.window < 0 ? length : min(length, key + call.window + 1); }
};

// Columns of a matrix by position in a text: of the text's own rows.
template <typename Number>
struct OwnColumns {
  const Number* own;  // at position 0
  int stride;

  __device__ const Number* at(int position) const { return own + static_cast<long>(position) * stride; }
};

// Columns of these rows and of the positions before them.
template <typename Number>
struct AllColumns {
  OwnColumns<Number> own;
  int first;  // position of the first row of its own
  const Number* before;
  int before_stride;

  __device__ const Number* at(int position) const {
    return position < first ? before + static_cast<long>(position) * before_stride : own.at(position);
  }
};

// Columns of queries, keys and values, and of what is as wide as the queries: the context and its cotangent.
template <typename Number>
struct Projections {
  const AttentionCall& call;
  int begin, before;  // the text's first row of its own, and positions before it

  __device__ OwnColumns<Number> own(int column) const {
    const int stride = (call.heads + 2 * call.kv_heads) * call.width;
    return {static_cast<const Number*>(call.qkv) + static_cast<long>(begin - before) * stride + column, stride};
  }
  __device__ AllColumns<Number> all(int column) const {
    return {own(column), before, static_cast<const Number*>(call.texts.before) + column - call.heads * call.width,
            call.texts.before_stride};
  }
  __device__ OwnColumns<Number> queries(int head) const { return own(head * call.width); }
  __device__ OwnColumns<Number> of_context(int head, const Number* matrix) const {
    const int stride = call.heads * call.width;
    return {matrix + static_cast<long>(begin - before) * stride + head * call.width, stride};
  }
  __device__ int key_column(int head) const { return (call.heads + head) * call.width; }
  __device__ int value_column(int head) const { return (call.heads + call.kv_heads + head) * call.width; }
};

}  // namespace wordsway::cuda
