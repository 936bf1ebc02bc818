#include "support/golden.h"

#include <algorithm>

#include "support/places.h"
#include "wordsway/model/architecture_registry.h"

namespace wordsway::test {

std::filesystem::path golden_models() {
  return test::source_folder() / "tests/golden/models";
}

std::filesystem::path golden_ggufs() {
  return test::source_folder() / "tests/golden/gguf/models";
}

std::string golden_architecture(const std::string& name) {
  return ConfigFile(golden_models() / name / "config.json").text("model_type");
}

std::vector<std::string> golden_model_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_models()))
    if (std::filesystem::exists(entry.path() / "config.json")) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> golden_decoder_names() {
  std::vector<std::string> names = golden_model_names();
  std::erase_if(names, [](const std::string& name) {
    return !architecture_registry().get(golden_architecture(name)).is_decoder;
  });
  return names;
}

// A model in several files has its expected values beside the same model in one.
std::vector<std::string> golden_gguf_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden_ggufs()))
    if (entry.path().extension() == ".safetensors") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string test_name(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
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
