#!/usr/bin/env bash
# S of rf three times on the same X: by wordsway with V given, by wordsway with V deferred, by a plain autodiff loop
# with V in memory. See README.md here.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wordsway=${WORDSWAY:-$here/../../../build/release/bin/wordsway}
python=${PYTHON:-python3}
threads=${THREADS:-2}
steps=${STEPS:-300}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '%6s %6s %10s %10s %10s %10s %12s %12s %12s %8s\n' n d 'V MB' loop 'given V' deferred 'loop, s' 'given V, s' \
  'deferred, s' ratio
for size in ${SIZES:-10:192 20:384}; do
  n=${size%%:*} d=${size##*:}
  "$python" - "$n" "$d" "$scratch" <<'PY'
import sys
import numpy as np
n, d, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rng = np.random.default_rng(1)
X = rng.normal(size=(n, d))
np.save(f"{folder}/x.npy", X * np.sqrt(d) / np.linalg.norm(X, axis=1, keepdims=True))
np.save(f"{folder}/v.npy", rng.normal(size=(n * d, n * d)) / np.sqrt(n * d))
PY
  common=(measure --map rf --x "$scratch/x.npy" --no-normalise --threads "$threads" --trials 1 --format json --quiet)
  "$wordsway" "${common[@]}" --weights "$scratch/v.npy" > "$scratch/given.json"
  "$wordsway" "${common[@]}" > "$scratch/deferred.json"
  "$python" "$here/loop.py" "$scratch/x.npy" "$scratch/v.npy" --threads "$threads" --steps "$steps" \
    > "$scratch/loop.json"
  "$python" - "$n" "$d" "$scratch" <<'PY'
import json
import sys
n, d, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
given, deferred, loop = (json.load(open(f"{folder}/{name}.json")) for name in ("given", "deferred", "loop"))
assert given["sensitivity"] >= loop["best"] * (1 - 1e-9), f"the loop ended higher: {loop['best']}"
print(f"{n:>6} {d:>6} {8e-6 * (n * d) ** 2:>10.0f} {loop['best']:>10.6f} {given['sensitivity']:>10.6f} "
      f"{deferred['sensitivity']:>10.6f} {loop['seconds']:>12.2f} {given['seconds']:>12.3f} "
      f"{deferred['seconds']:>12.3f} {loop['seconds'] / deferred['seconds']:>8.0f}")
PY
done
