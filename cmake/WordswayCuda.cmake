# The optional part of the library that computes on a CUDA device (docs/gpu.md). Sets WORDSWAY_CUDA_SOURCES, the files
# of src/wordsway/cuda that are built: no_cuda.cpp alone, or all others.
#
# cuBLAS is looked for with the toolkit and below CMAKE_PREFIX_PATH: NVIDIA's package on PyPI (nvidia-cublas) has it
# too.
set(cuda_folder ${PROJECT_SOURCE_DIR}/src/wordsway/cuda)
if(NOT WORDSWAY_CUDA)
  set(WORDSWAY_CUDA_SOURCES ${cuda_folder}/no_cuda.cpp)
  return()
endif()
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-virtual 90)  # A100 and what came after it; H100 and H200 without a compiler at run time
endif()
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 20)
find_package(CUDAToolkit REQUIRED)
find_path(WORDSWAY_CUBLAS_INCLUDE cublas_v2.h HINTS ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
find_library(WORDSWAY_CUBLAS NAMES cublas libcublas.so.13 libcublas.so.12 HINTS ${CUDAToolkit_LIBRARY_DIR} REQUIRED)
find_library(WORDSWAY_CUBLASLT NAMES cublasLt libcublasLt.so.13 libcublasLt.so.12 HINTS ${CUDAToolkit_LIBRARY_DIR} REQUIRED)
file(GLOB WORDSWAY_CUDA_SOURCES CONFIGURE_DEPENDS ${cuda_folder}/*.cpp)
list(REMOVE_ITEM WORDSWAY_CUDA_SOURCES ${cuda_folder}/no_cuda.cpp)
# Kernels know nothing of the rest: nvcc compiles no header with Eigen in it.
file(GLOB kernels CONFIGURE_DEPENDS ${cuda_folder}/*.cu)
add_library(wordsway_cuda_kernels OBJECT ${kernels})
target_include_directories(wordsway_cuda_kernels PRIVATE ${PROJECT_SOURCE_DIR}/src)
set_target_properties(wordsway_cuda_kernels PROPERTIES POSITION_INDEPENDENT_CODE ON)
list(APPEND WORDSWAY_CUDA_SOURCES $<TARGET_OBJECTS:wordsway_cuda_kernels>)
add_library(wordsway_cuda_libraries INTERFACE)
target_include_directories(wordsway_cuda_libraries SYSTEM INTERFACE ${CUDAToolkit_INCLUDE_DIRS} ${WORDSWAY_CUBLAS_INCLUDE})
target_link_libraries(wordsway_cuda_libraries INTERFACE CUDA::cudart_static ${WORDSWAY_CUBLAS} ${WORDSWAY_CUBLASLT})
message(STATUS "wordsway: with CUDA ${CUDAToolkit_VERSION}, ${WORDSWAY_CUBLAS}")
