#!/usr/bin/env bash
# faults.sh [JOBS]: the fault tests in full, JOBS commands at a time: every call to the system is made to fail in turn
# (of the allocations the first 500 and 500 of the rest), and studies are killed 200 times and resumed. A short soak
# follows (scripts/soak.py). It takes a quarter of an hour or more on two cores. A line for each command and kind of
# call; what went wrong is in the lines with "Failure".
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${1:-2}
program=build/release/bin/test_faults
if [[ ! -x $program ]]; then
  echo "There is no $program; 'make faults' builds it." >&2
  exit 1
fi
export WORDSWAY_FAULTS=all GTEST_TOTAL_SHARDS=$jobs GTEST_BRIEF=1
pids=()
for ((shard = 0; shard < jobs; ++shard)); do
  GTEST_SHARD_INDEX=$shard "$program" &
  pids+=($!)
done
wrong=0
for pid in "${pids[@]}"; do wait "$pid" || wrong=1; done
scripts/soak.py --minutes 2 --trials 4000 || wrong=1
if ((wrong)); then echo "Some faults are not handled; see above."; else echo "All faults are handled."; fi
exit $wrong
