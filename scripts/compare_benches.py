#!/usr/bin/env python3
"""Benchmarks of two builds by turns: is the new one slower?

    scripts/compare_benches.py OLD_BIN NEW_BIN [--turns 5] [--only bench_maps,bench_sensitivity,...]

OLD_BIN and NEW_BIN are folders of benchmark programs (build/release/bin). Both builds run by turns, since shared
machines change their speed within seconds. For every time that the programs print, the ratio new/old is the median of
the ratios of neighbours, with its quartiles; then the geometric mean. Exit 1 when that is above 1.01, or one ratio is
above 1.05 with its whole interval.
"""
import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

NUMBER = r"[0-9]+(?:\.[0-9]+)?"


def times_of_maps(lines):
    """map, ms"""
    for line in lines:
        if found := re.match(rf"(\S+)\s+({NUMBER})\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}", line):
            yield found[1], float(found[2])


def times_of_sensitivity(lines):
    """what, n, d, seconds"""
    for line in lines:
        if found := re.match(rf"(.{{34}}\s*\d+\s*\d+)\s+({NUMBER})\s", line):
            yield " ".join(found[1].split()), float(found[2])


def times_of_random_features(lines):
    """map, depth, n, starts, seconds"""
    for line in lines:
        if found := re.match(rf"(d?rf\s+\d+\s+\d+\s+\d+)\s+({NUMBER})\s", line):
            yield " ".join(found[1].split()), float(found[2])


def times_of_model(lines):
    for line in lines:
        if line.startswith("{"):
            row = json.loads(line)
            for kind in ("forward_ms", "step_ms"):
                yield f"{row['model']} {row['n']} {kind}", row[kind]


PROGRAMS = {"bench_maps": (times_of_maps, []), "bench_sensitivity": (times_of_sensitivity, []),
            "bench_random_features": (times_of_random_features, []), "bench_model": (times_of_model, ["--repeats", "5"])}


def run(folder, program):
    parse, arguments = PROGRAMS[program]
    output = subprocess.run([folder / program, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(parse(output.splitlines()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", default=",".join(PROGRAMS))
    options = parser.parse_args()
    logs, slow = [], 0
    for program in options.only.split(","):
        turns = [(run(options.old, program), run(options.new, program)) for _ in range(options.turns)]
        for name in turns[0][0]:
            ratios = sorted(new[name] / old[name] for old, new in turns if name in new and old[name] > 0)
            if len(ratios) < 2:
                continue
            low, middle, high = statistics.quantiles(ratios, n=4)
            slow += low > 1.05
            logs.append(math.log(middle))
            print(f"{program:22} {name:48} {middle:6.3f} ({low:.3f} to {high:.3f})", flush=True)
    if not logs:
        sys.exit("the programs printed no times")
    mean = math.exp(statistics.mean(logs))
    print(f"geometric mean {mean:.3f}; {slow} of {len(logs)} beyond 1.05 with their interval")
    sys.exit(1 if mean > 1.01 or slow else 0)


if __name__ == "__main__":
    main()
