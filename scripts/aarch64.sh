#!/usr/bin/env bash
# aarch64.sh [JOBS]: cross-builds for AArch64 and runs tests of the library under qemu, on a Debian or Ubuntu of another
# architecture. Libraries of arm64 are unpacked into build/aarch64-sysroot and not installed: as packages of a second
# architecture they would have to have the versions of this system's own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=${1:-2}
sysroot=$PWD/build/aarch64-sysroot
tests=(core random io maps ascent sensitivity learning text model data)

# What packages.txt has as libraries, without MPI; the shared library that fmt's CMake files look for; and
# cpp-httplib's, with those that it needs.
libraries() {
  awk '($1 == "build" || $1 == "test") && $2 ~ /-dev$/ && $2 !~ /mpi/ {print $2}' scripts/packages.txt
  printf '%s\n' libfmt9 libcpp-httplib0.11 libssl-dev libssl3 libbrotli-dev libbrotli1 zlib1g
}

unpack_libraries() {
  local apt_folder=$sysroot/apt package
  mkdir -p "$apt_folder"/{state/lists/partial,cache/archives/partial,packages}
  touch "$apt_folder/status"
  local -a apt=(apt-get -q -o "Dir::State=$apt_folder/state" -o "Dir::State::status=$apt_folder/status"
    -o "Dir::Cache=$apt_folder/cache" -o APT::Architecture=arm64 -o APT::Architectures=arm64
    -o APT::Sandbox::User="$(id -un)")
  "${apt[@]}" update
  local -a wanted
  mapfile -t wanted < <(libraries)
  (cd "$apt_folder/packages" && "${apt[@]}" download "${wanted[@]}")
  for package in "$apt_folder"/packages/*.deb; do dpkg-deb -x "$package" "$sysroot"; done
  # Headers of the architecture beside the others: one folder to search (cmake/aarch64.cmake).
  cp -a "$sysroot/usr/include/aarch64-linux-gnu/." "$sysroot/usr/include"
  rm -rf "$apt_folder"
  touch "$sysroot/complete"
}

if [[ ! -e $sysroot/complete ]]; then
  rm -rf "$sysroot"
  mkdir -p "$sysroot"
  unpack_libraries >build/aarch64-sysroot.log 2>&1 || {
    tail -20 build/aarch64-sysroot.log >&2
    exit 1
  }
fi
cmake --preset aarch64
cmake --build --preset aarch64 -j "$jobs" --target wordsway_program "${tests[@]/#/test_}"
libraries=$sysroot/usr/lib/aarch64-linux-gnu:$sysroot/lib/aarch64-linux-gnu
emulated=(qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$libraries")
"${emulated[@]}" build/aarch64/bin/wordsway --version
# Left out: tests that take memory or threads away from their own process, which is the emulator's here, or start
# themselves again; and those that go over all reviews of IMDb, where they are at hand, which takes long here.
left_out=Record.ThatCannotBeCopiedForLackOfMemoryThrows:ThreadPool.GoesOnWithTheThreadsItHasWhenTheSystemRefusesMore:Imdb.*
for name in "${tests[@]}"; do
  echo "test_$name"
  "${emulated[@]}" "build/aarch64/bin/test_$name" --gtest_brief=1 "--gtest_filter=-$left_out"
done
