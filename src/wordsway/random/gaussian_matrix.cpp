#include "wordsway/random/gaussian_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

namespace {

constexpr Index kBlockRows = 256;
constexpr Index kGramBlocks = 16;  // parts of GᵀG summed apart: d×d each, so few

Blocks partition(Index rows) {
  return {rows, kBlockRows};
}

}  // namespace

void RowBlocks::multiply(ConstVectorRef u, VectorRef result) const {
  const Blocks blocks = partition(rows);
  parallel_for(blocks.count(), [&](Index b) {
    make(blocks.begin(b), blocks.length(b),
         [&](Index first, ConstMatrixRef M) { result.segment(first, M.rows()).noalias() = M * u; });
  });
}

void RowBlocks::multiply_transposed(ConstVectorRef v, VectorRef result) const {
  const Blocks blocks = partition(rows);
  Matrix parts(blocks.count(), columns);
  parallel_for(blocks.count(), [&](Index b) {
    make(blocks.begin(b), blocks.length(b),
         [&](Index first, ConstMatrixRef M) { parts.row(b).noalias() = v.segment(first, M.rows()).transpose() * M; });
  });
  result = parts.colwise().sum().transpose();
}

// fl(GᵀG) is off by at most rows·ε·|G|ᵀ|G| and the eigenvalues of a symmetric matrix by a small multiple of its size
// times ε times its norm; both are below the slack times the trace, which is the sum of all squares of G.
double RowBlocks::norm_bound() const {
  const Blocks parts{rows, std::max<Index>(kBlockRows, (rows + kGramBlocks - 1) / kGramBlocks)};
  std::vector<Matrix> grams(static_cast<size_t>(parts.count()), Matrix::Zero(columns, columns));
  parallel_for(parts.count(), [&](Index p) {
    Matrix& gram = grams[static_cast<size_t>(p)];
    const Blocks blocks{parts.length(p), kBlockRows};
    for (Index b = 0; b < blocks.count(); ++b)
      make(parts.begin(p) + blocks.begin(b), blocks.length(b),
           [&](Index, ConstMatrixRef M) { gram.selfadjointView<Eigen::Lower>().rankUpdate(M.transpose()); });
  });
  for (size_t p = 1; p < grams.size(); ++p) grams[0] += grams[p];
  const double trace = grams[0].trace();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(grams[0], Eigen::EigenvaluesOnly);
  const double slack = static_cast<double>(rows + 20 * columns) * std::numeric_limits<double>::epsilon();
  return std::sqrt(solver.eigenvalues().maxCoeff() + slack * trace) * (1 + 1e-15);
}

DenseMatrix::DenseMatrix(const Stream& stream, Index rows, Index columns, double scale)
    : GaussianMatrix(rows, columns, scale), entries_(gaussian_matrix(stream, rows, columns, scale)) {}

DenseMatrix::DenseMatrix(Matrix entries)
    : GaussianMatrix(entries.rows(), entries.cols(), 1), entries_(std::move(entries)) {}

void GaussianMatrix::check_sizes(Index columns, Index rows, ConstVectorRef in, const VectorRef& out) {
  if (in.size() != columns || out.size() != rows)
    throw DataError(fmt::format("a {} x {} matrix takes {} numbers to {}; got {} and room for {}", rows, columns,
                                columns, rows, in.size(), out.size()));
}

RowBlocks DenseMatrix::blocks() const {
  return {rows(), columns(),
          [this](Index first, Index count, const RowBlockUser& use) { use(first, entries_.middleRows(first, count)); }};
}

void DenseMatrix::apply(ConstVectorRef u, VectorRef result) {
  check_sizes(columns(), rows(), u, result);
  blocks().multiply(u, result);
}

void DenseMatrix::apply_transpose(ConstVectorRef v, VectorRef result) {
  check_sizes(rows(), columns(), v, result);
  blocks().multiply_transposed(v, result);
}

std::optional<double> DenseMatrix::norm_bound() const {
  return blocks().norm_bound();
}

RowBlocks StreamedMatrix::blocks() const {
  return {rows(), columns(), [this](Index first, Index count, const RowBlockUser& use) {
            Matrix block(count, columns());
            fill_gaussian(stream_, static_cast<std::uint64_t>(first * columns()),
                          {block.data(), static_cast<size_t>(block.size())}, scale());
            use(first, block);
          }};
}

void StreamedMatrix::apply(ConstVectorRef u, VectorRef result) {
  check_sizes(columns(), rows(), u, result);
  blocks().multiply(u, result);
}

void StreamedMatrix::apply_transpose(ConstVectorRef v, VectorRef result) {
  check_sizes(rows(), columns(), v, result);
  blocks().multiply_transposed(v, result);
}

Matrix StreamedMatrix::complete() {
  return gaussian_matrix(stream_, rows(), columns(), scale());
}

std::optional<double> StreamedMatrix::norm_bound() const {
  return blocks().norm_bound();
}

}  // namespace wordsway
