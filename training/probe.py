#!/usr/bin/env python3
"""How well a linear probe reads the label from mean-pooled states of the built-in model.

    FEED | python training/probe.py models/builtin [--tokens 260] [--layers 0,4]

FEED prints 2,000 reviews, one "label<TAB>text" a line, in any order: the first 1,000 train, the others test. Every
review is cut at --tokens tokens. The probe is logistic regression on standardised features, its L2 penalty chosen on
a quarter of the training reviews.
"""
import argparse
import sys

import torch
import transformers


def states(folder, texts, tokens, layers):
    """{layer: [reviews, 256]}, the mean over the review's words, [CLS] and [SEP] left out."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).float().eval()
    pooled = {layer: [] for layer in layers}
    for text in texts:
        ids = tokenizer(text, truncation=True, max_length=tokens, return_tensors="pt").input_ids
        with torch.no_grad():
            if max(layers) == 0:
                hidden = [model.embeddings(input_ids=ids)]
            else:
                hidden = model(ids, output_hidden_states=True).hidden_states
        for layer in layers:
            pooled[layer].append(hidden[layer][0, 1:-1].mean(0))
    return {layer: torch.stack(rows) for layer, rows in pooled.items()}


def fit(x, y, penalty):
    weight, bias = torch.zeros(x.shape[1], requires_grad=True), torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weight, bias], max_iter=300, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        value = torch.nn.functional.softplus(-y * (x @ weight + bias)).mean() + penalty * weight.square().sum()
        value.backward()
        return value

    optimiser.step(loss)
    return weight.detach(), bias.detach()


def accuracy(x, y, weight, bias):
    return ((x @ weight + bias).sign() == y).float().mean().item()


def probe(x, y):
    x = (x - x[:1000].mean(0)) / x[:1000].std(0)
    penalties = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1]
    chosen = max(penalties, key=lambda p: accuracy(x[750:1000], y[750:1000], *fit(x[:750], y[:750], p)))
    return accuracy(x[1000:2000], y[1000:2000], *fit(x[:1000], y[:1000], chosen)), chosen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--tokens", type=int, default=260)
    parser.add_argument("--layers", default="0")
    options = parser.parse_args()
    rows = [line.rstrip("\n").split("\t", 1) for line in sys.stdin][:2000]
    assert len(rows) == 2000, "2,000 reviews are needed"
    y = torch.tensor([float(label) for label, _ in rows])
    layers = [int(layer) for layer in options.layers.split(",")]
    for layer, x in states(options.model, [text for _, text in rows], options.tokens, layers).items():
        share, penalty = probe(x, y)
        print(f"layer {layer}: test accuracy {share:.3f} (penalty {penalty}; {y[:1000].gt(0).sum():.0f} of the 1,000 "
              f"training reviews positive)")


if __name__ == "__main__":
    main()
