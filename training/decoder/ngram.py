#!/usr/bin/env python3
"""What a 5-gram model makes of held-out IMDb, beside which the decoder's perplexity stands.

    python -m training.decoder.ngram build/decoder-data

Interpolated modified Kneser-Ney (Chen and Goodman, 1999) over the decoder's own tokens, learned from IMDb's training
part and measured on the same tokens as the decoder: the first 511 of each held-out review. Writes ngram.json into the
folder.

Every document is preceded by four <|begin_of_text|>, so that each of its tokens has a context of four. A k-gram is
known by a number: grams[k] holds, in order, the codes (number of its first k - 1 tokens, last token).
"""
import json
import math
import pathlib
import sys

import numpy as np

from training.decoder import packing

ORDER = 5
VOCABULARY = 8192
PADS = ORDER - 1


def padded(documents, count, longest=None):
    """Tokens with four beginnings before each document, and which of them are to be predicted."""
    parts, real = [], []
    for first, length in zip(documents.first[:count], documents.length[:count]):
        tokens = documents.ids[first + 1:first + (min(length, longest) if longest else length)]
        parts += [np.full(PADS, packing.BEGIN), tokens]
        real += [np.zeros(PADS, dtype=bool), np.ones(len(tokens), dtype=bool)]
    return np.concatenate(parts).astype(np.int64), np.concatenate(real)


def shifted(numbers, by):
    """What stood `by` tokens earlier; 0 before the first, where nothing is predicted."""
    return np.concatenate([np.zeros(by, dtype=np.int64), numbers[:-by]])


def discounts(counts):
    """D1, D2, D3+ of Chen and Goodman from the numbers of k-grams seen once to four times."""
    n = [max(1, int((counts == c).sum())) for c in range(1, 5)]
    y = n[0] / (n[0] + 2 * n[1])
    return np.array([0, *[c - (c + 1) * y * n[c] / n[c - 1] for c in (1, 2, 3)]])


class KneserNey:
    def __init__(self, tokens, real):
        self.codes, self.levels = [], []
        numbers, firsts = [], []
        before = np.zeros(len(tokens), dtype=np.int64)  # number of the empty context
        for _ in range(ORDER):
            code, first, number = np.unique(before * VOCABULARY + tokens, return_index=True, return_inverse=True)
            self.codes.append(code)
            numbers.append(number)
            firsts.append(first)
            before = shifted(number, 1)
        for k in range(ORDER):
            counts = np.bincount(numbers[k][real], minlength=len(self.codes[k]))
            if k + 1 < ORDER:  # in how many contexts, unless it begins a document: nothing else stands before that
                longer = firsts[k + 1][real[firsts[k + 1]]]
                spread = np.bincount(numbers[k][longer], minlength=len(counts))
                begins = tokens[firsts[k] - k] == packing.BEGIN
                counts = np.where(begins, counts, spread)
            context = shifted(numbers[k - 1], 1)[firsts[k]] if k else np.zeros(len(counts), dtype=np.int64)
            self.levels.append(self.level(counts, context, len(self.codes[k - 1]) if k else 1))

    @staticmethod
    def level(counts, context, contexts):
        """Counts of the k-grams, and by context their sum and the mass that the discounts leave for shorter ones."""
        discount = discounts(counts)
        taken = discount[np.minimum(counts, 3)]
        total = np.bincount(context, counts, contexts)
        return counts - taken, total, np.bincount(context, taken, contexts)

    def probabilities(self, tokens, real):
        """Of each real token, given the four before it."""
        probability = np.full(len(tokens), 1 / VOCABULARY)
        # number of the (k)-gram that ends at each token, or -1; the empty context first
        ending = [np.zeros(len(tokens), dtype=np.int64)]
        for k in range(ORDER):
            context = shifted(ending[-1], 1) if k else ending[-1]
            code = np.where(context >= 0, context * VOCABULARY + tokens, -1)
            at = np.minimum(np.searchsorted(self.codes[k], code), len(self.codes[k]) - 1)
            number = np.where(self.codes[k][at] == code, at, -1)
            ending.append(number)
            kept, total, left = self.levels[k]
            known = (context >= 0) & (total[np.maximum(context, 0)] > 0)
            sum_of = np.where(known, total[np.maximum(context, 0)], 1)
            here = np.where(number >= 0, kept[np.maximum(number, 0)], 0)
            mixed = (here + left[np.maximum(context, 0)] * probability) / sum_of
            probability = np.where(known, mixed, probability)
        return probability[real]


def main():
    folder = pathlib.Path(sys.argv[1])
    facts = json.loads((folder / "prepare.json").read_text())
    model = KneserNey(*padded(packing.Documents(folder / "texts.xz"), facts["imdb_documents"]))
    held_out = padded(packing.Documents(folder / "heldout.xz"), None, packing.LONGEST)
    loss = -np.log(model.probabilities(*held_out)).mean()
    # A context that was seen: the probabilities of all tokens after it must sum to 1.
    start = held_out[0][:12]
    rows = np.concatenate([np.append(start, token) for token in range(VOCABULARY)])
    last = np.tile(np.arange(len(start) + 1) == len(start), VOCABULARY)
    result = {"model": "interpolated modified Kneser-Ney, order 5", "perplexity": math.exp(loss), "loss": float(loss),
              "tokens": int(held_out[1].sum()), "sum_of_probabilities": float(model.probabilities(rows, last).sum())}
    assert abs(result["sum_of_probabilities"] - 1) < 1e-6
    (folder / "ngram.json").write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
