#!/usr/bin/env python3
"""What the stacked networks compute, and that training and export work, on a processor.

    python -m training.normalisers.test_normalisers DATA      # the folder of prepare.py, or a small one of its kind
"""
import pathlib
import sys
import tempfile

import numpy as np
import torch
import transformers

from training.normalisers import batches, train
from training.normalisers import model as network

SEEDS = (1, 2)


def plain_attention(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **kwargs):
    """What config.json says, for Transformers: one text, so that nothing is masked. Written apart from the stacked
    one, so that the two check each other."""
    config = module.config
    scores = query @ key.transpose(2, 3) * scaling
    f = {"softmax": lambda s: torch.exp(config.attention_beta * s - (config.attention_beta * s).amax(-1, keepdim=True)),
         "sigmoid": lambda s: 1 / (1 + torch.exp(-config.attention_beta * s)),
         "relu": lambda s: s.clamp(min=0), "square": lambda s: s * s}[config.attention_normaliser]
    values = f(scores)
    total = values.sum(-1, keepdim=True)
    weights = torch.where(total > 0, values / total, torch.zeros_like(values))
    return (weights @ value).transpose(1, 2).contiguous(), weights


transformers.AttentionInterface.register("plain_normaliser", plain_attention)


def test_rows_hold_whole_texts():
    texts = object.__new__(batches.Texts)
    texts.ids, texts.device = torch.arange(100, 1100, dtype=torch.int32), "cpu"
    tokens, place, document = batches.gather(texts, np.array([[0, 50], [300, 700]]), np.array([[20, 30], [200, 100]]))
    assert tokens[0, :4].tolist() == [2, 101, 102, 103] and tokens[0, 19:22].tolist() == [3, 2, 151]
    assert tokens[0, 49:52].tolist() == [3, 0, 0] and document[0, 49] == 1 and document[0, 50] == 2
    assert tokens[1, 255] == 3 and place[1, 255] == 55 and document[1, 255] == 1  # the second one is cut


def as_batch(tokens, chosen):
    tokens = tokens.expand(len(SEEDS), *tokens.shape)
    place = torch.arange(tokens.shape[-1]).expand_as(tokens)
    chosen = chosen.expand(len(SEEDS), -1)
    return network.Batch(tokens, place, torch.zeros_like(tokens), chosen, chosen)


def largest_difference(models, folders, tokens):
    """Between the stacked logits and those of Transformers, over all models."""
    count = tokens.numel()
    ours = network.masked_logits(network.stacked(models), as_batch(tokens[None], torch.arange(count))).flatten(0, 1)
    theirs = torch.stack([transformers.BertForMaskedLM.from_pretrained(
        folder, attn_implementation="plain_normaliser", dtype=torch.float32)(tokens[None]).logits[0]
        for folder in folders])
    return ((ours - theirs).square().sum((1, 2)) / theirs.square().sum((1, 2))).max().item()


@torch.no_grad()
def test_stacked_networks_are_bert(folder):
    models = network.make_models(SEEDS, 300)
    folders = [folder / str(i) for i in range(len(models))]
    for model, path in zip(models, folders):
        model.save_pretrained(path)
    worst = largest_difference(models, folders, torch.randint(5, 300, (31,)))
    print("stacked against Transformers, NMSE", worst)
    assert worst < 1e-10
    softmax = models[2]  # the softmax at β = 1 is Transformers' own
    tokens = torch.randint(5, 300, (1, 31))
    plain = transformers.BertForMaskedLM.from_pretrained(folders[2])(tokens).logits
    own = network.masked_logits(network.stacked(models), as_batch(tokens, torch.arange(31)))[1, 0]
    assert softmax.config.attention_beta == 1 and (plain[0] - own).abs().max() < 1e-4


@torch.no_grad()
def test_a_text_does_not_see_its_neighbours():
    p = network.stacked(network.make_models(SEEDS, 300))
    tokens = torch.randint(5, 300, (1, 40))
    alone = network.hidden_states(p, as_batch(tokens[:, :15], torch.arange(1)))
    batch = as_batch(tokens, torch.arange(1))
    batch.document = (torch.arange(40) >= 15).long().expand_as(batch.tokens)
    assert (network.hidden_states(p, batch)[:, :, :15] - alone).abs().max() < 1e-5


def test_training_and_export(data, folder):
    train.train(train.arguments(["--data", str(data), "--work", str(folder), "--steps", "8", "--rows", "2",
                                 "--warm-up", "2", "--every", "4", "--evaluated", "2", "--device", "cpu"]))
    rows = (folder / "curve.csv").read_text().splitlines()
    assert len(rows) == 1 + 2 * 12
    first, last = ([float(row.split(",")[3]) for row in rows[begin:begin + 12]] for begin in (1, 13))
    assert all(b < a for a, b in zip(first, last)), "some loss did not fall"
    folders = [folder / "models" / network.name_of(*normaliser, seed)
               for normaliser in network.NORMALISERS for seed in SEEDS]
    shipped = torch.nn.ModuleList(
        transformers.BertForMaskedLM.from_pretrained(path, dtype=torch.float32) for path in folders)
    with torch.no_grad():
        worst = largest_difference(shipped, folders, torch.randint(5, 1900, (50,)))
    print("exported folders, NMSE", worst)
    assert worst < 1e-10


def main():
    torch.manual_seed(0)
    test_rows_hold_whole_texts()
    test_a_text_does_not_see_its_neighbours()
    with tempfile.TemporaryDirectory() as folder:
        test_stacked_networks_are_bert(pathlib.Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        test_training_and_export(pathlib.Path(sys.argv[1]), pathlib.Path(folder))
    print("all is well")


if __name__ == "__main__":
    main()
