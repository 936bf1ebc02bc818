"""Token arrays on disk, and packed batches made of them on the device.

A document is <|begin_of_text|> tokens <|end_of_text|>; its last `answer` tokens, the end included, answer a question (0
in plain texts). Documents of a pair are neighbours: 2k and 2k + 1.
"""
import dataclasses
import lzma

import numpy as np
import torch

from training import batches

BEGIN, END = 0, 1
LONGEST = 512
# Tokens have two bytes: with this the compressor knows which of them it looks at.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 3, "lp": 1, "pb": 1}]


def save(path, documents, answer_lengths):
    """Number of documents, their lengths, the lengths of their answers, their tokens; all little-endian uint16."""
    count = np.array([len(documents) & 0xFFFF, len(documents) >> 16])
    parts = [count, [len(document) for document in documents], answer_lengths, np.concatenate(documents)]
    with lzma.open(path, "wb", filters=FILTERS) as file:
        for part in parts:
            file.write(np.asarray(part).astype("<u2").tobytes())


def load(path):
    """Lengths of the documents, lengths of their answers, their tokens."""
    with lzma.open(path) as file:
        raw = np.frombuffer(file.read(), dtype="<u2")
    count = int(raw[0]) | int(raw[1]) << 16
    return raw[2:2 + count].astype(np.int64), raw[2 + count:2 + 2 * count].astype(np.int64), raw[2 + 2 * count:]


class Documents:
    """The documents of files, one after another: token ids [T], and first, length and answer of each document."""

    def __init__(self, *paths):
        parts = [load(path) for path in paths]
        self.length, self.answer, self.ids = (np.concatenate(arrays) for arrays in zip(*parts))
        self.first = np.cumsum(self.length) - self.length


@dataclasses.dataclass
class Batch:
    tokens: torch.Tensor    # [T] what the network sees
    place: torch.Tensor     # [T] position inside the document
    document: torch.Tensor  # [T] which document of the batch
    bounds: torch.Tensor    # [documents + 1] int32, padded with T
    targets: torch.Tensor   # [T] the next token; anything at the end of a document
    weight: torch.Tensor    # [T] how much it counts: 0 at the end of a document


def gather(ids, starts, bounds, total, answers, weights):
    """A batch of the documents that begin at `starts` of ids; `answers` are the lengths of their answers (-1: a plain
    text), `weights` those of a token of a plain text, of a question's review and of an answer."""
    device = ids.device
    starts, bounds, answers = (torch.from_numpy(x).to(device, non_blocking=True) for x in (starts, bounds, answers))
    index = torch.arange(total, device=device, dtype=torch.int32)
    document = torch.searchsorted(bounds[1:].contiguous(), index, right=True)
    place = index - bounds[document]
    where = (starts[document] + place).long()
    tokens = torch.where(place == 0, BEGIN, ids[where].long())  # a piece of a text begins like a whole one
    left = bounds[document + 1] - 1 - index  # tokens after this one
    targets = ids[torch.clamp(where + 1, max=len(ids) - 1)].long()
    answer = answers[document]
    plain, review, reply = weights
    weight = torch.where(answer < 0, plain, torch.where(left <= answer, reply, review))
    weight = torch.where(left == 0, 0.0, weight)
    return Batch(tokens, place.long(), document, bounds, targets, weight)


class TrainingSet:
    """Texts and questions, resident on the device; the batch of a step is a pure function of seed and step."""

    def __init__(self, folder, device, weights):
        self.texts = Documents(folder / "texts.xz")
        self.questions = Documents(*sorted(folder.glob("questions-*.xz")))
        self.ids = torch.from_numpy(np.concatenate([self.texts.ids, self.questions.ids]).astype(np.int32)).to(device)
        self.weights = weights
        usable = self.questions.length <= LONGEST
        self.pairs = np.flatnonzero(usable[0::2] & usable[1::2])

    def batch(self, step, seed, total, share):
        """`share` of the tokens are questions, whole pairs; the others pieces of texts as the encoder's training cuts
        them. The last text is cut."""
        random = np.random.default_rng([seed, step])
        pairs = self.pairs[random.integers(0, len(self.pairs), total // 64)]
        asked = np.stack([2 * pairs, 2 * pairs + 1], axis=1).ravel()
        taken = np.searchsorted(np.cumsum(self.questions.length[asked]), total * share) // 2 * 2
        asked = asked[:taken]
        first, length = batches.random_crops(self.texts, total // 32, random, LONGEST)
        all_first = np.concatenate([self.questions.first[asked] + len(self.texts.ids), first])
        all_length = np.concatenate([self.questions.length[asked], length])
        most = total // 32
        starts, bounds = batches.pack(all_first, all_length, total, most)
        answers = np.full(most, -1, dtype=np.int32)
        answers[:taken] = self.questions.answer[asked]
        return gather(self.ids, starts, bounds, total, answers, self.weights)


def whole_documents(documents, device, most_tokens, count=None):
    """Batches of whole documents, each cut at 512 tokens, for measuring; every token counts 1."""
    ids = torch.from_numpy(documents.ids.astype(np.int32)).to(device)
    length = np.minimum(documents.length, LONGEST)[:count]
    begin = 0
    while begin < len(length):
        ends = np.cumsum(length[begin:])
        taken = max(1, int(np.searchsorted(ends, most_tokens, side="right")))
        bounds = np.concatenate([[0], ends[:taken]]).astype(np.int32)
        starts = documents.first[begin:begin + taken].astype(np.int32)
        yield gather(ids, starts, bounds, int(ends[taken - 1]), np.full(taken, -1, dtype=np.int32), (1.0, 1.0, 1.0))
        begin += taken
