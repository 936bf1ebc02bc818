#include "wordsway/learning/condition.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "wordsway/core/stop.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr Index kMostSteps = 300;
constexpr Index kCheckEvery = 5;
constexpr double kSettled = 1e-12;  // relative change between two checks

double top_of_tridiagonal(const Vector& diagonal, const Vector& beside, Index steps) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal.head(steps), beside.head(std::max<Index>(steps - 1, 0)),
                                Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[steps - 1];
}

}  // namespace

double largest_eigenvalue(Index size, const SymmetricOperator& A) {
  const Index most = std::min(size, kMostSteps);
  Matrix basis(most, size);
  Vector diagonal(most), beside(most);
  Vector q = gaussian_vector(Stream(1).derive("lanczos"), size).normalized();
  double top = 0;
  for (Index step = 0; step < most; ++step) {
    throw_if_stopped();
    basis.row(step) = q;
    Vector next = A(q);
    diagonal[step] = q.dot(next);
    for (int twice = 0; twice < 2; ++twice)
      next -= basis.topRows(step + 1).transpose() * (basis.topRows(step + 1) * next);
    beside[step] = next.norm();
    const bool exhausted = step + 1 == most || !(beside[step] > 1e-14 * std::abs(diagonal[0]));
    if (exhausted || (step + 1) % kCheckEvery == 0) {
      const double before = top;
      top = top_of_tridiagonal(diagonal, beside, step + 1);
      if (exhausted || std::abs(top - before) <= kSettled * std::abs(top)) return top;
    }
    q = next / beside[step];
  }
  return top;
}

}  // namespace wordsway
