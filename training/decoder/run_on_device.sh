#!/usr/bin/env bash
# run_on_device.sh [SECONDS] [TOTAL_SECONDS] [OPTIONS OF train.py...]: trains for SECONDS (default 540) of TOTAL_SECONDS
# (default 1000) on the GPU machine, where build/decoder-data must lie. Again to continue; when all steps are done it
# evaluates. Into $OUT go the log, the curve, and either the checkpoint in parts, or the finished model as model.tar with
# evaluation.json. On a fresh machine, put the parts and curve.csv into build/decoder-work first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-540}
total=${2:-1000}
data=build/decoder-data
work=build/decoder-work
out=${OUT:-build/decoder-out}
export PYTHONUNBUFFERED=1
mkdir -p "$work" "$out"

if [[ ! -e $work/checkpoint.pt ]] && compgen -G "$work/checkpoint.part-*" >/dev/null; then
  cat "$work"/checkpoint.part-* >"$work/checkpoint.pt"  # a fresh machine, to which the parts were carried
fi
python3 -m training.decoder.train --data "$data" --work "$work" --seconds "$seconds" --total-seconds "$total" \
  "${@:3}"
cp "$work/train.log.json" "$out/"
[[ ! -e $work/curve.csv ]] || cp "$work/curve.csv" "$out/"  # there is none before the first evaluation
if grep -q '"finished": true' "$work/train.log.json"; then
  tar -C "$work" -cf "$out/model.tar" model
  python3 -m training.decoder.evaluate --data "$data" --model "$work/model" --output "$out/evaluation.json"
else
  split -b 15M -d "$work/checkpoint.pt" "$out/checkpoint.part-"  # a file that comes back has at most 16 MiB
fi
