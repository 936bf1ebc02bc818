#include "wordsway/cuda/device_memory.cuh"

#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway::cuda {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw SystemError(fmt::format("the CUDA device failed ({}): {}", what, cudaGetErrorString(status)));
}

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw SystemError(fmt::format("the CUDA device failed ({}): {}", what, cublasGetStatusString(status)));
}

size_t free_bytes() {
  size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for free memory");
  return free;
}

Buffer::~Buffer() {
  if (data_ != nullptr) cudaFree(data_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void Buffer::reserve(size_t bytes) {
  if (bytes <= bytes_) return;
  if (data_ != nullptr) cudaFree(data_);
  data_ = nullptr;
  bytes_ = 0;
  if (cudaMalloc(&data_, bytes) != cudaSuccess) {
    cudaGetLastError();  // it was looked at
    data_ = nullptr;
    throw UsageError(fmt::format("the CUDA device has {:.1f} GiB free, but {:.1f} GiB are needed at once",
                                 static_cast<double>(free_bytes()) / 0x1p30, static_cast<double>(bytes) / 0x1p30));
  }
  bytes_ = bytes;
}

PinnedBuffer::~PinnedBuffer() {
  if (data_ != nullptr) cudaFreeHost(data_);
}

void PinnedBuffer::reserve(size_t bytes) {
  if (bytes <= bytes_) return;
  if (data_ != nullptr) cudaFreeHost(data_);
  data_ = nullptr;
  bytes_ = 0;
  check(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault), "reserving memory for copies");
  bytes_ = bytes;
}

Marker::Marker() {
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making a marker");
}

Marker::~Marker() {
  if (event_ != nullptr) cudaEventDestroy(event_);
}

void Marker::set(const Queue& queue) {
  check(cudaEventRecord(event_, queue.stream()), "setting a marker");
}

void Marker::wait() const {
  check(cudaEventSynchronize(event_), "computing");
}

Queue::Queue() : workspace_(size_t{64} << 20) {
  check(cudaStreamCreate(&stream_), "making a stream");
  check(cublasCreate(&blas_), "starting cuBLAS");
  check(cublasSetStream(blas_, stream_), "starting cuBLAS");
  // A workspace of our own keeps sums in the same order from run to run.
  check(cublasSetWorkspace(blas_, workspace_.as<void>(), workspace_.bytes()), "starting cuBLAS");
}

Queue::~Queue() {
  if (blas_ != nullptr) cublasDestroy(blas_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void Queue::wait() const {
  check(cudaStreamSynchronize(stream_), "computing");
}

void Queue::copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) const {
  if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, kind, stream_), "copying");
}

}  // namespace wordsway::cuda
