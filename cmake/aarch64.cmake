# Cross-builds for AArch64 with Debian's g++-aarch64-linux-gnu. Libraries and headers of other packages are in the
# folder that scripts/aarch64.sh fills, WORDSWAY_SYSROOT; what is built runs under qemu-aarch64 (qemu-user).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(WORDSWAY_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot CACHE PATH "Where scripts/aarch64.sh unpacks arm64 packages")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WORDSWAY_SYSROOT)
# Headers that no package of CMake names; and no remarks on how GCC 9 passed pairs of doubles.
set(CMAKE_CXX_FLAGS_INIT "-idirafter ${WORDSWAY_SYSROOT}/usr/include -Wno-psabi")
# The compiler has its own C library; only other packages come from the folder.
list(APPEND CMAKE_FIND_ROOT_PATH ${WORDSWAY_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
