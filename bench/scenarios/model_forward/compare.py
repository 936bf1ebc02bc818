#!/usr/bin/env python3
"""wordsway against PyTorch on the same machine in the same run, alternating, best of all rounds.

    compare.py BENCH_MODEL_PROGRAM [--threads T] [--rounds 3] [--repeats 7] [--python PYTHON_WITH_TORCH]
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def rows(command):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", default="7")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    flags = ["--threads", options.threads, "--repeats", options.repeats]
    best = {}
    for _ in range(options.rounds):
        found = rows([options.program, *flags]) + rows([options.python, str(HERE / "torch_forward.py"), *flags])
        for row in found:
            key = (row["model"], row["n"], "torch" if row["engine"].startswith("torch") else "wordsway")
            old = best.setdefault(key, dict(row))
            for name in ("forward_ms", "step_ms"):
                old[name] = min(old[name], row[name])
            for name in ("peak_gflops", "gflops", "resident_mb"):
                if name in row:
                    old[name] = max(old[name], row[name])
    print(f"threads {options.threads}, best of {options.rounds} rounds of {options.repeats}")
    print("model      n    forward ms: wordsway   torch  ratio | forward+backward: wordsway   torch |"
          " step/forward | GF/s of peak  fraction | weights MB, resident MB")
    for model, n, engine in sorted(best):
        if engine != "wordsway":
            continue
        ours, theirs = best[model, n, "wordsway"], best[model, n, "torch"]
        print(f"{model:10} {n:4} {ours['forward_ms']:19.1f} {theirs['forward_ms']:9.1f} "
              f"{theirs['forward_ms'] / ours['forward_ms']:6.2f} | {ours['step_ms']:25.1f} {theirs['step_ms']:7.1f} | "
              f"{ours['step_ms'] / ours['forward_ms']:12.2f} | {ours['gflops']:5.0f} {ours['peak_gflops']:7.0f} "
              f"{ours['gflops'] / ours['peak_gflops']:9.2f} | {ours['weights_mb']:10.0f} {ours['resident_mb']:12.0f}")


if __name__ == "__main__":
    main()
