// Draws a random matrix with wordsway and works on it with Eigen: memory that the library allocated is resized and
// freed here, in code compiled without the library's instruction set.
#include <cstdio>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/core/matrix.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/stream.h"

int main() {
  const wordsway::Stream stream = wordsway::Stream(1).derive("example");
  wordsway::Matrix W = wordsway::gaussian_matrix(stream, 300, 200);
  const double mean_square = W.squaredNorm() / static_cast<double>(W.size());

  // conservativeResize reallocates the library's memory; the vector frees many such matrices, of odd sizes too.
  const double corner = W(9, 9);
  W.conservativeResize(10, 10);
  std::vector<wordsway::Matrix> many;
  for (wordsway::Index size = 1; size <= 64; ++size) many.push_back(wordsway::gaussian_matrix(stream, size, size));
  many.clear();

  std::printf("mean square %.2f, %s after resizing\n", mean_square, W(9, 9) == corner ? "unchanged" : "changed");
  try {
    wordsway::ensure(false, "an example of an error");
  } catch (const wordsway::InternalError&) {
    std::printf("caught an error of wordsway\n");
  }
  return 0;
}
