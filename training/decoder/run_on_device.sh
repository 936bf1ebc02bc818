#!/usr/bin/env bash
# Trains and evaluates on the GPU machine, where build/decoder-data must lie.
#   run_on_device.sh whole [OPTIONS OF train.py...]         all in one call of at most 590 s, 8 minutes of them training
#   run_on_device.sh part TOTAL_SECONDS [OPTIONS...]        520 s of a longer training; again and again until it is done
# A call that finds a checkpoint in build/decoder-work continues; remove that folder to begin anew. Into $OUT go the
# log and the curve, and either the finished model as model.tar with evaluation.json, or the checkpoint in parts. On a
# fresh machine, put the parts and curve.csv into build/decoder-work first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=build/decoder-data
work=build/decoder-work
out=${OUT:-build/decoder-out}
# The number of steps comes from the speed of the first ones, and a training takes a fifth longer than that says.
case ${1:-} in
  whole) budget=(--total-seconds 400 --seconds 510 --every 4000) && shift ;;
  part) budget=(--total-seconds "${2:?TOTAL_SECONDS is missing}" --seconds 520 --every 4000) && shift 2 ;;
  *) sed -n '2,7s/^# \?//p' "${BASH_SOURCE[0]}" >&2 && exit 2 ;;
esac
export PYTHONUNBUFFERED=1
mkdir -p "$work" "$out"

if [[ ! -e $work/checkpoint.pt ]] && compgen -G "$work/checkpoint.part-*" >/dev/null; then
  cat "$work"/checkpoint.part-* >"$work/checkpoint.pt"  # a fresh machine, to which the parts were carried
fi
python3 -m training.decoder.train --data "$data" --work "$work" "${budget[@]}" "$@"
cp "$work/train.log.json" "$out/"
[[ ! -e $work/curve.csv ]] || cp "$work/curve.csv" "$out/"  # there is none before the first evaluation
if grep -q '"finished": true' "$work/train.log.json"; then
  tar -C "$work" -cf "$out/model.tar" model
  python3 -m training.decoder.evaluate --data "$data" --model "$work/model" --output "$out/evaluation.json"
else
  split -b 15M -d "$work/checkpoint.pt" "$out/checkpoint.part-"  # a file that comes back has at most 16 MiB
fi
