// The engine of a model on a CUDA device. Built with WORDSWAY_CUDA=ON; otherwise all but `cuda_is_built` throws.
#pragma once

#include <memory>
#include <string>

#include "wordsway/core/device.h"
#include "wordsway/model/device_engine.h"
#include "wordsway/model/transformer.h"

namespace wordsway {

/// Whether this build supports CUDA, with or without a device.
bool cuda_is_built();
/// The name of the device that would be used. Throws UsageError, in one sentence for the user, when this build or this
/// machine has none.
std::string cuda_device_name();

/// Copies the weights of a model to the device. Throws UsageError as cuda_device_name() does, when they do not fit, and
/// when the model has a part that the device engine does not have (attention with another normaliser than the softmax).
std::shared_ptr<const DeviceEngine> make_cuda_engine(const Transformer& transformer, Precision precision);

}  // namespace wordsway
