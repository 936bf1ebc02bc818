// Kernels of the random maps: attention with any normaliser when one token moves or several, and random features. All
// in double.
//
// Matrices are on the device, row by row. Kernels that go over the rows of a matrix read every row once (row_pass.cuh).
// Sums have a fixed order: the same rows give the same bits.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "wordsway/maps/attention/normaliser_table.h"
#include "wordsway/maps/random_features/activation_table.h"

namespace wordsway::cuda {

/// The widest row of which a block holds tiles.
inline constexpr int kMostColumns = 2048;

// Attention.

/// f of a normaliser (maps/attention/normaliser.h).
using DeviceNormaliser = NormaliserSpec;

/// scores: [rows, n] become f of them (of softmax: over the row's largest), which are the weights but for `scales`,
/// [rows], 1 over a row's sum. Writes masses and Σ_m P_jm·norms[m], [rows] each.
void weigh_rows(cudaStream_t stream, DeviceNormaliser f, int rows, long n, const double* norms, double* scores,
                double* scales, double* masses, double* terms);

/// out[row] = scales[row]·Σ_p parts[p][row]; parts: [count][rows, columns].
void add_parts(cudaStream_t stream, int rows, int columns, int count, const double* parts, const double* scales,
               double* out);

/// The norm of every row.
void row_norms(cudaStream_t stream, long rows, int columns, const double* matrix, double* norms);

/// What one token's moves need besides X, φ and W: AttentionToken's vectors, on the device.
struct AttentionTokenArrays {
  int token = 0;
  const double *row_scores = nullptr, *row_masses = nullptr, *row_weights = nullptr, *squared_offsets = nullptr;
  const double* inverse_rests = nullptr;  // e_j = inverse_rests[j]·(x_i − φ_j); 0: row j is i or one of `special`
  const double *own_scores = nullptr, *own_slope = nullptr;
  int special_count = 0;  // rows whose e_j are stored
  const int* special_rows = nullptr;
  const double* special_offsets = nullptr;  // [special_count, d]
};

/// Moves of tokens of one sample: move b is deltas[b] of tokens[b]. All pointers to the device.
struct AttentionMoves {
  DeviceNormaliser f;
  long n = 0;
  int d = 0, count = 0;
  const double *X = nullptr, *features = nullptr;  // [n, d]
  const AttentionTokenArrays* tokens = nullptr;    // [count]
  const double* deltas = nullptr;                  // [count, d]
  const double *by_row = nullptr, *own = nullptr;  // WΔ/√d and WᵀΔ/√d: [count, d]
  // Written:
  double* values = nullptr;                       // [count]
  double *row_sum = nullptr, *own_sum = nullptr;  // [count, d], whose products with W are still to be added
  double* gradients = nullptr;                    // [count, d]: the rest; null: no gradients
  void* scratch = nullptr;
};

/// Bytes of scratch for so many moves.
size_t attention_scratch_bytes(long n, int d, int count);

/// Value and, but for the products with W, gradients of ‖φ(X^i(Δ)) − φ(X)‖²: one pass over X and φ, and one more over X
/// for gradients.
void evaluate_attention_moves(cudaStream_t stream, const AttentionMoves& moves);

// Attention when M tokens move together, T their set. Products of matrices are made between the kernels
// (device_attention_moves.cpp).

/// MovedTokens (maps/attention/attention_moves.h), on the device.
struct MovedTokensArrays {
  int count = 0;                                                                      // M
  const int *tokens = nullptr, *places = nullptr;                                     // [M]; [n]: where in T, −1: not
  const double *row_scores = nullptr, *row_weights = nullptr, *own_scores = nullptr;  // [M, n]
  const double *row_masses = nullptr, *others = nullptr;                              // [n], [n, d]
  const double* X = nullptr;                                                          // [M, d]
};

/// Moves of these tokens, B of them. Where a kernel writes over what it was given, both are named.
struct TogetherMoves {
  DeviceNormaliser f;
  long n = 0;
  int d = 0, count = 0;  // B
  MovedTokensArrays tokens;
  const double* features = nullptr;                       // [n, d]
  double *deltas = nullptr, *moved = nullptr;             // [B, M, d]: Δ_t, x_t + Δ_t
  double *turned = nullptr, *turned_back = nullptr;       // [B, M, d]: WΔ_t/√d, WᵀΔ_t/√d
  double *row_weights = nullptr, *own_weights = nullptr;  // [B, M, n]: by how much scores move, then weights
  double *row_slopes = nullptr, *own_slopes = nullptr;    // [B, M, n]: f' over the row's mass
  double *gains = nullptr, *gain_sums = nullptr;  // [B, M, n], [B, n]: p − p⁰ of rows outside T, and Σ_t of it
  double *crossed = nullptr, *among = nullptr;    // [B, M, M]: Δ_t·WΔ_u/√d; own_weights on T
  double *own_rows = nullptr, *own_cotangents = nullptr;  // [B, M, d] of rows in T
  double* changes = nullptr;                              // [B, n, d], then cotangents
  double *output_dots = nullptr, *squares = nullptr;      // [B, n]
  double* values = nullptr;                               // [B]
  // The way back.
  double *by_row = nullptr, *by_own = nullptr;          // [B, M, n]: cotangent·token, then derivatives by scores
  double *own_on_moves = nullptr, *by_cross = nullptr;  // [B, M, M]: own_cotangents_t·Δ_u; by scores of T on T
};

/// moved = x_t + Δ_t.
void move_tokens(cudaStream_t stream, const TogetherMoves& moves);

/// Weights and slopes of rows in T, from row_weights (which still are shifts) and crossed, and `among`; then those of
/// rows outside T, and gains.
void attend_together(cudaStream_t stream, const TogetherMoves& moves);

/// From own_rows and changes, which lack (Σ_t gains_t)·o_j: values, cotangents in the place of changes, and
/// output_dots, cotangents times own rows or o_j.
void read_together(cudaStream_t stream, const TogetherMoves& moves);

/// Turns by_row, by_own and own_on_moves into derivatives by scores; by_row has columns in T too, from by_cross.
void pull_back_together(cudaStream_t stream, const TogetherMoves& moves);

// Random features.

/// Numbers [first, first + count) of a stream (random/gaussian.h), times scale.
void fill_gaussians(cudaStream_t stream, std::uint64_t key, std::uint64_t first, std::uint64_t count, double scale,
                    double* out);

/// z = scale·Σ_j G_j x_j, where G_j: [rows, columns] has the entries of the stream keys[j], made and not kept.
/// x: [matrices, columns].
void gaussian_product(cudaStream_t stream, const std::uint64_t* keys, int matrices, long rows, int columns,
                      double scale, const double* x, double* z);

/// z ← z + before (where given), features = σ(z), slopes = σ'(z) (where wanted); all [count, width], before: [width].
void activate_features(cudaStream_t stream, ActivationKind kind, long width, int count, const double* before,
                       const double* z, double* features, double* slopes);

/// values[b] = Σ (features − reference)², features ← 2(features − reference)∘slopes; or, where psis[b] is not null,
/// values[b] = Σ features∘psis[b], features ← psis[b]∘slopes. slopes null: no cotangents. parts: [count, kReadParts].
inline constexpr int kReadParts = 128;
void read_features(cudaStream_t stream, long width, int count, const double* reference, const double* const* psis,
                   const double* slopes, double* features, double* parts, double* values);

/// cotangents ∘= slopes.
void multiply_entries(cudaStream_t stream, long count, const double* slopes, double* cotangents);

/// Moves of one token of features of one layer: z = before + rows·Δ for the rows of the token's weights, which are read
/// once. Writes values[b] as read_features does and, unless null, gradients[b] = Σ_r (its slope by z_r)·rows[r].
struct ShallowMoves {
  ActivationKind kind = ActivationKind::kRelu;
  long width = 0;
  int columns = 0, count = 0;
  const double *weights = nullptr, *before = nullptr;  // [width, columns], [width]
  const double* reference = nullptr;                   // [width]
  const double* const* psis = nullptr;                 // [count], of [width] each or null
  const double* deltas = nullptr;                      // [count, columns]
  double *values = nullptr, *gradients = nullptr;      // [count], [count, columns]
  void* scratch = nullptr;                             // of shallow_scratch_bytes
};
size_t shallow_scratch_bytes(long width, int columns, int count);
void evaluate_shallow_moves(cudaStream_t stream, const ShallowMoves& moves);

/// products[b][r] = rows[r]·vectors[b]; rows: [count_rows, columns], vectors: [count, columns].
void row_products(cudaStream_t stream, long rows, int columns, const double* matrix, int count, const double* vectors,
                  double* products);

/// sums[b] = Σ_r coefficients[b][r]·rows[r]: [count, columns]. `scratch` is as large as shallow_scratch_bytes says for
/// these rows.
void row_sums(cudaStream_t stream, long rows, int columns, const double* matrix, int count, const double* coefficients,
              void* scratch, double* sums);

}  // namespace wordsway::cuda
