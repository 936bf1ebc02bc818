#!/usr/bin/env python3
"""Step 2: train the built-in model on the arrays of prepare.py, on one GPU. See README.md beside this file.

    python training/train.py --data FOLDER --work FOLDER --steps 60000 --seconds 540

Stops after --seconds with a checkpoint in --work; the same command again continues. When all steps are done (and at
every stop) the model is written to --work/model as Transformers stores it, in f16, with curve.csv and train.log.json.
"""
import argparse
import csv
import json
import math
import pathlib
import shutil
import time

import torch
import transformers

import batches
import evaluate
import model as network
from optimiser import Optimiser

VOCABULARY = 8192


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--tokens", type=int, default=65536, help="tokens a step")
    parser.add_argument("--mask-rate", type=float, default=0.2)
    parser.add_argument("--rate", type=float, default=2e-3, help="peak rate of AdamW")
    parser.add_argument("--matrix-rate", type=float, default=4e-3, help="peak rate of Muon; 0: AdamW for all")
    parser.add_argument("--warm-up", type=int, default=1000)
    parser.add_argument("--every", type=int, default=1000, help="steps between evaluations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    return parser.parse_args()


def rate_factor(step, options):
    """Linear warm-up, then half a cosine down to 0.5% of the peak."""
    if step < options.warm_up:
        return (step + 1) / options.warm_up
    done = (step - options.warm_up) / max(1, options.steps - options.warm_up)
    return 0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * done))


def loss_of(model, tokens, place, document, bounds, chosen, targets):
    batch = batches.Batch(tokens, place, document, bounds, chosen, targets)
    return torch.nn.functional.cross_entropy(network.masked_logits(model, batch).float(), targets)


def export(model, options):
    """The folder a user loads: config.json, model.safetensors (f16), and the tokenizer's three files."""
    folder = options.work / "model"
    half = network.make_bert(VOCABULARY)
    half.load_state_dict(model.state_dict())
    half.half().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json"):
        shutil.copy(options.data / name, folder / name)
    return half.float()


def measure(model, train, held_out):
    held, held_loss = evaluate.accuracy(model, held_out, VOCABULARY)
    masked, masked_loss = evaluate.accuracy(model, held_out, VOCABULARY, only_mask=True)
    seen, _ = evaluate.accuracy(model, train, VOCABULARY, count=1000 if train.device == "cuda" else 20)
    return {"heldout_accuracy": held, "heldout_loss": held_loss, "heldout_accuracy_all_masked": masked,
            "heldout_loss_all_masked": masked_loss, "train_accuracy": seen}


def write_row(path, row):
    new = not path.exists()
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, row.keys())
        if new:
            writer.writeheader()
        writer.writerow({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()})
    print(json.dumps(row), flush=True)


def train(options):
    device, began = options.device, time.time()
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    model = network.make_bert(VOCABULARY).to(device)
    optimiser = Optimiser(model, options.rate, options.matrix_rate)
    reviews, held_out = (batches.Reviews(options.data / f"{name}.npy", device) for name in ("train", "heldout"))
    loss_function = torch.compile(loss_of, dynamic=False) if device == "cuda" else loss_of
    checkpoint, step, spent = options.work / "checkpoint.pt", 0, 0.0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=False)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["seconds"]
    generator = torch.Generator(device=device)
    running, counted = torch.zeros((), device=device), 0
    while step < options.steps and time.time() - began < options.seconds:
        b = batches.training_batch(reviews, step, options.seed, options.tokens, options.mask_rate, VOCABULARY, generator)
        with torch.autocast(device, torch.bfloat16):
            loss = loss_function(model, b.tokens, b.place, b.document, b.bounds, b.chosen, b.targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step(rate_factor(step, options))
        model.zero_grad(set_to_none=True)
        running += loss.detach()
        step, counted = step + 1, counted + 1
        if step % options.every == 0 or step == options.steps:
            mean = running.item() / counted
            running, counted = torch.zeros((), device=device), 0
            seconds = spent + time.time() - began
            write_row(options.work / "curve.csv", {
                "step": step, "tokens": step * options.tokens, "seconds": round(seconds, 1),
                "rate_factor": rate_factor(step, options), "train_loss": mean, **measure(model, reviews, held_out)})
    finish(model, optimiser, options, step, spent + time.time() - began, reviews, held_out)


def finish(model, optimiser, options, step, seconds, reviews, held_out):
    torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "seconds": seconds},
               options.work / "checkpoint.pt")
    shipped = export(model, options).to(options.device)
    facts = {"step": step, "seconds": round(seconds, 1), "options": {k: str(v) for k, v in vars(options).items()},
             "device": torch.cuda.get_device_name() if options.device == "cuda" else "cpu",
             "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
             "prepare": json.loads((options.data / "prepare.json").read_text()),
             "f16": {}}
    for name, only_mask in (("standard", False), ("all_masked", True)):
        share, loss = evaluate.accuracy(shipped, held_out, VOCABULARY, only_mask=only_mask, draws=4)
        facts["f16"][name] = {"accuracy": share, "loss": loss}
    (options.work / "train.log.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps(facts), flush=True)


if __name__ == "__main__":
    options = arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    train(options)
