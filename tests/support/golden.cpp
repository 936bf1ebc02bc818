#include "support/golden.h"

#include "support/places.h"

namespace wordsway::test {

std::filesystem::path golden_models() {
  return test::source_folder() / "tests/golden/models";
}

MatrixF Golden::matrix(const std::string& name) const {
  const auto& info = tensors_.info(name);
  const Index columns = info.shape.back();
  MatrixF result(info.count / columns, columns);
  tensors_.copy_f32(name, {result.data(), static_cast<size_t>(result.size())});
  return result;
}

MatrixF Golden::slice(const std::string& name, Index which) const {
  const Index rows = tensors_.info(name).shape.at(1);
  return matrix(name).middleRows(which * rows, rows);
}

std::vector<int> Golden::integers(const std::string& name) const {
  const MatrixF values = matrix(name);
  return {values.data(), values.data() + values.size()};
}

}  // namespace wordsway::test
