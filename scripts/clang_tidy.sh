#!/usr/bin/env bash
# clang_tidy.sh [JOBS] [PATTERN]: clang-tidy (.clang-tidy) over src, app and python/bindings, or over their files that
# match PATTERN, with the commands of a release build, one file each. Prints only what it finds, and fails when it
# finds something. With TIDY_SINCE=COMMIT, only files that have changed since that commit, and those that include a
# changed header. The bindings need nanobind, which is there after `make python`; without it a line says that they
# were left out.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${1:-2}
pattern=${2:-.}
database=build/tidy  # configured, never built: sources that the build generates are written then
if [[ -n ${TIDY_SINCE:-} ]]; then
  mapfile -t changed < <(git diff --name-only --diff-filter=d "$TIDY_SINCE" -- 'src/*.cpp' 'app/*.cpp' 'python/bindings/*.cpp')
  while read -r header; do
    mapfile -t -O "${#changed[@]}" changed < <(git grep -l -F "${header#*/}" -- 'src/*.cpp' 'app/*.cpp' 'python/bindings/*.cpp')
  done < <(git diff --name-only --diff-filter=d "$TIDY_SINCE" -- 'src/*.h' 'app/*.h' 'python/bindings/*.h')
  if ((${#changed[@]} == 0)); then
    echo "clang-tidy: nothing has changed since $TIDY_SINCE"
    exit 0
  fi
  pattern="($(printf '%s\n' "${changed[@]}" | sort -u | sed 's/[.]/[.]/g' | paste -sd'|'))"
  echo "clang-tidy: $(printf '%s\n' "${changed[@]}" | sort -u | wc -l) files that changed since $TIDY_SINCE, or include what did"
fi
python=$PWD/build/python/bin/python
bindings=ON
if ! "$python" -c 'import nanobind' 2>/dev/null; then
  bindings=OFF
  echo "clang-tidy: without python/bindings, since there is no nanobind in build/python (make python)" >&2
fi
cmake --preset release -B "$database" -DWORDSWAY_UNITY=OFF -DWORDSWAY_TESTS=OFF -DWORDSWAY_BENCH=OFF \
  -DWORDSWAY_PYTHON=$bindings "-DPython_EXECUTABLE=$python" >/dev/null
# The commands are GCC's: clang cannot read its precompiled headers and does not know all of its warnings, which are the
# compiler's business anyway.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed -E 's/ -include [^ ]*cmake_pch\.hxx//g; s/ -(Winvalid-pch|fpch-preprocess)//g' "$database/compile_commands.json" \
  >"$scratch/compile_commands.json"
log=$scratch/log
if ! run-clang-tidy -quiet -p "$scratch" -j "$jobs" -extra-arg=-Wno-everything -extra-arg=-Wno-unknown-warning-option \
  "^$PWD/(?=(src|app|python/bindings)/).*$pattern" >"$log" 2>&1; then
  grep -v -E '^(clang-tidy|[0-9]+ warnings|Suppressed|Use -header-filter)' "$log" >&2 || true
  exit 1
fi
echo "clang-tidy: nothing found"
