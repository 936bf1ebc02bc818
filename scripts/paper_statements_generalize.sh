#!/usr/bin/env bash
# paper_statements_generalize.sh [quick|paper]: measures what the paper says about learning a one-word change, and
# prints what comes out, whatever it is. quick (default): d = 256; paper: d = 768 and N up to 1300, for hours.
#   rf, drf    sqrt(error) + gamma >= 1.9 for every move found
#   raf        errors near 0 at n = 40 and at n = 120
#   raf-relu   worse at n = 120 than at n = 40
# Exits 0 when every statement was measured, held or not; the verdicts are in the output.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
program=${WORDSWAY:-build/release/bin/wordsway}
case "${1:-quick}" in
  quick) d=256 sizes=100,400 trials=4 deep_sizes=100 deep_n=40 ;;
  paper) d=768 sizes=100,700,1300 trials=10 deep_sizes=100,700 deep_n=40,120 ;;
  *) echo "usage: $0 [quick|paper]" >&2; exit 2 ;;
esac
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

measure() {  # NAME ARGUMENT...
  local name=$1
  shift
  echo "# wordsway generalize $*" >&2
  "$program" generalize "$@" --format csv --quiet > "$folder/$name.csv"
}

# Statistics of a column expression over rows that pass a filter; columns by name.
over() {  # FILE FILTER EXPRESSION
  awk -F, -v OFS=' ' '
    NR == 1 { for (c = 1; c <= NF; c++) column[$c] = c; next }
    { n = $column["n"]; objective = $column["objective"]; training = $column["training"]
      error = $column["error"]; gamma = $column["gamma"]; penalty = $column["penalty"] }
    '"$2"' { v = '"$3"'; count++; sum += v; if (count == 1 || v < low) low = v; if (count == 1 || v > high) high = v }
    END { printf "rows %d  lowest %.4g  mean %.4g  highest %.4g\n", count, low, sum / count, high }' "$1"
}

measure rf --map rf --n 40,120 --d "$d" --train-size "$sizes" --trials "$trials" --penalty 0,0.1,1
measure drf --map drf --depth 2 --n "$deep_n" --d "$d" --train-size "$deep_sizes" --trials 2 --penalty 0,1
measure raf --map raf --n 40,120 --d "$d" --train-size "$sizes" --trials "$trials" --penalty 0,0.1,1
measure relu --map raf-relu --n 40,120 --d "$d" --train-size "$sizes" --trials "$trials" --penalty 0,0.1,1

for map in rf drf; do
  echo "$map: sqrt(error) + gamma, said to be at least 1.9 for every move found"
  echo "    $(over "$folder/$map.csv" 1 'sqrt(error) + gamma')"
done
for map in raf relu; do
  for n in 40 120; do
    [ "$map" = raf ] && said="said to be near 0" || said="said to be worse at n = 120 than at n = 40"
    echo "$map, n = $n: error, $said"
    for training in fine-tune retrain; do
      for kind in 'objective == "align"' 'objective == "error" && penalty == 0' 'objective == "error" && penalty == 0.1' \
                  'objective == "error" && penalty == 1'; do
        echo "    $training, $kind"
        echo "        error  $(over "$folder/$map.csv" "n == $n && training == \"$training\" && $kind" error)"
        echo "        gamma  $(over "$folder/$map.csv" "n == $n && training == \"$training\" && $kind" gamma)"
        echo "        sum    $(over "$folder/$map.csv" "n == $n && training == \"$training\" && $kind" 'sqrt(error) + gamma')"
      done
    done
  done
done
