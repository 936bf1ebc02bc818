#!/usr/bin/env python3
"""wordsway against a plain dense PyTorch implementation (dense.py) of the paper's experiments: time and peak memory
of one trial of every point of a figure, two threads each.

    compare.py [--results FILE] [--seconds S] [--memory BYTES] [--python PYTHON_WITH_TORCH] [--wordsway PROGRAM]

Measures what FILE does not have yet, stops beginning new measurements after S seconds (run it again to go on), and
prints the tables once everything is there. `--seconds 0` only prints.

A dense point is measured where its weights fit into --memory, with a few steps, and its time is that of its set-up
plus that of its fastest step times all its steps: 50·n for attention, 300 for random features and for each of the
four descents of Figure 4. The others are computed: memory from the sizes of the weights, time from the largest point
measured, in proportion to the numbers that are drawn and read."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ATTENTION = ("raf", "raf-relu")
PROBE = {"raf": 20, "raf-relu": 20, "rf": 5}  # steps that are timed
STEPS = 300
LENGTHS = (10, 20, 50, 100, 150, 200, 250)


def sensitivity_rows(memory):
    for d in (192, 384, 768):
        lengths = range(90, 151, 10)
        for fits in (True, False):
            points = [(n, d, 1) for n in lengths if (8 * (n * d) ** 2 <= memory) == fits]
            if points:
                yield row("2", "rf", points, fits)
    for depth in (2, 4, 8):
        yield row("2", "drf", [(n, 768, depth) for n in (50, 60, 70, 80)], False)
    for name in ATTENTION:
        for d in (192, 384, 768):
            yield row("3", name, [(n, d, 1) for n in LENGTHS], True)


def row(figure, name, points, measured):
    lengths, d, depth = [n for n, _, _ in points], points[0][1], points[0][2]
    flags = ["measure", "--map", name, "--n", ",".join(map(str, lengths)), "--d", str(d)]
    if name == "drf":
        flags += ["--depth", str(depth), "--tolerance", "1e-3"]
    if name == "rf":
        flags += ["--tolerance", "1e-4"]
    if name not in ATTENTION:  # every start costs new random numbers; they agree to a percent
        flags += ["--starts", "1"]
    span = f"{lengths[0]} … {lengths[-1]}" if len(lengths) > 1 else str(lengths[0])
    curve = f"d = {d}, n = {span}" + (f", depth {depth}" if name == "drf" else "")
    return {"figure": figure, "map": name, "curve": curve, "points": points, "sizes": None, "measured": measured,
            "ours": [flags]}


def generalization_rows(memory):
    d, sizes = 768, (100, 700, 1300)
    for name, n in (("rf", 40), ("rf", 120), ("raf", 40), ("raf", 120), ("raf-relu", 120)):
        yield {"figure": "4", "map": name, "curve": f"d = {d}, n = {n}, N = 100, 700, 1300", "points": [(n, d, 1)],
               "sizes": sizes, "measured": name in ATTENTION or 8 * (n * d) ** 2 <= memory,
               "ours": [["generalize", "--map", name, "--n", str(n), "--d", str(d), "--train-size", str(size)]
                        for size in sizes]}


def dense_flags(entry):
    """The commands of dense.py that this row needs."""
    steps = ["--steps", str(PROBE[entry["map"]])]
    for n, d, depth in entry["points"]:
        sizes = ["--n", str(n), "--d", str(d), "--depth", str(depth)]
        if entry["sizes"] is None:
            yield ["sensitivity", entry["map"], *sizes, *steps]
        for size in entry["sizes"] or ():
            yield ["generalize", entry["map"], *sizes, "--train-size", str(size), *steps]


def our_keys(entry):
    return [" ".join(["wordsway", *flags, "--trials", "1"]) for flags in entry["ours"]]


def run(command):
    """Standard output, wall seconds and peak bytes of a command."""
    with tempfile.TemporaryFile("w+") as out:
        begin = time.perf_counter()
        child = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{' '.join(command)} ended with {child.returncode}")
        out.seek(0)
        return out.read(), seconds, usage.ru_maxrss * 1024


def measure(rows, options, results):
    """Fills `results`; False when the time was up before everything was there."""
    begin = time.perf_counter()
    keys = []
    for entry in rows:
        keys += our_keys(entry)
        if entry["measured"]:
            keys += [" ".join(["dense", *flags]) for flags in dense_flags(entry)]
    for key in keys:
        if key in results:
            continue
        if time.perf_counter() - begin >= options.seconds:
            return False
        print(key, file=sys.stderr)
        program, *flags = key.split()
        if program == "dense":
            results[key] = json.loads(run([options.python, str(HERE / "dense.py"), *flags])[0])
        else:
            _, seconds, peak = run([options.wordsway, *flags, "--threads", "2", "--data", "spiked:0.3", "--quiet"])
            results[key] = {"seconds": seconds, "peak_bytes": peak}
        options.results.write_text(json.dumps(results, indent=1) + "\n")
    return True


def dense_measured(entry, results):
    seconds, peak = 0.0, 0
    for flags in dense_flags(entry):
        found = results[" ".join(["dense", *flags])]
        n = int(flags[flags.index("--n") + 1])
        steps = 50 * n if entry["sizes"] is None and entry["map"] in ATTENTION else STEPS
        seconds += found["setup"] + steps * found["step"]
        peak = max(peak, found["peak_bytes"])
    return seconds, peak


def largest_random_features(results):
    """Seconds to draw a number, and to pass it in one step, at the largest point of rf that was measured."""
    found = [(key.split(), value) for key, value in results.items() if key.startswith("dense sensitivity rf ")]
    words, value = max(found, key=lambda pair: int(pair[0][4]) * int(pair[0][6]))
    numbers = (int(words[4]) * int(words[6])) ** 2
    return value["setup"] / numbers, value["step"] / numbers


def dense_computed(entry, results):
    if entry["sizes"] is None:
        draw, step = largest_random_features(results)
        numbers = [depth * (n * d) ** 2 for n, d, depth in entry["points"]]
        return sum(numbers) * (draw + STEPS * step), 8 * max(numbers)
    # From rf at the smaller n: weights, features and steps grow with D², pseudoinverses with D.
    (n, d, _), small = entry["points"][0], {**entry, "points": [(40, 768, 1)]}
    seconds = 0.0
    for flags in dense_flags(small):
        found, growth = results[" ".join(["dense", *flags])], n / 40
        seconds += growth * found["interpolate"] + growth**2 * (
            found["weights"] + found["features"] + STEPS * found["step"])
    return seconds, 8 * (n * d) ** 2 + 2 * 8 * (max(entry["sizes"]) + 1) * n * d


def time_text(seconds):
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"


def memory_text(size):
    return f"{size / 1e9:.2g} GB" if size < 1e10 else f"{size / 1e9:.0f} GB"


def table(title, lines):
    print(f"\n| {title} | dense PyTorch | peak memory | | wordsway | peak memory | times faster |")
    print("|---|---:|---:|---|---:|---:|---:|")
    for name, dense, peak, how, ours, our_peak in lines:
        print(f"| {name} | {time_text(dense)} | {memory_text(peak)} | {how} | {time_text(ours)} | {memory_text(our_peak)} |"
              f" {float(f'{dense / ours:.2g}'):,.0f} |")


def tables(rows, results):
    lines, figures = [], {}
    for entry in rows:
        dense, peak = (dense_measured if entry["measured"] else dense_computed)(entry, results)
        ours = [results[key] for key in our_keys(entry)]
        how = "measured" if entry["measured"] else "computed"
        lines.append((f"{entry['figure']}, {entry['map']}: {entry['curve']}", dense, peak, how,
                      sum(run["seconds"] for run in ours), max(run["peak_bytes"] for run in ours)))
        figures.setdefault(f"{entry['figure']}, {entry['map']}", []).append(lines[-1])
    table("Figure, map", [(name, sum(p[1] for p in parts), max(p[2] for p in parts),
                           " and ".join(sorted({p[3] for p in parts}, reverse=True)), sum(p[4] for p in parts),
                           max(p[5] for p in parts)) for name, parts in figures.items()])
    table("Figure, map: curve", lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results.json")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--memory", type=float, default=10e9)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--wordsway", default=str(HERE.parents[2] / "build/release/bin/wordsway"))
    options = parser.parse_args()
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    rows = [*sensitivity_rows(options.memory), *generalization_rows(options.memory)]
    if not measure(rows, options, results):
        sys.exit("the time is up; run this again to go on")
    tables(rows, results)


if __name__ == "__main__":
    main()
