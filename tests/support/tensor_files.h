// Helpers for tests of tensor files.
#pragma once

#include <string>
#include <vector>

namespace wordsway::test {

/// A tensor of a SafeTensors or GgufFile, as float32.
template <typename Tensors>
std::vector<float> copy_f32(const Tensors& tensors, const std::string& name) {
  std::vector<float> values(static_cast<size_t>(tensors.info(name).count));
  tensors.copy_f32(name, values);
  return values;
}

/// What the action throws says; "no error" when it throws nothing.
template <typename Expected, typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Expected& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace wordsway::test
