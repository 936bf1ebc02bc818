// Attention when several tokens move: what happens to every row between the products.
#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/cuda/map_normalisers.cuh"
#include "wordsway/cuda/row_pass.cuh"

namespace wordsway::cuda {
namespace {

__global__ void move_tokens_kernel(TogetherMoves moves) {
  const long each = static_cast<long>(moves.tokens.count) * moves.d, size = moves.count * each;
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < size;
       at += static_cast<long>(gridDim.x) * blockDim.x)
    moves.moved[at] = moves.tokens.X[at % each] + moves.deltas[at];
}

// A block for each row of T and move. Grid: B·M.
__global__ void attend_own_rows_kernel(TogetherMoves moves) {
  __shared__ double shared[32];
  const MovedTokensArrays& tokens = moves.tokens;
  const bool softmax = moves.f.kind == NormaliserKind::kSoftmax;
  const long n = moves.n, M = tokens.count, b = blockIdx.x / M, t = blockIdx.x % M;
  const double *before = tokens.own_scores + t * n, *crossed = moves.crossed + blockIdx.x * M;
  double *row = moves.own_weights + blockIdx.x * n, *slopes = moves.own_slopes + blockIdx.x * n;
  double* const among = moves.among + blockIdx.x * M;
  double peak = softmax ? -kInfinity : 0;
  for (long m = threadIdx.x; m < n; m += blockDim.x) {
    double score = before[m] + row[m];
    const int u = tokens.places[m];
    if (u >= 0) score += moves.row_weights[(b * M + u) * n + tokens.tokens[t]] + crossed[u];
    row[m] = score;
    if (softmax) peak = fmax(peak, score);
  }
  if (softmax) peak = block_max(peak, shared);
  double sum = 0;
  for (long m = threadIdx.x; m < n; m += blockDim.x) sum += piece_weight(moves.f, row[m], peak);
  sum = block_sum(sum, shared);
  const double scale = sum > 0 ? 1 / sum : 0;
  for (long m = threadIdx.x; m < n; m += blockDim.x) {
    const Slope piece = piece_slope(moves.f, row[m], peak);
    row[m] = piece.value * scale;
    slopes[m] = piece.slope * scale;
    const int u = tokens.places[m];
    if (u >= 0) among[u] = row[m];
  }
}

// A thread for each row and move, which goes over T; entries of a row are n apart.
__global__ void attend_rows_kernel(TogetherMoves moves) {
  const MovedTokensArrays& tokens = moves.tokens;
  const bool softmax = moves.f.kind == NormaliserKind::kSoftmax;
  const long n = moves.n, M = tokens.count;
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < moves.count * n;
       at += static_cast<long>(gridDim.x) * blockDim.x) {
    const long j = at % n, first = at / n * M * n + j;
    double *weights = moves.row_weights + first, *slopes = moves.row_slopes + first, *gains = moves.gains + first;
    if (tokens.places[j] >= 0) {
      for (long t = 0; t < M; ++t) weights[t * n] = slopes[t * n] = gains[t * n] = 0;
      moves.gain_sums[at] = 0;
      continue;
    }
    double peak = softmax ? -kInfinity : 0;
    for (long t = 0; t < M; ++t) {
      weights[t * n] += tokens.row_scores[t * n + j];
      if (softmax) peak = fmax(peak, weights[t * n]);
    }
    double sum = 0;
    for (long t = 0; t < M; ++t) sum += piece_weight(moves.f, weights[t * n], peak);
    const double scale = sum > 0 ? share_of(moves.f, mass_of(moves.f, peak, sum), tokens.row_masses[j]) / sum : 0;
    double gain_sum = 0;
    for (long t = 0; t < M; ++t) {
      const Slope piece = piece_slope(moves.f, weights[t * n], peak);
      weights[t * n] = piece.value * scale;
      slopes[t * n] = piece.slope * scale;
      gains[t * n] = weights[t * n] - tokens.row_weights[t * n + j];
      gain_sum += gains[t * n];
    }
    moves.gain_sums[at] = gain_sum;
  }
}

// A warp for each row and move.
__global__ void read_rows_kernel(TogetherMoves moves) {
  const long n = moves.n, M = moves.tokens.count, at = blockIdx.x * static_cast<long>(kWarps) + threadIdx.x / 32;
  if (at >= moves.count * n) return;
  const long j = at % n, d = moves.d, place = moves.tokens.places[j], own = (at / n * M + place) * d;
  const bool outside = place < 0;
  const double* const output = outside ? moves.tokens.others + j * d : moves.own_rows + own;
  const double gain = moves.gain_sums[at];
  double square = 0, dot = 0;
  for (long c = threadIdx.x % 32; c < d; c += 32) {
    double& entry = moves.changes[at * d + c];
    const double change = outside ? entry - gain * output[c] : output[c] - moves.features[j * d + c];
    entry = 2 * change;
    square += change * change;
    dot += 2 * change * output[c];
    if (!outside) moves.own_cotangents[own + c] = 2 * change;
  }
  square = warp_sum(square);
  dot = warp_sum(dot);
  if (threadIdx.x % 32 > 0) return;
  moves.squares[at] = square;
  moves.output_dots[at] = dot;
}

// Grid: B.
__global__ void add_squares_kernel(TogetherMoves moves) {
  __shared__ double shared[32];
  const double* const squares = moves.squares + blockIdx.x * moves.n;
  double sum = 0;
  for (long j = threadIdx.x; j < moves.n; j += blockDim.x) sum += squares[j];
  sum = block_sum(sum, shared);
  if (threadIdx.x == 0) moves.values[blockIdx.x] = sum;
}

// A weight that grows takes from all: dp_t = f'_t/Z ds_t − p_t Σ_u f'_u/Z ds_u. A thread for each row and move.
__global__ void pull_back_rows_kernel(TogetherMoves moves) {
  const long n = moves.n, M = moves.tokens.count;
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < moves.count * n;
       at += static_cast<long>(gridDim.x) * blockDim.x) {
    const long j = at % n, first = at / n * M * n + j;
    if (moves.tokens.places[j] >= 0) continue;  // pull_back_own_rows_kernel writes it
    const double *weights = moves.row_weights + first, *slopes = moves.row_slopes + first;
    double* const along = moves.by_row + first;
    const double others = moves.output_dots[at];
    double mean = 0;
    for (long t = 0; t < M; ++t) mean += (along[t * n] - others) * weights[t * n];
    for (long t = 0; t < M; ++t) along[t * n] = slopes[t * n] * (along[t * n] - others - mean);
  }
}

// A thread for each entry of [B, M, n].
__global__ void pull_back_own_rows_kernel(TogetherMoves moves) {
  const MovedTokensArrays& tokens = moves.tokens;
  const long n = moves.n, M = tokens.count, size = moves.count * M * n;
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < size;
       at += static_cast<long>(gridDim.x) * blockDim.x) {
    const long row = at / n, b = row / M, token = tokens.tokens[row % M];
    const int u = tokens.places[at % n];
    const double on_move = u >= 0 ? moves.own_on_moves[row * M + u] : 0;
    const double by_score = moves.own_slopes[at] * (moves.by_own[at] + on_move - moves.output_dots[b * n + token]);
    moves.by_own[at] = by_score;
    if (u < 0) continue;
    moves.by_cross[row * M + u] = by_score;
    moves.by_row[(b * M + u) * n + token] = by_score;  // Δ_u moves this score too
  }
}

}  // namespace

void move_tokens(cudaStream_t stream, const TogetherMoves& moves) {
  const long size = static_cast<long>(moves.count) * moves.tokens.count * moves.d;
  move_tokens_kernel<<<blocks_for(size, kThreads), kThreads, 0, stream>>>(moves);
}

void attend_together(cudaStream_t stream, const TogetherMoves& moves) {
  attend_own_rows_kernel<<<static_cast<unsigned>(moves.count * moves.tokens.count), 512, 0, stream>>>(moves);
  attend_rows_kernel<<<blocks_for(moves.count * moves.n, kThreads), kThreads, 0, stream>>>(moves);
}

void read_together(cudaStream_t stream, const TogetherMoves& moves) {
  const long rows = moves.count * moves.n;
  read_rows_kernel<<<static_cast<unsigned>((rows + kWarps - 1) / kWarps), kThreads, 0, stream>>>(moves);
  add_squares_kernel<<<static_cast<unsigned>(moves.count), kThreads, 0, stream>>>(moves);
}

void pull_back_together(cudaStream_t stream, const TogetherMoves& moves) {
  pull_back_rows_kernel<<<blocks_for(moves.count * moves.n, kThreads), kThreads, 0, stream>>>(moves);
  pull_back_own_rows_kernel<<<blocks_for(moves.n * moves.count * moves.tokens.count, kThreads), kThreads, 0, stream>>>(
      moves);
}

}  // namespace wordsway::cuda
