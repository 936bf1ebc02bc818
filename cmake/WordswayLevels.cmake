# For which instruction sets the library is compiled: docs/decisions/0015-levels.md.
#
#   native      one static library for the machine at hand, the default: what developers build and test
#   all         what packages have: a shared library of kernels for every level of this architecture, of which the system's
#               loader takes the best that the machine can run
#   a;b;…       these levels, lowest first, as -march names them
#
# Programs, bindings, tests and benchmarks are compiled for the lowest level.
# Sets WORDSWAY_LEVEL_LIST, WORDSWAY_LOWEST_LEVEL, WORDSWAY_SHARED (is the library shared?) and WORDSWAY_FMT.
set(WORDSWAY_LEVELS native CACHE STRING "Instruction sets: 'native', 'all' for packages, or a list, lowest first")

if(WORDSWAY_LEVELS STREQUAL all)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(WORDSWAY_LEVEL_LIST x86-64-v2 x86-64-v3 x86-64-v4)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(WORDSWAY_LEVEL_LIST armv8-a)  # glibc knows no levels of it
  else()
    message(FATAL_ERROR "WORDSWAY_LEVELS=all knows x86-64 and AArch64, and this is ${CMAKE_SYSTEM_PROCESSOR}; name levels as -march does")
  endif()
else()
  set(WORDSWAY_LEVEL_LIST ${WORDSWAY_LEVELS})
endif()
list(GET WORDSWAY_LEVEL_LIST 0 WORDSWAY_LOWEST_LEVEL)
if(WORDSWAY_LEVEL_LIST STREQUAL native)
  set(WORDSWAY_SHARED OFF)
else()
  set(WORDSWAY_SHARED ON)
endif()
if("native" IN_LIST WORDSWAY_LEVEL_LIST AND WORDSWAY_SHARED)
  message(FATAL_ERROR "WORDSWAY_LEVELS is '${WORDSWAY_LEVELS}': 'native' stands alone")
endif()

# A package must not ask for a certain libfmt on the machine where it is installed. Debian has no static one, so it is made
# from the headers. As fmt::fmt-header-only it would be compiled in every file, whose specialised copies the linker cannot
# merge: that was a quarter of the kernels.
function(wordsway_compile_fmt)
  add_library(wordsway_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt.cpp)
  target_include_directories(wordsway_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(wordsway_fmt PRIVATE wordsway_flags)
  set_target_properties(wordsway_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
if(WORDSWAY_SHARED)
  set(WORDSWAY_FMT wordsway_fmt)
else()
  set(WORDSWAY_FMT fmt::fmt)
endif()

# For the same reason zlib, lzma and utf8proc go into a shared library of ours, where they are there as archives.
macro(wordsway_prefer_static_libraries)
  if(WORDSWAY_SHARED)
    list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES ${CMAKE_STATIC_LIBRARY_SUFFIX})
  endif()
endmacro()

# Where the loader looks for a level, below the folder of the lowest one (man 8 ld.so, glibc-hwcaps).
function(wordsway_folder_of_level level result)
  if(level STREQUAL WORDSWAY_LOWEST_LEVEL)
    set(${result} "" PARENT_SCOPE)
  else()
    set(${result} /glibc-hwcaps/${level} PARENT_SCOPE)
  endif()
endfunction()

# wordsway_install_higher_levels(FOLDER [COMPONENT c]): below FOLDER. They are found by the loader and never linked.
function(wordsway_install_higher_levels destination)
  foreach(level IN LISTS WORDSWAY_LEVEL_LIST)
    wordsway_folder_of_level(${level} folder)
    if(folder)
      install(TARGETS wordsway_kernels_${level} LIBRARY DESTINATION ${destination}${folder} NAMELINK_SKIP ${ARGN})
    endif()
  endforeach()
endfunction()

# wordsway_finds_library(TARGET FOLDER): installed, TARGET looks for our library in FOLDER, seen from its own folder.
# RUNPATH and not RPATH, so that LD_LIBRARY_PATH comes first.
function(wordsway_finds_library target folder)
  if(WORDSWAY_SHARED)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${folder}")
    target_link_options(${target} PRIVATE -Wl,--enable-new-dtags)
  endif()
endfunction()
