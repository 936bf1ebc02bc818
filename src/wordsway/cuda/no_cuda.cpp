// In place of the rest of cuda/ in a build without it.
#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_engine.h"

namespace wordsway {

bool cuda_is_built() {
  return false;
}

std::string cuda_device_name() {
  throw UsageError("this build has no CUDA in it: build with -DWORDSWAY_CUDA=ON, or leave --device cpu");
}

std::shared_ptr<const DeviceEngine> make_cuda_engine(const Transformer& /*transformer*/, Precision /*precision*/) {
  cuda_device_name();
  return nullptr;
}

}  // namespace wordsway
