#!/usr/bin/env python3
"""Prints sentences of texts, one per line: of every text at most one, of 6 to 24 words, drawn by seed.

    tests/golden/lexicon/draw_sentences.py imdb.jsonl.xz [--count 1000] [--seed 1] > sentences.txt

The file has one JSON object per line, with the key text; it may end in .xz.
"""

import argparse
import json
import lzma
import pathlib
import random
import re

SHORTEST, LONGEST = 6, 24


def sentences_of(text):
    for sentence in re.split(r"(?<=[.!?])\s+", text.replace("<br />", " ")):
        whole = sentence[:1].isupper() and sentence[-1:] in ".!?" and sentence.isascii()
        if whole and SHORTEST <= len(sentence.split()) <= LONGEST and not {'"', "\t"} & set(sentence):
            yield sentence.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with (lzma.open(given.file, "rt") if given.file.suffix == ".xz" else given.file.open()) as file:
        texts = [json.loads(line)["text"] for line in file]
    draw = random.Random(given.seed)
    draw.shuffle(texts)
    found = 0
    for text in texts:
        sentences = list(sentences_of(text))
        if sentences and found < given.count:
            print(draw.choice(sentences))
            found += 1


if __name__ == "__main__":
    main()
