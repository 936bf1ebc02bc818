#!/usr/bin/env python3
"""Two builds of bench_decoder by turns: what does a move of one token cost among others?

    moves.py OLD_BENCH_DECODER NEW_BENCH_DECODER FOLDER [--threads 2] [--turns 7] [--at 16/0,16/8,...]

For a text of N tokens and token T of it, written N/T, the milliseconds of one of 32 moves that are evaluated together,
with gradients; the ratio is the median of the ratios of neighbours, old to new.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from engine import Engine, by_turns, median, median_ratio  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folder")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--at", default="4/0,4/3,16/0,16/8,16/15,64/0,64/32,64/60,256/128,256/250")
    options = parser.parse_args()
    engines = [Engine([program, options.folder, options.threads], 0.05) for program in (options.old, options.new)]
    for place in options.at.split(","):
        request = "moves {} {}".format(*place.split("/"))
        old, new = by_turns(engines, request, options.turns, warm_up=False)
        print(f"{place:>8}: {median(old):8.2f} ms before, {median(new):8.2f} ms after, {median_ratio(old, new):5.2f} times"
              " as fast", flush=True)


if __name__ == "__main__":
    main()
