#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/cuda/map_normalisers.cuh"
#include "wordsway/cuda/row_pass.cuh"

namespace wordsway::cuda {
namespace {

__global__ void weigh_rows_kernel(DeviceNormaliser f, long n, const double* norms, double* scores, double* scales,
                                  double* masses, double* terms) {
  __shared__ double shared[32];
  double* const row = scores + blockIdx.x * n;
  double peak = 0;
  if (f.kind == NormaliserKind::kSoftmax) {
    peak = -kInfinity;
    for (long m = threadIdx.x; m < n; m += blockDim.x) peak = fmax(peak, row[m]);
    peak = block_max(peak, shared);
  }
  double sum = 0, term = 0;
  for (long m = threadIdx.x; m < n; m += blockDim.x) {
    const double weight = piece_weight(f, row[m], peak);
    row[m] = weight;
    sum += weight;
    term += weight * norms[m];
  }
  sum = block_sum(sum, shared);
  term = block_sum(term, shared);
  if (threadIdx.x > 0) return;
  const double scale = sum > 0 ? 1 / sum : 0;
  scales[blockIdx.x] = scale;
  masses[blockIdx.x] = mass_of(f, peak, sum);
  terms[blockIdx.x] = term * scale;
}

__global__ void add_parts_kernel(int rows, int columns, int count, const double* parts, const double* scales,
                                 double* out) {
  const long size = static_cast<long>(rows) * columns;
  for (long at = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; at < size;
       at += static_cast<long>(gridDim.x) * blockDim.x) {
    double sum = 0;
    for (int p = 0; p < count; ++p) sum += parts[p * size + at];
    out[at] = scales[at / columns] * sum;
  }
}

__global__ void row_norms_kernel(long rows, int columns, const double* matrix, double* norms) {
  const long row = blockIdx.x * static_cast<long>(kWarps) + threadIdx.x / 32;
  if (row >= rows) return;
  double sum = 0;
  for (int c = threadIdx.x % 32; c < columns; c += 32) sum += matrix[row * columns + c] * matrix[row * columns + c];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) norms[row] = sqrt(sum);
}

// The result of a part of the rows for each move: three vectors and these sums.
struct PartSums {
  double value, squared_weights, coefficients, peak, mass;
};

// Numbers of one move, computed before the passes (the first four) and between them.
struct MoveNumbers {
  double squared_delta, along;   // ‖Δ‖², x_i·Δ
  double own_score;              // s_ii after the move
  double mass, peak;             // of row i
  double own_weight, own_slope;  // of s_ii in row i
  double output_dot;             // output·cotangent
  double squared_weights, coefficients;
};

struct Scratch {
  double* own_scores;    // [count, n] row i after the move
  double* part_vectors;  // [count, parts + 1, 3, d]
  double* own_vectors;   // [count, parts, d]
  double* cotangents;    // [count, d]
  double* feature_sums;  // [count, d]
  PartSums* part_sums;   // [count, parts + 1]
  MoveNumbers* numbers;  // [count]
};

// Vectors are read two numbers at a time.
long even(long numbers) {
  return (numbers + 1) / 2 * 2;
}

Scratch scratch_in(void* memory, long n, int d, int count) {
  const long parts = row_parts(n, d, count);
  auto* at = static_cast<double*>(memory);
  const auto take = [&](long numbers) {
    double* const here = at;
    at += even(numbers);
    return here;
  };
  Scratch scratch;
  scratch.own_scores = take(count * n);
  scratch.part_vectors = take(count * (parts + 1) * 3 * d);
  scratch.own_vectors = take(count * parts * d);
  scratch.cotangents = take(static_cast<long>(count) * d);
  scratch.feature_sums = take(static_cast<long>(count) * d);
  scratch.part_sums = reinterpret_cast<PartSums*>(take(count * (parts + 1) * 5));
  scratch.numbers = reinterpret_cast<MoveNumbers*>(take(static_cast<long>(count) * 10));
  return scratch;
}

__global__ void begin_moves_kernel(AttentionMoves moves, Scratch scratch) {
  __shared__ double shared[32];
  const int b = blockIdx.x, d = moves.d;
  const AttentionTokenArrays token = moves.tokens[b];
  const double *delta = moves.deltas + static_cast<long>(b) * d, *x = moves.X + static_cast<long>(token.token) * d;
  double square = 0, along = 0, self = 0;
  for (int c = threadIdx.x; c < d; c += blockDim.x) {
    const long at = static_cast<long>(b) * d + c;
    square += delta[c] * delta[c];
    along += x[c] * delta[c];
    self += delta[c] * (token.own_slope[c] + 0.5 * (moves.by_row[at] + moves.own[at]));
  }
  square = block_sum(square, shared);
  along = block_sum(along, shared);
  self = block_sum(self, shared);
  if (threadIdx.x > 0) return;
  MoveNumbers& numbers = scratch.numbers[b];
  numbers.squared_delta = square;
  numbers.along = along;
  numbers.own_score = token.own_scores[token.token] + self;
}

// One row j ≠ i of attention: its part of the value and the coefficients of its gradient.
struct RowResult {
  double value, squared_weight;
  double by_score, by_offset;  // derivatives by a_j·Δ and e_j·Δ
};

struct RowBefore {
  double score, mass, weight, square;  // the score with its move, the rest without: see AttentionTokenArrays
};

__device__ RowResult row_after_move(DeviceNormaliser f, const RowBefore& row, double offset_dot, double squared_delta) {
  const Slope p = weight_against(f, row.score, row.mass);
  const double gain = p.value - row.weight;
  return {
      gain * gain * row.square + 2 * gain * p.value * offset_dot + p.value * p.value * squared_delta, p.value * p.value,
      2 * p.slope * (gain * row.square + (p.value + gain) * offset_dot + p.value * squared_delta), 2 * gain * p.value};
}

// The pass over X and φ: rows j ≠ i (the first warp) and row i (the second).
struct AttentionTask {
  static constexpr int kMatrices = 2, kKinds = 3, kTurners = 2;
  static constexpr bool kProducts = true;
  static constexpr int kRowNumbers = 5;

  AttentionMoves moves;
  Scratch scratch;
  int parts;
  // The state of a thread of the turning warps.
  PartSums total = {0, 0, 0, -kInfinity, 0};
  AttentionTokenArrays token = {};
  MoveNumbers own = {};

  __device__ void begin(int, int move) {
    token = moves.tokens[move];
    own = scratch.numbers[move];
  }
  __device__ bool writes(int turner, int kind) const { return (kind == 2) == (turner == 1); }

  // Row j's score, mass, weight, squared offset and inverse rest; or, for the second warp, row i's score on row j.
  __device__ const double* row_number(int turner, int k, TurnedRow row) const {
    const double* const arrays[] = {turner == 1 ? token.own_scores : token.row_scores, token.row_masses,
                                    token.row_weights, token.squared_offsets, token.inverse_rests};
    return turner == 1 && k > 0 ? nullptr : arrays[k] + row.row;
  }

  template <int kRows>
  __device__ double turn(int turner, TurnedRow row, const double (&numbers)[5], const double (&products)[3],
                         double (&coefficients)[3]) {
    if (turner == 0) {
      if (!row.there || numbers[4] == 0) return 1;
      const double dot = numbers[4] * (own.along - products[1]);
      const RowResult result = row_after_move(moves.f, {numbers[0] + products[0], numbers[1], numbers[2], numbers[3]},
                                              dot, own.squared_delta);
      total.value += result.value;
      total.squared_weights += result.squared_weight;
      coefficients[0] = result.by_score;
      coefficients[1] = result.by_offset * numbers[4];
      total.coefficients += coefficients[1];
      return 1;
    }
    double score = -kInfinity;
    if (row.there) {
      score = row.row == token.token ? own.own_score : numbers[0] + products[2];
      scratch.own_scores[row.move * moves.n + row.row] = score;
    }
    double scale = 1;
    if (moves.f.kind == NormaliserKind::kSoftmax) {
      const double higher = fmax(total.peak, segment_max<kRows>(score));
      scale = rescale(moves.f, total.peak, higher);
      total.peak = higher;
    } else {
      total.peak = 0;
    }
    coefficients[2] = row.there ? piece_weight(moves.f, score, total.peak) : 0;
    total.mass = total.mass * scale + coefficients[2];
    return scale;
  }

  template <int kRows>
  __device__ void finish(int turner, TurnedRow row) {
    total.value = segment_sum<kRows>(total.value);
    total.squared_weights = segment_sum<kRows>(total.squared_weights);
    total.coefficients = segment_sum<kRows>(total.coefficients);
    total.mass = segment_sum<kRows>(total.mass);
    if (!row.there || row.row != 0) return;
    PartSums& sums = scratch.part_sums[static_cast<long>(row.move) * (parts + 1) + blockIdx.y];
    if (turner == 0) {
      sums.value = total.value;
      sums.squared_weights = total.squared_weights;
      sums.coefficients = total.coefficients;
    } else {
      sums.peak = total.peak;
      sums.mass = total.mass;
    }
  }
};

// The rows whose e_j are stored, as one more part. Grid: moves.
__global__ void special_rows_kernel(AttentionMoves moves, Scratch scratch, int parts) {
  __shared__ double shared[32];
  const int b = blockIdx.x, d = moves.d;
  const long base = static_cast<long>(b) * d, slot = static_cast<long>(b) * (parts + 1) + parts;
  const AttentionTokenArrays token = moves.tokens[b];
  double* const vectors = scratch.part_vectors + slot * 3 * d;
  for (int c = threadIdx.x; c < 3 * d; c += blockDim.x) vectors[c] = 0;
  PartSums total{0, 0, 0, moves.f.kind == NormaliserKind::kSoftmax ? -kInfinity : 0, 0};
  for (int s = 0; s < token.special_count; ++s) {
    const long j = token.special_rows[s];
    const double *x = moves.X + j * d, *offset = token.special_offsets + static_cast<long>(s) * d;
    double shift = 0, dot = 0;
    for (int c = threadIdx.x; c < d; c += blockDim.x) {
      shift += x[c] * moves.by_row[base + c];
      dot += offset[c] * moves.deltas[base + c];
    }
    shift = block_sum(shift, shared);
    dot = block_sum(dot, shared);
    const RowResult row = row_after_move(
        moves.f, {token.row_scores[j] + shift, token.row_masses[j], token.row_weights[j], token.squared_offsets[j]},
        dot, scratch.numbers[b].squared_delta);
    total.value += row.value;
    total.squared_weights += row.squared_weight;
    for (int c = threadIdx.x; c < d; c += blockDim.x) {
      vectors[c] += row.by_score * x[c];
      vectors[d + c] -= row.by_offset * offset[c];
    }
  }
  if (threadIdx.x == 0) scratch.part_sums[slot] = total;
}

// The numbers of a move, once all parts are there. Grid: moves.
__global__ void join_numbers_kernel(AttentionMoves moves, Scratch scratch, int parts) {
  __shared__ double shared[32];
  const int b = blockIdx.x;
  const bool softmax = moves.f.kind == NormaliserKind::kSoftmax;
  const PartSums* const sums = scratch.part_sums + static_cast<long>(b) * (parts + 1);
  double peak = softmax ? -kInfinity : 0, mass = 0, value = 0, squares = 0, coefficients = 0;
  for (int p = threadIdx.x; p <= parts; p += blockDim.x) peak = fmax(peak, sums[p].peak);
  peak = block_max(peak, shared);
  for (int p = threadIdx.x; p <= parts; p += blockDim.x) {
    if (sums[p].mass > 0) mass += sums[p].mass * rescale(moves.f, sums[p].peak, peak);
    value += sums[p].value;
    squares += sums[p].squared_weights;
    coefficients += sums[p].coefficients;
  }
  mass = block_sum(mass, shared);
  value = block_sum(value, shared);
  squares = block_sum(squares, shared);
  coefficients = block_sum(coefficients, shared);
  if (threadIdx.x > 0) return;
  MoveNumbers& numbers = scratch.numbers[b];
  const double inverse = mass > 0 ? 1 / mass : 0;
  numbers.mass = mass;
  numbers.peak = peak;
  numbers.own_weight = piece_weight(moves.f, numbers.own_score, peak) * inverse;
  numbers.own_slope =
      softmax ? moves.f.beta * numbers.own_weight : plain_weight(moves.f, numbers.own_score).slope * inverse;
  numbers.squared_weights = squares;
  numbers.coefficients = coefficients;
  moves.values[b] = value;
}

// The vectors of a move: sums over rows and, as a cotangent, the change of row i's output. Grid: moves, columns/32.
__global__ void join_vectors_kernel(AttentionMoves moves, Scratch scratch, int parts) {
  const int b = blockIdx.x, d = moves.d, c = static_cast<int>(blockIdx.y * 32 + threadIdx.x % 32);
  const long slots = static_cast<long>(b) * (parts + 1);
  const PartSums* const sums = scratch.part_sums + slots;
  const MoveNumbers numbers = scratch.numbers[b];
  double found[3];
  sum_parts<3>(
      parts + 1,
      [&](int p, double(&own)[3]) {
        if (c >= d) return;
        const double* const vectors = scratch.part_vectors + (slots + p) * 3 * d;
        own[0] += vectors[c];
        own[1] += vectors[d + c];
        if (sums[p].mass > 0) own[2] += rescale(moves.f, sums[p].peak, numbers.peak) * vectors[2 * d + c];
      },
      found);
  if (threadIdx.x >= 32 || c >= d) return;
  const long at = static_cast<long>(b) * d + c;
  moves.row_sum[at] = found[0];
  scratch.feature_sums[at] = found[1];
  const double output = (numbers.mass > 0 ? found[2] / numbers.mass : 0) + numbers.own_weight * moves.deltas[at];
  scratch.cotangents[at] = 2 * (output - moves.features[static_cast<long>(moves.tokens[b].token) * d + c]);
}

// The terms that depend on the whole cotangent. Grid: moves.
__global__ void join_outputs_kernel(AttentionMoves moves, Scratch scratch) {
  __shared__ double shared[32];
  const int b = blockIdx.x, d = moves.d;
  const long base = static_cast<long>(b) * d, row = static_cast<long>(moves.tokens[b].token) * d;
  double square = 0, output_dot = 0, along = 0;
  for (int c = threadIdx.x; c < d; c += blockDim.x) {
    const double cotangent = scratch.cotangents[base + c], change = 0.5 * cotangent;
    square += change * change;
    output_dot += (moves.features[row + c] + change) * cotangent;
    along += (moves.X[row + c] + moves.deltas[base + c]) * cotangent;
  }
  square = block_sum(square, shared);
  output_dot = block_sum(output_dot, shared);
  along = block_sum(along, shared);
  if (threadIdx.x > 0) return;
  moves.values[b] += square;
  scratch.numbers[b].output_dot = output_dot;
  scratch.numbers[b].own_slope *= along - output_dot;
}

// Row i's own gradient by its scores on the others.
struct OwnRowTask {
  static constexpr int kMatrices = 1, kKinds = 1, kTurners = 1;
  static constexpr bool kProducts = true;
  static constexpr int kRowNumbers = 1;

  AttentionMoves moves;
  Scratch scratch;
  MoveNumbers own = {};
  int token = 0;

  __device__ void begin(int, int move) {
    own = scratch.numbers[move];
    token = moves.tokens[move].token;
  }
  __device__ bool writes(int, int kind) const { return kind == 0; }
  __device__ const double* row_number(int, int, TurnedRow row) const {
    return scratch.own_scores + row.move * moves.n + row.row;
  }

  template <int kRows>
  __device__ double turn(int, TurnedRow row, const double (&numbers)[1], const double (&products)[1],
                         double (&coefficients)[1]) const {
    if (!row.there || row.row == token) return 1;
    const double slope = moves.f.kind == NormaliserKind::kSoftmax
                             ? moves.f.beta * exp(moves.f.beta * (numbers[0] - own.peak))
                             : plain_weight(moves.f, numbers[0]).slope;
    coefficients[0] = own.mass > 0 ? slope / own.mass * (products[0] - own.output_dot) : 0;
    return 1;
  }

  template <int kRows>
  __device__ void finish(int, TurnedRow) const {}
};

// Everything in the gradient that needs no product with W. Grid: moves, columns/32.
__global__ void finish_gradients_kernel(AttentionMoves moves, Scratch scratch, int parts) {
  const int b = blockIdx.x, d = moves.d, c = static_cast<int>(blockIdx.y * 32 + threadIdx.x % 32);
  double own[1];
  sum_parts<1>(
      parts,
      [&](int p, double(&sum)[1]) {
        if (c < d) sum[0] += scratch.own_vectors[(static_cast<long>(b) * parts + p) * d + c];
      },
      own);
  if (threadIdx.x >= 32 || c >= d) return;
  const AttentionTokenArrays token = moves.tokens[b];
  const MoveNumbers numbers = scratch.numbers[b];
  const long at = static_cast<long>(b) * d + c;
  moves.own_sum[at] = own[0];
  moves.gradients[at] = numbers.coefficients * moves.X[static_cast<long>(token.token) * d + c] -
                        scratch.feature_sums[at] + 2 * numbers.squared_weights * moves.deltas[at] +
                        numbers.own_weight * scratch.cotangents[at] +
                        numbers.own_slope * (token.own_slope[c] + moves.by_row[at] + moves.own[at]);
}

}  // namespace

void weigh_rows(cudaStream_t stream, DeviceNormaliser f, int rows, long n, const double* norms, double* scores,
                double* scales, double* masses, double* terms) {
  weigh_rows_kernel<<<rows, 512, 0, stream>>>(f, n, norms, scores, scales, masses, terms);
}

void add_parts(cudaStream_t stream, int rows, int columns, int count, const double* parts, const double* scales,
               double* out) {
  add_parts_kernel<<<blocks_for(static_cast<long>(rows) * columns, kThreads), kThreads, 0, stream>>>(
      rows, columns, count, parts, scales, out);
}

void row_norms(cudaStream_t stream, long rows, int columns, const double* matrix, double* norms) {
  row_norms_kernel<<<static_cast<unsigned>((rows + kWarps - 1) / kWarps), kThreads, 0, stream>>>(rows, columns, matrix,
                                                                                                 norms);
}

size_t attention_scratch_bytes(long n, int d, int count) {
  constexpr long kPieces = 7;
  const long parts = row_parts(n, d, count);
  return sizeof(double) *
         static_cast<size_t>(count * (n + (parts + 1) * (3L * d + 5) + parts * d + 2L * d + 10) + kPieces);
}

void evaluate_attention_moves(cudaStream_t stream, const AttentionMoves& moves) {
  static_assert(sizeof(PartSums) == 5 * sizeof(double) && sizeof(MoveNumbers) == 10 * sizeof(double));
  const Scratch scratch = scratch_in(moves.scratch, moves.n, moves.d, moves.count);
  const auto count = static_cast<unsigned>(moves.count);
  const int parts = row_parts(moves.n, moves.d, moves.count);
  const dim3 columns = grid_of_columns(count, moves.d);
  begin_moves_kernel<<<count, kThreads, 0, stream>>>(moves, scratch);
  launch_pass(stream,
              {moves.n,
               moves.d,
               moves.count,
               {moves.X, moves.features},
               {moves.by_row, moves.deltas, moves.own},
               scratch.part_vectors,
               parts + 1},
              AttentionTask{moves, scratch, parts});
  special_rows_kernel<<<count, kThreads, 0, stream>>>(moves, scratch, parts);
  join_numbers_kernel<<<count, kThreads, 0, stream>>>(moves, scratch, parts);
  join_vectors_kernel<<<columns, 32 * kGroups, 0, stream>>>(moves, scratch, parts);
  join_outputs_kernel<<<count, kThreads, 0, stream>>>(moves, scratch);
  if (moves.gradients == nullptr) return;
  launch_pass(stream, {moves.n, moves.d, moves.count, {moves.X}, {scratch.cotangents}, scratch.own_vectors, parts},
              OwnRowTask{moves, scratch});
  finish_gradients_kernel<<<columns, 32 * kGroups, 0, stream>>>(moves, scratch, parts);
}

}  // namespace wordsway::cuda
