#!/usr/bin/env bash
# bench.sh [ARGUMENT...]: runs every benchmark program of the release build in turn, passing the arguments on
# (for example --benchmark_filter=gaussian). Stops with a failure when one fails or none was built.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
programs=(build/release/bin/bench_*)
if ((${#programs[@]} == 0)); then
  echo "There is no build/release/bin/bench_*; 'make bench' builds them." >&2
  exit 1
fi
for program in "${programs[@]}"; do
  echo "== $(basename "$program")"
  "$program" "$@"
done
