#!/usr/bin/env bash
# fuzz.sh [SECONDS]: runs every fuzz target of the fuzz build for SECONDS (60) each, starting from its committed
# seeds in fuzz/corpus/NAME. What the fuzzer finds on its way stays under build/; an input that breaks a target is
# kept as build/fuzz/findings/NAME-* and fails the run.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=${1:-60}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:allocator_may_return_null=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
shopt -s nullglob
programs=(build/fuzz/bin/fuzz_*)
if ((${#programs[@]} == 0)); then
  echo "There is no build/fuzz/bin/fuzz_*; 'make fuzz' builds them." >&2
  exit 1
fi
mkdir -p build/fuzz/findings
for program in "${programs[@]}"; do
  name=${program##*/fuzz_}
  seeds=fuzz/corpus/$name
  if [[ ! -d $seeds ]]; then
    echo "The target fuzz_$name has no seeds: expected the folder $seeds." >&2
    exit 1
  fi
  scratch=build/fuzz/corpus/$name
  mkdir -p "$scratch"
  echo "== fuzz_$name, $seconds s"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build/fuzz/findings/$name-" "$scratch" "$seeds"
done
