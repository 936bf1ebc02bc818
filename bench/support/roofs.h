// The roofs of this machine, measured on first use: no code here can be faster.
#pragma once

namespace wordsway::bench {

/// Bytes a second one thread reads from an array of `bytes` that it has read before: cache or memory, as size decides.
double read_bandwidth(double bytes);
/// The bandwidth of several threads, each with its part of the array. Every call measures it again.
double read_bandwidth_of_threads(double bytes, int threads);

/// Floating-point operations a second of one thread in a large double product.
double peak_flops();

/// Wall time of the fastest of several runs of `body`, in seconds; at least three, for at least 0.2 s.
template <typename Body>
double fastest(Body body);

double now();

template <typename Body>
double fastest(Body body) {
  double best = 1e300;
  const double begin = now();
  for (int round = 0; round < 3 || now() - begin < 0.2; ++round) {
    const double start = now();
    body();
    const double took = now() - start;
    best = took < best ? took : best;
  }
  return best;
}

}  // namespace wordsway::bench
