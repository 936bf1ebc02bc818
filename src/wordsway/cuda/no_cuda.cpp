// In place of the rest of cuda/ in a build without it.
#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/cuda/cuda_maps.h"

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

std::unique_ptr<FeatureMap> map_on_cuda(std::unique_ptr<FeatureMap> /*map*/) {
  cuda_device_name();
  return nullptr;
}

std::unique_ptr<LearnerView> draw_learner_on_cuda(const MapEntry& /*entry*/, const MapOptions& /*options*/,
                                                  const Stream& /*weights*/, const LearnerSamples& /*samples*/,
                                                  const CudaRoom& /*room*/) {
  cuda_device_name();
  return nullptr;
}

std::unique_ptr<LearnerView> whole_learner_on_cuda(std::unique_ptr<FeatureMap> /*map*/,
                                                   const LearnerSamples& /*samples*/, const CudaRoom& /*room*/) {
  cuda_device_name();
  return nullptr;
}

double cuda_copy_bandwidth() {
  cuda_device_name();
  return 0;
}

double cuda_attention_seconds() {
  cuda_device_name();
  return 0;
}

}  // namespace wordsway
