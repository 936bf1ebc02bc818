"""Packed batches of reviews and their masking, made on the device from the token array."""
import dataclasses

import numpy as np
import torch

CLS, SEP, MASK, FIRST_WORD = 2, 3, 4, 5


@dataclasses.dataclass
class Batch:
    tokens: torch.Tensor    # [T] what the network sees
    place: torch.Tensor     # [T] position inside the review
    document: torch.Tensor  # [T] which review of the batch
    bounds: torch.Tensor    # [reviews + 1] int32, padded with T
    chosen: torch.Tensor    # [M] positions to predict
    targets: torch.Tensor   # [M] the words there


class Reviews:
    """All reviews of one split, resident on the device."""

    def __init__(self, path, device):
        ids = np.load(path)
        self.first = np.flatnonzero(ids == CLS)
        self.length = np.diff(np.append(self.first, ids.size))
        self.ids = torch.from_numpy(ids.astype(np.int32)).to(device)
        self.device = device


def random_crops(reviews, count, random, longest):
    """Three quarters of the reviews whole (a window where too long, half of these from the start), the rest a short
    piece of 6 to 256 tokens, so that the network knows short texts too."""
    which = random.integers(0, len(reviews.first), count)
    available = reviews.length[which]
    length = np.minimum(available, longest)
    short = random.random(count) < 0.25
    length = np.where(short, np.minimum(length, np.exp(random.uniform(np.log(6), np.log(256), count)).astype(int)), length)
    shift = (random.random(count) * (available - length + 1)).astype(int)
    shift[random.random(count) < 0.5] = 0
    return reviews.first[which] + shift, length


def pack(first, length, total, most_reviews):
    """The leading crops that fill exactly `total` tokens; the last one is cut."""
    ends = np.cumsum(length)
    assert ends[-1] >= total
    count = int(np.searchsorted(ends, total)) + 1
    assert count <= most_reviews, "more reviews than expected in a batch"
    bounds = np.full(most_reviews + 1, total, dtype=np.int32)
    bounds[0] = 0
    bounds[1:count] = ends[:count - 1]
    starts = np.zeros(most_reviews, dtype=np.int32)
    starts[:count] = first[:count]
    return starts, bounds


def gather(reviews, starts, bounds, total):
    """Tokens, places and review numbers of a packed batch; every crop begins with [CLS] and ends with [SEP]."""
    device = reviews.device
    starts = torch.from_numpy(starts).to(device, non_blocking=True)
    bounds = torch.from_numpy(bounds).to(device, non_blocking=True)
    index = torch.arange(total, device=device, dtype=torch.int32)
    document = torch.searchsorted(bounds[1:].contiguous(), index, right=True)
    place = index - bounds[document]
    tokens = reviews.ids[starts[document] + place].long()
    tokens = torch.where(place == 0, CLS, tokens)
    tokens = torch.where(index == bounds[document + 1] - 1, SEP, tokens)
    return tokens, place.long(), document, bounds


def choose_and_corrupt(tokens, rate, vocabulary, generator, only_mask=False):
    """BERT's rule: a share `rate` of the words is to be predicted; of these 80% show [MASK], 10% another word, 10%
    themselves. With only_mask all show [MASK]."""
    device = tokens.device
    score = torch.rand(tokens.shape, device=device, generator=generator)
    score = torch.where(tokens < FIRST_WORD, -1.0, score)
    chosen = score.topk(int(rate * tokens.numel())).indices
    targets = tokens[chosen]
    fate = torch.rand(chosen.shape, device=device, generator=generator)
    other = torch.randint(FIRST_WORD, vocabulary, chosen.shape, device=device, generator=generator)
    shown = torch.where(fate < 0.8, MASK, torch.where(fate < 0.9, other, targets))
    if only_mask:
        shown = torch.full_like(targets, MASK)
    return tokens.index_copy(0, chosen, shown), chosen, targets


def training_batch(reviews, step, seed, total, rate, vocabulary, generator):
    random = np.random.default_rng([seed, step])
    first, length = random_crops(reviews, total // 32, random, 512)
    starts, bounds = pack(first, length, total, total // 64)
    tokens, place, document, bounds = gather(reviews, starts, bounds, total)
    generator.manual_seed(seed * 1_000_003 + step)
    tokens, chosen, targets = choose_and_corrupt(tokens, rate, vocabulary, generator)
    return Batch(tokens, place, document, bounds, chosen, targets)
