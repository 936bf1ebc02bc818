#!/usr/bin/env python3
"""Word types, tokens and common 8-grams of labelled reviews, one "label<TAB>text" a line, on standard input."""
import itertools
import random
import re
import statistics
import sys


def words_of(text):
    return re.findall(r"[\w'-]+", text.lower())


def eight_grams(words):
    return {tuple(words[i:i + 8]) for i in range(len(words) - 7)}


def main():
    texts = [line.rstrip("\n").split("\t", 1)[1] for line in sys.stdin]
    words = [words_of(text) for text in texts]
    grams = [eight_grams(w) for w in words]
    random.seed(1)
    shares = []
    for _ in range(20000):
        a, b = random.sample(range(len(texts)), 2)
        shares.append(len(grams[a] & grams[b]) / max(1, min(len(grams[a]), len(grams[b]))))
    nearest = [max(len(grams[a] & grams[b]) / len(grams[a]) for b in range(len(texts)) if b != a) for a in range(0, 200)]
    print("reviews", len(texts), "distinct", len(set(texts)), "word types", len(set(itertools.chain(*words))),
          "words a review, median", statistics.median(map(len, words)))
    print("share of common 8-grams: median", statistics.median(shares), "mean", statistics.mean(shares), "largest",
          max(shares), "; with the nearest of all, median", statistics.median(nearest))


if __name__ == "__main__":
    main()
