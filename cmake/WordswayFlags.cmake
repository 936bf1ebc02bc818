# Compile flags of every target of this project, on one interface target.
add_library(wordsway_flags INTERFACE)
target_compile_features(wordsway_flags INTERFACE cxx_std_20)
# Threads are ours (core/parallel.h), and the last digit of exp and tanh counts.
target_compile_definitions(wordsway_flags INTERFACE EIGEN_DONT_PARALLELIZE EIGEN_FAST_MATH=0)
target_compile_options(wordsway_flags INTERFACE
  # Without it the compiler may not inline functions that another library could replace
  # (wordsway_objects_may_be_shared).
  $<$<BOOL:$<TARGET_PROPERTY:WORDSWAY_MAY_BE_SHARED>>:-fno-semantic-interposition>
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # GCC 12 sees uninitialised or out-of-bounds reads in Eigen and std headers that are not there.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict>
  # GCC collects its garbage at every 128 MB. Templates make more than that: without it, a tenth of the time is saved for
  # a tenth more memory (400 MB a file).
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>
  $<$<BOOL:${WORDSWAY_WERROR}>:-Werror>)

# Tuned for some processors (seen: -march=native on Zen 3), GCC leaves sums of products unfused in some loops and not in
# others: a row then has other bits alone than among others.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(wordsway_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=avoid-fma-max-bits=0>)
endif()

set(level $<TARGET_PROPERTY:WORDSWAY_LEVEL>)
target_compile_options(wordsway_flags INTERFACE -march=$<IF:$<BOOL:${level}>,${level},${WORDSWAY_LOWEST_LEVEL}>)

# Packages have no function that nothing calls, and none twice: templates make many that are equal byte by byte. Only
# gold can fold those of GCC; without it packages are a twentieth larger.
if(WORDSWAY_SHARED)
  target_compile_options(wordsway_flags INTERFACE -ffunction-sections -fdata-sections)
  set(WORDSWAY_SMALL -Wl,--gc-sections)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=gold WORDSWAY_HAS_GOLD)
  if(WORDSWAY_HAS_GOLD)
    list(APPEND WORDSWAY_SMALL -fuse-ld=gold -Wl,--icf=safe)
  endif()
  target_link_options(wordsway_flags INTERFACE ${WORDSWAY_SMALL})
endif()

if(WORDSWAY_SANITIZE)
  target_compile_options(wordsway_flags INTERFACE
    -fsanitize=${WORDSWAY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(wordsway_flags INTERFACE -fsanitize=${WORDSWAY_SANITIZE})
endif()

# The objects of the program are those of the Python module, which is a shared library: the same objects give the same
# bits.
function(wordsway_objects_may_be_shared)
  set_target_properties(${ARGN} PROPERTIES POSITION_INDEPENDENT_CODE ON WORDSWAY_MAY_BE_SHARED ON)
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the source folder count as relative, so that a second clone finds what the
  # first one compiled. The sloppiness is what ccache asks for to work with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                  CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                                  ${CCACHE_PROGRAM})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Third-party headers that most files of a target read, parsed once a target instead of once a file: that is more than
# half of what a cold build does. Never headers of our own: files must include what they use.
set(WORDSWAY_COMMON_HEADERS <algorithm> <cmath> <filesystem> <functional> <memory> <optional> <string> <vector>
                            <Eigen/Core> <fmt/format.h>)
