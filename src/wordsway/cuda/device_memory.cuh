// Memory and a queue of work on the CUDA device, with errors as sentences.
#pragma once

#include <cstddef>
#include <span>

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime_api.h>

namespace wordsway::cuda {

/// Throw SystemError, which ends a command with its journal whole, when a call failed; `what` says which.
void check(cudaError_t status, const char* what);
void check(cublasStatus_t status, const char* what);

/// Bytes of device memory that are free now. To ask is not free: not for every batch.
size_t free_bytes();

/// Memory on the device. It grows and never shrinks; growing loses what was in it.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t bytes) { reserve(bytes); }
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;

  /// Throws UsageError, with the sizes, when the device does not have that much memory.
  void reserve(size_t bytes);
  size_t bytes() const { return bytes_; }

  template <typename T = float>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

/// Memory of this machine that copies to and from the device use while both work on. It grows and never shrinks;
/// growing loses what was in it.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  ~PinnedBuffer();
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;

  /// Room for so many.
  template <typename T>
  std::span<T> take(size_t count) {
    reserve(sizeof(T) * count);
    return {static_cast<T*>(data_), count};
  }

 private:
  void reserve(size_t bytes);

  void* data_ = nullptr;
  size_t bytes_ = 0;
};

/// One stream and one cuBLAS handle.
class Queue {
 public:
  Queue();
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  cudaStream_t stream() const { return stream_; }
  cublasHandle_t blas() const { return blas_; }
  cublasLtHandle_t blas_lt() const {
    return reinterpret_cast<cublasLtHandle_t>(blas_);
  }  // cuBLAS lets one stand for the other
  const Buffer& workspace() const { return workspace_; }
  void wait() const;

  template <typename T>
  void upload(std::span<const T> from, T* to) const {
    copy(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice);
  }
  template <typename T>
  void download(const T* from, std::span<T> to) const {
    download_later(from, to);
    wait();
  }
  /// Within the device's memory.
  void copy_here(const Buffer& from, const Buffer& to, size_t bytes) const {
    copy(to.as<void>(), from.as<void>(), bytes, cudaMemcpyDeviceToDevice);
  }
  /// It is there when the queue has come so far; `to` is pinned, or else this waits.
  template <typename T>
  void download_later(const T* from, std::span<T> to) const {
    copy(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost);
  }

 private:
  void copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) const;

  cudaStream_t stream_ = nullptr;
  cublasHandle_t blas_ = nullptr;
  Buffer workspace_;
};

/// A place in a queue.
class Marker {
 public:
  Marker();
  ~Marker();
  Marker(const Marker&) = delete;
  Marker& operator=(const Marker&) = delete;

  /// Here, behind all that the queue has.
  void set(const Queue& queue);
  /// Waits until the queue has reached it.
  void wait() const;

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace wordsway::cuda
