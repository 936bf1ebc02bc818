#!/usr/bin/env python3
"""A corpus to vectors: wordsway beside sentence-transformers (PyTorch) and ONNX Runtime, by turns on one machine.

    compare.py BENCH_EMBED_PROGRAM MODEL_FOLDER REVIEWS.jsonl[.xz] [--threads 2] [--turns 5] [--only short|long]
               [--python PYTHON]

2,000 texts of 14 words and 400 whole reviews. First all engines' vectors are compared: they must agree to 1e-5 of the
largest entry. Then each of the others takes the best of its batch sizes 1, 8 and 32, and all run by turns: the ratio is
the median of the ratios of neighbours, since clouds change the speed of a core by half from one second to the next.
"""
import argparse
import itertools
import json
import lzma
import pathlib
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from engine import Engine, by_turns, median, median_ratio  # noqa: E402

PAUSE = 0.05  # seconds


def write_texts(corpus, folder):
    opener = lzma.open if corpus.endswith(".xz") else open
    with opener(corpus, "rt", encoding="utf-8") as lines:
        reviews = [" ".join(json.loads(line)["text"].split()) for line in itertools.islice(lines, 400)]
    words = " ".join(reviews).split()
    short = [" ".join(words[k:k + 14]) for k in range(0, 14 * 2000, 14)]
    files = {"2,000 texts of 14 words": folder / "short.txt", "400 whole reviews": folder / "long.txt"}
    for file, texts in zip(files.values(), (short, reviews)):
        file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    (folder / "short.txt.few").write_text("\n".join(short[:64]) + "\n", encoding="utf-8")  # to warm up
    return files


def error_of(vectors, others):
    """The largest difference, relative to the largest entry."""
    return np.abs(others - vectors).max() / np.abs(vectors).max()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("model")
    parser.add_argument("corpus")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--only", choices=["short", "long"])
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    files = write_texts(options.corpus, folder)
    threads = ["--threads", options.threads]
    ours = Engine([options.program, "--model", options.model, *threads, "--serve"], PAUSE)
    others = {name: {batch: Engine([options.python, str(HERE / "others.py"), name, options.model, *threads, "--batch", batch],
                                    PAUSE)
                     for batch in ("1", "8", "32")} for name in ("sentence-transformers", "onnxruntime")}
    print(f"{options.threads} threads, medians of {options.turns} turns\n"
          "corpus                    | wordsway texts/s  gflops | engine (best batch)            texts/s  ours/its")
    for title, file in files.items():
        if options.only and file.stem != options.only:
            continue
        ours.ask(f"{file} {folder}/ours.npy")
        vectors = np.load(folder / "ours.npy")
        for name, engines in others.items():
            first = {}  # run of every batch size, which chooses the best of them
            for batch, engine in engines.items():
                engine.ask(str(files["2,000 texts of 14 words"]) + ".few")
                first[batch] = engine.ask(f"{file} {folder}/other.npy")[0]
                error = error_of(vectors, np.load(folder / "other.npy"))
                if not error < 1e-5:
                    sys.exit(f"{name}, batch {batch}: vectors differ by {error:.1e} of the largest entry")
            batch = min(first, key=first.get)
            its, own = by_turns([engines[batch], ours], str(file), options.turns, warm_up=False)
            count, gigaflops = len(vectors), own[0][2]
            print(f"{title:25} | {1e3 * count / median(own):16.1f} {1e3 * gigaflops / median(own):7.1f} |"
                  f" {name + ' (' + batch + ')':28} {1e3 * count / median(its):9.1f} {median_ratio(its, own):9.2f}",
                  flush=True)


if __name__ == "__main__":
    main()
