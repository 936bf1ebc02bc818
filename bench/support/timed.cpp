#include "support/timed.h"

#include <chrono>
#include <ctime>

namespace wordsway::bench {

Milliseconds timed(const std::function<void()>& body) {
  const std::clock_t processor = std::clock();
  const auto start = std::chrono::steady_clock::now();
  body();
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), 1e3 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC};
}

}  // namespace wordsway::bench
