"""Rows of texts and their masking, made on the device from the token arrays; a batch is a function of seed and step."""
import numpy as np
import torch

from training import batches as encoder
from training.decoder import packing
from training.normalisers.model import POSITIONS, Batch

PAD = 0
TEXTS_A_ROW = 24  # more than ever fit


class Texts:
    """All texts of one part, resident on the device."""

    def __init__(self, path, device):
        documents = packing.Documents(path)
        self.first, self.length, self.device = documents.first, documents.length, device
        self.ids = torch.from_numpy(documents.ids.astype(np.int32)).to(device)


def gather(texts, first, length):
    """Tokens, places and documents, [B, L], of the texts that begin at first, [B, k], and follow each other in their
    row; what does not fit is cut, and what is left of the row is padding. Every text begins with [CLS] and ends with
    [SEP], also where it was cut."""
    ends = np.minimum(np.cumsum(length, axis=1), POSITIONS)
    begins = np.concatenate([np.zeros_like(ends[:, :1]), ends[:, :-1]], axis=1)
    first, begins, ends = (torch.from_numpy(x).to(texts.device) for x in (first, begins, ends))
    index = torch.arange(POSITIONS, device=texts.device).expand(len(ends), -1).contiguous()
    document = torch.searchsorted(ends, index, right=True)
    held = document.clamp(max=ends.shape[1] - 1)
    place = index - begins.gather(1, held)
    tokens = texts.ids[(first.gather(1, held) + place).clamp(max=len(texts.ids) - 1)].long()
    tokens = torch.where(place == 0, encoder.CLS, tokens)
    tokens = torch.where(index == ends.gather(1, held) - 1, encoder.SEP, tokens)
    return torch.where(document < ends.shape[1], tokens, PAD), place, document


def masked(rows, rate, vocabulary, generator, only_mask=False):
    """BERT's masking of one seed's rows, as the encoder's training does it."""
    tokens, place, document = rows
    shown, chosen, targets = encoder.choose_and_corrupt(tokens.flatten(), rate, vocabulary, generator, only_mask)
    return shown.view_as(tokens), place, document, chosen, targets


def together(parts):
    return Batch(*(torch.stack(tensors) for tensors in zip(*parts)))


def training_batch(texts, step, seeds, rows, rate, vocabulary):
    """For every seed its own: texts drawn at random, a quarter of them short pieces."""
    parts = []
    for seed in seeds:
        random = np.random.default_rng([seed, step])
        first, length = encoder.random_crops(texts, rows * TEXTS_A_ROW, random, POSITIONS)
        generator = torch.Generator(device=texts.device).manual_seed(seed * 1_000_003 + step)
        drawn = gather(texts, first.reshape(rows, -1), length.reshape(rows, -1))
        parts.append(masked(drawn, rate, vocabulary, generator))
    return together(parts)


def evaluation_batches(texts, seeds, rows, vocabulary, count=None, only_mask=False):
    """The first `count` texts, one a row, 15% of the words chosen; the same for every seed."""
    generator = torch.Generator(device=texts.device).manual_seed(99)
    for begin in range(0, len(texts.first[:count]), rows):
        part = slice(begin, min(begin + rows, count or len(texts.first)))
        drawn = gather(texts, texts.first[part, None], texts.length[part, None])
        words = (drawn[0] >= encoder.FIRST_WORD).float().mean().item()
        yield together([masked(drawn, 0.15 * words, vocabulary, generator, only_mask)] * len(seeds))
