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
            for name in row:
                if name.endswith("_ms"):
                    old[name] = min(old[name], row[name])
                elif name.endswith(("gflops", "_mb")):
                    old[name] = max(old[name], row[name])
    for kind, wall, rate in (("wall", "", "gflops"), ("processor", "_cpu", "cpu_gflops")):
        show(best, f"{kind} time, {options.threads} threads, best of {options.rounds} rounds of {options.repeats}", wall, rate)


def show(best, title, suffix, rate):
    print(f"\n{title}\nmodel      n     forward ms: wordsway    torch  ratio | step ms: wordsway    torch  ratio |"
          " step/forward | GF/s  fraction of peak | resident - weights MB")
    for model, n, engine in sorted(best):
        if engine != "wordsway":
            continue
        ours, theirs = best[model, n, "wordsway"], best[model, n, "torch"]
        forward, step = f"forward{suffix}_ms", f"step{suffix}_ms"
        # Processor time adds up over threads, so its peak is that of one.
        peak = ours["peak_gflops"] / (ours["threads"] if suffix else 1)
        print(f"{model:10} {n:4} {ours[forward]:21.1f} {theirs[forward]:8.1f} {theirs[forward] / ours[forward]:6.2f} |"
              f" {ours[step]:17.1f} {theirs[step]:8.1f} {theirs[step] / ours[step]:6.2f} |"
              f" {ours[step] / ours[forward]:12.2f} | {ours[rate]:4.0f} {ours[rate] / peak:17.2f} |"
              f" {ours['resident_mb'] - ours['weights_mb']:10.0f}")


if __name__ == "__main__":
    main()
