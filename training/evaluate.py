"""Held-out masked-token accuracy: each review as [CLS] its first 510 pieces [SEP], 15% of the words chosen."""
import numpy as np
import torch

import batches
import model as network

TOKENS = 65536


def whole_reviews(reviews, count):
    """Batches of the first `count` reviews, each cut at 512 tokens; the last batch is shorter."""
    first, length = reviews.first[:count], np.minimum(reviews.length[:count], 512)
    begin = 0
    while begin < len(first):
        ends = np.cumsum(length[begin:])
        taken = max(1, int(np.searchsorted(ends, TOKENS, side="right")))
        total = int(ends[taken - 1])
        bounds = np.concatenate([[0], ends[:taken]]).astype(np.int32)
        yield batches.gather(reviews, first[begin:begin + taken].astype(np.int32), bounds, total)
        begin += taken


@torch.no_grad()
def accuracy(model, reviews, vocabulary, count=None, only_mask=False, seed=99, draws=1):
    """(share predicted right, mean cross-entropy) over the chosen words."""
    generator = torch.Generator(device=reviews.device).manual_seed(seed)
    right = loss = words = 0
    for _ in range(draws):
        for tokens, place, document, bounds in whole_reviews(reviews, count):
            shown, chosen, targets = batches.choose_and_corrupt(tokens, 0.15, vocabulary, generator, only_mask)
            batch = batches.Batch(shown, place, document, bounds, chosen, targets)
            with torch.autocast(reviews.device, torch.bfloat16, enabled=reviews.device == "cuda"):
                logits = network.masked_logits(model, batch).float()
            right += (logits.argmax(1) == targets).sum()
            loss += torch.nn.functional.cross_entropy(logits, targets, reduction="sum")
            words += len(targets)
    return (right / words).item(), (loss / words).item()
