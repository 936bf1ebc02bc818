#!/usr/bin/env python3
"""The arrays of ngram.py against Kneser-Ney written down as its formulas say, on a small text."""
import collections

import numpy as np

from training.decoder import ngram, packing


def by_the_book(tokens, real):
    """{order: ({gram: adjusted count}, discounts)}"""
    raw = collections.Counter()
    for i in np.flatnonzero(real):
        for k in range(1, ngram.ORDER + 1):
            raw[tuple(tokens[i - k + 1:i + 1])] += 1
    orders = {}
    for k in range(1, ngram.ORDER + 1):
        adjusted = {g: c for g, c in raw.items() if len(g) == k}
        if k < ngram.ORDER:
            spread = collections.Counter(g[1:] for g in raw if len(g) == k + 1)
            adjusted = {g: (c if g[0] == packing.BEGIN else spread[g]) for g, c in adjusted.items()}
        orders[k] = adjusted, ngram.discounts(np.array(list(adjusted.values())))
    return orders


def probability(orders, gram):
    if not gram:
        return 1 / ngram.VOCABULARY
    adjusted, discount = orders[len(gram)]
    followers = [c for g, c in adjusted.items() if g[:-1] == gram[:-1]]
    shorter = probability(orders, gram[1:])
    if not followers:
        return shorter
    count = adjusted.get(gram, 0)
    left = sum(discount[min(c, 3)] for c in followers)
    return (count - discount[min(count, 3)] + left * shorter) / sum(followers)


def main():
    random = np.random.default_rng(1)
    documents = [np.minimum(random.geometric(0.3, 40) + 1, 12) for _ in range(12)]
    pads = np.zeros(ngram.PADS, dtype=np.int64)
    tokens = np.concatenate([np.concatenate([pads, d]) for d in documents])
    real = np.concatenate([np.arange(len(d) + len(pads)) >= len(pads) for d in documents])
    fast = ngram.KneserNey(tokens, real)
    orders = by_the_book(tokens, real)
    test = np.concatenate([pads, random.integers(2, 15, 60)])
    asked = np.arange(len(test)) >= len(pads)
    slow = [probability(orders, tuple(test[i - ngram.ORDER + 1:i + 1])) for i in np.flatnonzero(asked)]
    worst = np.abs(fast.probabilities(test, asked) / np.array(slow) - 1).max()
    print("largest relative difference", worst)
    assert worst < 1e-9


if __name__ == "__main__":
    main()
