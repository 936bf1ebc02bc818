#!/usr/bin/env python3
"""Step 2: train the built-in decoder on the arrays of prepare.py, on one GPU. See README.md beside this file.

    python -m training.decoder.train --data build/decoder-data --work build/decoder-work --total-seconds 1000 --seconds 540

Stops after --seconds with a checkpoint in --work; the same command again continues. The number of steps is the one that
fits into --total-seconds by the speed of the first steps, unless --steps says it. At every stop the model is written to
--work/model as Transformers stores it, in f16, with curve.csv and train.log.json beside it.
"""
import argparse
import csv
import json
import math
import pathlib
import shutil
import sys
import time

import torch
import transformers

from training.decoder import evaluate, packing
from training.decoder import model as network
from training.optimiser import Optimiser

SLOW_START, MEASURED = 100, 400  # the speed is measured between these steps: compilation is over by then
SIZES = ("hidden", "layers", "heads", "kv_heads", "inner")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=0, help="0: what fits into --total-seconds")
    parser.add_argument("--total-seconds", type=float, default=1000)
    parser.add_argument("--seconds", type=float, default=540, help="for this call")
    parser.add_argument("--call-steps", type=int, default=0, help="stop this call at that step, for tests")
    parser.add_argument("--tokens", type=int, default=65536, help="tokens a step")
    parser.add_argument("--share", type=float, default=0.5, help="of the tokens are questions")
    parser.add_argument("--review-weight", type=float, default=0.5, help="of a token of a question's review")
    parser.add_argument("--answer-weight", type=float, default=8.0, help="of a token of an answer")
    parser.add_argument("--rate", type=float, default=2e-3, help="peak rate of AdamW")
    parser.add_argument("--matrix-rate", type=float, default=3e-3, help="peak rate of Muon; 0: AdamW for all")
    parser.add_argument("--warm-up", type=int, default=500)
    parser.add_argument("--every", type=int, default=2000, help="steps between evaluations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--eager", action="store_true", help="without torch.compile")
    for name, default in zip(SIZES, (256, 6, 8, 4, 512)):
        parser.add_argument("--" + name.replace("_", "-"), type=int, default=default)
    return parser.parse_args()


def rate_factor(step, steps, warm_up):
    """Linear warm-up, then half a cosine down to 0.5% of the peak. Before the speed is known, no step is far from the
    warm-up, and the peak will do."""
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up) if steps else 0.0
    return 0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * done))


def loss_of(model, tokens, place, document, bounds, targets, weight):
    batch = packing.Batch(tokens, place, document, bounds, targets, weight)
    logits = network.word_logits(model, network.hidden_states(model.model, batch)).float()
    losses = torch.nn.functional.cross_entropy(logits, targets, reduction="none")
    return (losses * weight).sum() / weight.sum()


def make_model(options):
    return network.make_llama(**{name: getattr(options, name) for name in SIZES})


def export(model, options):
    """The folder a user loads: config.json, generation_config.json, model.safetensors (f16) and the tokenizer's files."""
    folder = options.work / "model"
    half = make_model(options)
    half.load_state_dict(model.state_dict())
    half = half.half()
    half.generation_config = transformers.GenerationConfig(
        bos_token_id=packing.BEGIN, eos_token_id=packing.END, do_sample=False, max_new_tokens=40)
    half.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(options.data / name, folder / name)
    # Loaded afresh: half() has also rounded the frequencies of the positions, which no file holds.
    return transformers.AutoModelForCausalLM.from_pretrained(folder).float()


def write_row(path, row):
    new = not path.exists()
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, row.keys())
        if new:
            writer.writeheader()
        writer.writerow({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()})
    print(json.dumps(row), flush=True)


class Run:
    """Everything that a checkpoint holds, and what is made anew from it."""

    def __init__(self, options):
        torch.manual_seed(options.seed)
        torch.set_float32_matmul_precision("high")
        self.options, self.began = options, time.time()
        self.model = make_model(options).to(options.device)
        self.optimiser = Optimiser(self.model, options.rate, options.matrix_rate)
        self.step, self.steps, self.spent = 0, options.steps, 0.0
        self.checkpoint = options.work / "checkpoint.pt"
        if self.checkpoint.exists():
            state = torch.load(self.checkpoint, map_location=options.device, weights_only=False)
            self.model.load_state_dict(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step, self.steps, self.spent = state["step"], state["steps"], state["seconds"]

    def seconds(self):
        return self.spent + time.time() - self.began

    def save(self):
        torch.save({"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict(), "step": self.step,
                    "steps": self.steps, "seconds": self.seconds()}, self.checkpoint)

    def is_over(self):
        stops = [steps for steps in (self.steps, self.options.call_steps) if steps]
        return (stops and self.step >= min(stops)) or time.time() - self.began >= self.options.seconds

    def choose_steps(self):
        """After the first steps: as many as fit, with 8% kept for evaluations and for the start of further calls."""
        if self.steps:
            return
        if self.options.device == "cuda" and self.step in (SLOW_START, MEASURED):
            torch.cuda.synchronize()
        if self.step == SLOW_START:
            self.clock = time.time()
        if self.step == MEASURED:
            a_step = (time.time() - self.clock) / (MEASURED - SLOW_START)
            self.steps = MEASURED + int(0.92 * (self.options.total_seconds - self.seconds()) / a_step)
            print(f"{a_step * 1000:.2f} ms a step: {self.steps} steps", flush=True)


def train(options):
    run = Run(options)
    device, model = options.device, run.model
    weights = (1.0, options.review_weight, options.answer_weight)
    data = packing.TrainingSet(options.data, device, weights)
    held_out = evaluate.HeldOut(options.data, device)
    loss_function = torch.compile(loss_of, dynamic=False) if device == "cuda" and not options.eager else loss_of
    running, counted = torch.zeros((), device=device), 0
    while not run.is_over():
        b = data.batch(run.step, options.seed, options.tokens, options.share)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            loss = loss_function(model, b.tokens, b.place, b.document, b.bounds, b.targets, b.weight)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        run.optimiser.step(rate_factor(run.step, run.steps, options.warm_up))
        model.zero_grad(set_to_none=True)
        running += loss.detach()
        run.step, counted = run.step + 1, counted + 1
        run.choose_steps()
        if run.step % options.every == 0 or run.step == run.steps:
            mean = running.item() / counted
            running, counted = torch.zeros((), device=device), 0
            write_row(options.work / "curve.csv", {
                "step": run.step, "tokens": run.step * options.tokens, "seconds": round(run.seconds(), 1),
                "rate_factor": rate_factor(run.step, run.steps, options.warm_up), "train_loss": mean,
                **held_out.quick_measures(model)})
    finish(run, held_out)


def finish(run, held_out):
    options = run.options
    run.save()
    shipped = export(run.model, options).to(options.device)
    facts = {"command": " ".join(sys.argv), "finished": bool(run.steps and run.step >= run.steps), "step": run.step,
             "steps": run.steps, "seconds": round(run.seconds(), 1), "seed": options.seed,
             "parameters": sum(p.numel() for p in run.model.parameters()),
             "folder_bytes": sum(path.stat().st_size for path in (options.work / "model").iterdir()),
             "options": {k: str(v) for k, v in vars(options).items()},
             "device": torch.cuda.get_device_name() if options.device == "cuda" else "cpu",
             "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
             "prepare": json.loads((options.data / "prepare.json").read_text()),
             "f16": held_out.quick_measures(shipped)}
    (options.work / "train.log.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps({key: facts[key] for key in ("finished", "step", "steps", "seconds", "folder_bytes", "f16")}),
          flush=True)


if __name__ == "__main__":
    chosen = arguments()
    chosen.work.mkdir(parents=True, exist_ok=True)
    train(chosen)
