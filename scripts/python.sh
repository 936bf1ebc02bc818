#!/usr/bin/env bash
# python.sh [--optional | --release]: builds the wheel into build/wheel from the objects of build/release, installs it
# into a virtual environment of its own (build/python) and runs python/tests. With --optional, where Python 3.10 or
# the packages from PyPI are missing, one line says so and nothing fails.
#
# With --release the wheel is for every machine of this architecture: kernels once for each level
# (docs/decisions/0015-levels.md), no MPI, the manylinux tag of this system's C library; from the objects of `make
# package`, into build/dist.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=${1:-}
environment=build/python
log=build/python.log
folder=build/release wheels=build/wheel settings=()
packages=('scikit-build-core>=0.11' 'nanobind>=3,<4' 'nanobind-backend>=1,<2' 'numpy>=1.24' pytest pandas tqdm)
modules='pytest, nanobind, nanobind_backend, numpy, scikit_build_core'
if [[ $mode == --release ]]; then
  folder=build/package wheels=build/dist
  settings=(-Ccmake.define.WORDSWAY_LEVELS=all -Ccmake.define.WORDSWAY_MPI=OFF -Ccmake.define.WORDSWAY_DEBIAN=OFF)
  packages+=(auditwheel wheel)
  modules+=', auditwheel, wheel'
fi

give_up() {
  echo "The Python package was not built or tested: $1." >&2
  [[ $mode == --optional ]] && exit 0
  exit 1
}

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || give_up "there is no Python 3.10 or newer"
mkdir -p build
if ! "$environment/bin/python" -c "import $modules" 2>/dev/null; then
  "$python" -m venv "$environment" >"$log" 2>&1 || give_up "$python has no venv (Debian: python3-venv)"
  "$environment/bin/pip" install -q --disable-pip-version-check "${packages[@]}" >>"$log" 2>&1 ||
    give_up "PyPI cannot be reached"
  # The notebook is run where these are there.
  "$environment/bin/pip" install -q --disable-pip-version-check nbclient ipykernel >>"$log" 2>&1 || true
fi
[[ -e $("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h ]] ||
  give_up "Python.h is missing (Debian: python3-dev)"

# The same build folder as the program's: the wheel needs the bindings compiled, and nothing again. Without its note on
# who used the folder last, scikit-build-core leaves the settings of that folder alone.
rm -rf "$wheels" "$folder/.skbuild-info.json"
# Ninja is named, because on a busy machine scikit-build-core may not wait for its answer and take make; the compiler,
# so that ccache finds what `make package` and `make deb` compiled.
ninja=$(command -v ninja)
if ! CMAKE_GENERATOR=Ninja CXX=${CXX:-c++} PATH="$PWD/$environment/bin:$PATH" "$environment/bin/pip" wheel . --no-deps --no-build-isolation \
  --disable-pip-version-check -w "$wheels" "-Cbuild-dir=$folder" \
  "-Ccmake.define.CMAKE_MAKE_PROGRAM=$ninja" "${settings[@]}" -v >"$log" 2>&1; then
  tail -40 "$log" >&2
  exit 1
fi
if [[ $mode == --release ]]; then
  glibc=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
  "$environment/bin/python" scripts/check_wheel.py "$wheels"/*.whl "manylinux_${glibc/./_}_$(uname -m)" >/dev/null
fi
"$environment/bin/pip" install -q --disable-pip-version-check --force-reinstall --no-deps "$wheels"/*.whl
ls -l "$wheels"/*.whl
# A release has other bits than the program for this machine; its tests compare with its own.
if [[ $mode != --release ]]; then
  export WORDSWAY_PROGRAM=$PWD/build/release/bin/wordsway
  if grep -q '^WORDSWAY_TESTS:BOOL=ON' "$folder/CMakeCache.txt"; then
    cmake --build "$folder" --target wordsway_dropin_questions >>"$log"
    export WORDSWAY_DROPIN=$PWD/$folder/python/dropin
  fi
fi
"$environment/bin/python" -m pytest -q -p no:cacheprovider python/tests
