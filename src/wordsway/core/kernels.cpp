#include "wordsway/core/kernels.h"

namespace wordsway {

std::string kernels() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && \
    defined(__AVX512VL__)
  return "x86-64-v4";
#elif defined(__AVX2__) && defined(__BMI2__) && defined(__F16C__) && defined(__FMA__)
  return "x86-64-v3";
#elif defined(__SSE4_2__) && defined(__POPCNT__)
  return "x86-64-v2";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "armv8-a";
#else
  return "unknown";
#endif
}

}  // namespace wordsway
