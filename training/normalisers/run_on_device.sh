#!/usr/bin/env bash
# Trains the twelve encoders in one call of at most 9 minutes on the GPU machine, where build/normaliser-data must lie.
#   run_on_device.sh [OPTIONS OF train.py...]
# Into $OUT go models.tar, train.log.json and curve.csv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
work=build/normaliser-work
out=${OUT:-build/normaliser-out}
export PYTHONUNBUFFERED=1
rm -rf "$work"
mkdir -p "$work" "$out"
python3 -m training.normalisers.train --data build/normaliser-data --work "$work" --total-seconds 440 "$@" 2>&1 |
  tee "$out/log.txt"
cp "$work/train.log.json" "$work/curve.csv" "$out/"
tar -C "$work" -cf "$out/models.tar" models
