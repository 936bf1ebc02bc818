#!/usr/bin/env python3
"""Step 3: what the trained decoder knows of the held-out questions and of held-out IMDb.

    python -m training.decoder.evaluate --data build/decoder-data --model build/decoder-work/model --output evaluation.json

Answers are greedy, and right when they are exactly the expected sentence; the decision in them is right when yes or
no is, or, where neither is asked for, when the answer has the word that was asked for. Reported for reviews of 20 to
100 tokens ("short") and of about 200 ("long"): the shares of right answers and of right decisions where the word
decides, by kind too; the share of right answers where it does not; the share of neutral pairs whose two answers
differ, and that of deciding pairs. Perplexity is per token over the first 511 tokens of each held-out review of IMDb,
each given all tokens before it; ngram.py makes the same of a 5-gram model.
"""
import argparse
import collections
import json
import lzma
import math
import pathlib
import re
import time

import numpy as np
import tokenizers
import torch
import transformers

from training.decoder import model as network
from training.decoder import packing

MOST_NEW_TOKENS = 40


def autocast(device, half):
    return torch.autocast(device, half, enabled=device == "cuda")


def most_tokens(device):
    """A batch for measuring; on a processor attention is as large as the square of it."""
    return 65536 if device == "cuda" else 4096


def pack_lists(sequences, device):
    """A batch of token lists."""
    bounds = np.concatenate([[0], np.cumsum([len(s) for s in sequences])]).astype(np.int32)
    ids = torch.tensor([token for s in sequences for token in s], dtype=torch.int32, device=device)
    answers = np.full(len(sequences), -1, dtype=np.int32)
    return packing.gather(ids, bounds[:-1], bounds, int(bounds[-1]), answers, (1.0, 1.0, 1.0))


def in_batches(sequences, limit):
    """Indices of neighbouring sequences that have at most `limit` tokens together."""
    taken, size = [], 0
    for i, sequence in enumerate(sequences):
        if taken and size + len(sequence) > limit:
            yield taken
            taken, size = [], 0
        taken.append(i)
        size += len(sequence)
    if taken:
        yield taken


@torch.no_grad()
def greedy(model, prompts, device, half):
    """The greedy answer to every prompt (lists of tokens), without the end; every step runs over whole sequences."""
    sequences, open_ones = [list(p) for p in prompts], list(range(len(prompts)))
    for _ in range(MOST_NEW_TOKENS):
        still_open = []
        for group in in_batches([sequences[i] for i in open_ones], most_tokens(device)):
            which = [open_ones[k] for k in group]
            batch = pack_lists([sequences[i] for i in which], device)
            with autocast(device, half):
                states = network.hidden_states(model.model, batch, half)
                last = network.word_logits(model, states[batch.bounds[1:].long() - 1]).float().argmax(1).tolist()
            for i, token in zip(which, last):
                if token != packing.END and len(sequences[i]) < packing.LONGEST:
                    sequences[i].append(token)
                    still_open.append(i)
        open_ones = still_open
        if not open_ones:
            break
    return [s[len(p):] for s, p in zip(sequences, prompts)]


class HeldOut:
    """The held-out questions and reviews, on a device."""

    def __init__(self, folder, device):
        self.device = device
        self.tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        with lzma.open(folder / "heldout.jsonl.xz", "rt", encoding="utf-8") as file:
            self.pairs = [json.loads(line) for line in file]
        self.reviews = packing.Documents(folder / "heldout.xz")

    def prompt_tokens(self, pair):
        return [self.tokenizer.encode(prompt).ids for prompt in pair["prompts"]]

    @torch.no_grad()
    def review_loss(self, model, half=torch.bfloat16, count=None):
        """(mean cross-entropy, tokens) over held-out reviews of IMDb."""
        loss = tokens = 0.0
        for batch in packing.whole_documents(self.reviews, self.device, most_tokens(self.device), count):
            with autocast(self.device, half):
                logits = network.word_logits(model, network.hidden_states(model.model, batch, half)).float()
            losses = torch.nn.functional.cross_entropy(logits, batch.targets, reduction="none")
            loss += (losses * batch.weight).sum().item()
            tokens += batch.weight.sum().item()
        return loss / tokens, int(tokens)

    @torch.no_grad()
    def answered_right(self, model, pairs, half=torch.bfloat16):
        """Share of prompts whose greedy answer is the expected one, found without generating: it is when every token of
        the expected answer, the end included, is the likeliest after those before it."""
        expected, prompts = [], []
        for pair in pairs:
            for prompt, answer in zip(self.prompt_tokens(pair), pair["answers"]):
                prompts.append(len(prompt))
                reply = self.tokenizer.encode(" " + answer, add_special_tokens=False).ids
                expected.append(prompt + reply + [packing.END])
        right = 0
        for group in in_batches(expected, most_tokens(self.device)):
            batch = pack_lists([expected[i] for i in group], self.device)
            with autocast(self.device, half):
                logits = network.word_logits(model, network.hidden_states(model.model, batch, half))
            hit = (logits.argmax(1) == batch.targets).cpu().numpy()
            bounds = batch.bounds.cpu().numpy()
            right += sum(hit[bounds[k] + prompts[i] - 1:bounds[k + 1] - 1].all() for k, i in enumerate(group))
        return right / len(expected)

    def quick_measures(self, model):
        """What the curve shows: a part of the deciding pairs, and the loss on held-out reviews."""
        on_gpu = self.device == "cuda"
        deciding = {name: [p for p in self.pairs if p["set"] == name and p["decides"]][:550 if on_gpu else 3]
                    for name in ("short", "long")}
        return {"heldout_loss": self.review_loss(model, count=None if on_gpu else 5)[0],
                **{f"right_{name}": self.answered_right(model, pairs) for name, pairs in deciding.items()}}


def review_tokens(tokenizer, pair):
    text = pair["prompts"][0].removeprefix("Review: ")
    return len(tokenizer.encode(" ".join(text.split(" ")[:pair["words"]]), add_special_tokens=False).ids)


def answer_all(model, held_out, pairs, half):
    """[pairs][2] greedy answers as texts."""
    prompts = [ids for pair in pairs for ids in held_out.prompt_tokens(pair)]
    texts = [held_out.tokenizer.decode(ids).strip() for ids in greedy(model, prompts, held_out.device, half)]
    return [texts[2 * i:2 * i + 2] for i in range(len(pairs))]


def words_of(text):
    return re.findall(r"[^\s.,:!?]+", text)


def decided_right(expected, given, side):
    """Whether an answer to a deciding prompt decides as expected: in its first word where the expected answers differ in
    theirs (yes, no), else by having the word in which the expected one differs from that of the other side."""
    own, other, words = words_of(expected[side]), words_of(expected[1 - side]), words_of(given)
    if own[0] in ("Yes", "No"):
        return words[:1] == own[:1]
    return set(own) - set(other) <= set(words)


def summary(pairs, answers):
    """Shares with their counts over the pairs of one set."""
    right, decided = collections.defaultdict(list), collections.defaultdict(list)
    apart, neutral, neutral_right = [], [], []
    for pair, given in zip(pairs, answers):
        hits = [a == b for a, b in zip(given, pair["answers"])]
        if pair["decides"]:
            right[pair["kind"]] += hits
            decided[pair["kind"]] += [decided_right(pair["answers"], given[i], i) for i in (0, 1)]
            apart.append(given[0] != given[1])
        else:
            neutral.append(given[0] != given[1])
            neutral_right += hits

    def mean(by_kind):
        return float(np.mean(sum(by_kind.values(), [])))

    def each(by_kind):
        return {kind: float(np.mean(hits)) for kind, hits in by_kind.items()}

    return {"deciding_prompts": 2 * len(apart), "deciding_right": mean(right), "decisions_right": mean(decided),
            "deciding_pairs_answered_differently": float(np.mean(apart)),
            "neutral_pairs": len(neutral), "neutral_right": float(np.mean(neutral_right)),
            "neutral_pairs_answered_differently": float(np.mean(neutral)),
            "right_by_kind": each(right), "decisions_right_by_kind": each(decided)}


def mistakes(pairs, answers, most=40):
    found = [{"set": p["set"], "kind": p["kind"], "decides": p["decides"], "prompt": p["prompts"][i],
              "expected": p["answers"][i], "given": a[i]}
             for p, a in zip(pairs, answers) for i in (0, 1) if a[i] != p["answers"][i]]
    return found[::max(1, len(found) // most)][:most]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--pairs", type=int, default=None, help="of each length, for a trial")
    options = parser.parse_args()
    began, device = time.time(), options.device
    half = torch.float16  # the weights are; a processor computes in float32
    model = transformers.AutoModelForCausalLM.from_pretrained(options.model).float().to(device).eval()
    held_out = HeldOut(options.data, device)
    result, wrong = {}, []
    for name in ("short", "long"):
        pairs = [pair for pair in held_out.pairs if pair["set"] == name][:options.pairs]
        lengths = [review_tokens(held_out.tokenizer, pair) for pair in pairs]
        if name == "short":
            pairs = [pair for pair, length in zip(pairs, lengths) if 20 <= length <= 100]
            lengths = [length for length in lengths if 20 <= length <= 100]
        answers = answer_all(model, held_out, pairs, half)
        result[name] = {"review_tokens": [min(lengths), float(np.mean(lengths)), max(lengths)],
                        **summary(pairs, answers)}
        wrong += mistakes(pairs, answers)
    loss, tokens = held_out.review_loss(model, half, None if device == "cuda" else 20)
    result["imdb"] = {"perplexity": math.exp(loss), "loss": loss, "tokens": tokens}
    ngram = options.data / "ngram.json"
    result["imdb_5gram"] = json.loads(ngram.read_text()) if ngram.exists() else None
    result["seconds"] = round(time.time() - began, 1)
    options.output.write_text(json.dumps({**result, "mistakes": wrong}, indent=2) + "\n")
    print(json.dumps(result, indent=2), flush=True)


if __name__ == "__main__":
    main()
