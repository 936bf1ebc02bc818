#!/usr/bin/env bash
# fuzz.sh [SECONDS] [JOBS]: runs every fuzz target of the fuzz build for SECONDS (60) each, JOBS (2) at a time, starting
# from its committed seeds in fuzz/corpus/NAME. What the fuzzer finds on its way stays under build/; an input that breaks
# a target is kept as build/fuzz/findings/NAME-* and fails the run. What a target prints is in build/fuzz/logs/NAME.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
jobs=${2:-2}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:allocator_may_return_null=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
shopt -s nullglob
programs=(build/fuzz/bin/fuzz_*)
if ((${#programs[@]} == 0)); then
  echo "There is no build/fuzz/bin/fuzz_*; 'make fuzz' builds them." >&2
  exit 1
fi
mkdir -p build/fuzz/findings build/fuzz/logs
for program in "${programs[@]}"; do
  name=${program##*/fuzz_}
  if [[ ! -d fuzz/corpus/$name ]]; then
    echo "The target fuzz_$name has no seeds: expected the folder fuzz/corpus/$name." >&2
    exit 1
  fi
done

fuzz_one() {
  local program=$1 name=${1##*/fuzz_}
  local scratch=build/fuzz/corpus/$name log=build/fuzz/logs/$name
  mkdir -p "$scratch"
  if "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build/fuzz/findings/$name-" "$scratch" "fuzz/corpus/$name" >"$log" 2>&1; then
    echo "fuzz_$name: nothing found in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
  else
    echo "fuzz_$name: found something"
    tail -40 "$log"
    return 1
  fi
}
export -f fuzz_one
export seconds
printf '%s\n' "${programs[@]}" | xargs -P "$jobs" -I{} bash -c 'fuzz_one {}'
