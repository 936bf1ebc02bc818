#!/usr/bin/env bash
# The same measurement by wordsway and by a plain autodiff loop; see README.md here.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wordsway=${WORDSWAY:-$here/../../../build/release/bin/wordsway}
python=${PYTHON:-python3}
threads=${THREADS:-2}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '%6s %6s %8s %12s %12s %14s %14s %12s\n' n d data ours loop 'ours, s' 'loop, s' ratio
for size in ${SIZES:-50:768 250:768}; do
  n=${size%%:*} d=${size##*:}
  for data in sphere spiked:0.3; do
    "$python" - "$n" "$d" "$data" "$scratch" <<'PY'
import sys
import numpy as np
n, d, data, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
rng = np.random.default_rng(1)
unit = lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True)
spike = float(data.split(":")[1]) if ":" in data else 0.0
X = unit(np.sqrt(spike) * unit(rng.normal(size=d)) + np.sqrt(1 - spike) * unit(rng.normal(size=(n, d)))) * np.sqrt(d)
np.save(f"{folder}/x.npy", X)
np.save(f"{folder}/w.npy", rng.normal(size=(d, d)) / np.sqrt(d))
PY
    "$wordsway" measure --map raf --x "$scratch/x.npy" --weights "$scratch/w.npy" --no-normalise --threads "$threads" \
      --format json --quiet > "$scratch/ours.json"
    "$python" "$here/loop.py" "$scratch/x.npy" "$scratch/w.npy" --threads "$threads" > "$scratch/loop.json"
    "$python" - "$n" "$d" "$data" "$scratch" <<'PY'
import json
import sys
n, d, data, folder = sys.argv[1:5]
ours, loop = (json.load(open(f"{folder}/{name}.json")) for name in ("ours", "loop"))
assert ours["sensitivity"] >= loop["best"] * (1 - 1e-9), f"the loop ended higher: {loop['best']} > {ours['sensitivity']}"
print(f"{n:>6} {d:>6} {data:>8.8} {ours['sensitivity']:>12.6f} {loop['best']:>12.6f} {ours['seconds']:>14.4f} "
      f"{loop['seconds']:>14.2f} {loop['seconds'] / ours['seconds']:>12.0f}")
PY
  done
done
