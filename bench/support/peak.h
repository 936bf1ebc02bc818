// The most float32 operations per second this machine can do right now: fused multiply-adds on registers alone.
#pragma once

namespace wordsway::bench {

/// In 1e9 operations per second on this many threads; a multiply-add counts as two. Takes about 0.3 s.
double measured_peak_gflops(int threads);

}  // namespace wordsway::bench
