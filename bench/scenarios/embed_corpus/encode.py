#!/usr/bin/env python3
"""Python's `encode` beside what the command `embed` calls, by turns on one machine: is the way through Python slower?

    encode.py BENCH_EMBED_PROGRAM MODEL_FOLDER REVIEWS.jsonl[.xz] [--threads 2] [--turns 15] [--python build/python/bin/python]

PYTHON has wordsway of the same build (`make python`). The texts are those of compare.py. First the vectors of both
must have the same bits; then both run by turns, and the ratio is the median of the ratios of neighbours, with its
quartiles.
"""
import argparse
import pathlib
import sys
import tempfile

import numpy as np

from compare import HERE, PAUSE, write_texts
from engine import Engine, by_turns, median, median_ratio, quartiles_of_ratio


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("model")
    parser.add_argument("corpus")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--python", default="build/python/bin/python")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    files = write_texts(options.corpus, folder)
    threads = ["--threads", options.threads]
    embed = Engine([options.program, "--model", options.model, *threads, "--serve"], PAUSE)
    encode = Engine([options.python, str(HERE / "others.py"), "wordsway", options.model, *threads], PAUSE)
    print(f"{options.threads} threads, {options.turns} turns\n"
          "corpus                    |  embed ms  encode ms | encode/embed: wall (quartiles)   processor")
    for title, file in files.items():
        embed.ask(f"{file} {folder}/embed.npy")
        encode.ask(f"{file} {folder}/encode.npy")
        if not np.array_equal(np.load(folder / "embed.npy"), np.load(folder / "encode.npy")):
            sys.exit(f"{title}: the vectors of encode are not those of embed")
        ours, its = by_turns([embed, encode], str(file), options.turns, warm_up=False)
        low, middle, high = quartiles_of_ratio(its, ours)
        processor = median_ratio(its, ours, index=1)
        print(f"{title:25} | {median(ours):9.1f} {median(its):10.1f} | {middle:17.3f} ({low:.3f} to {high:.3f})"
              f" {processor:9.3f}", flush=True)


if __name__ == "__main__":
    main()
