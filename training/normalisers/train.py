#!/usr/bin/env python3
"""Step 2: train the twelve encoders together on the arrays of prepare.py, on one GPU. See README.md beside this file.

    python -m training.normalisers.train --data build/normaliser-data --work build/normaliser-work --total-seconds 440

The number of steps is the one that fits into --total-seconds by the speed of the first ones, unless --steps says it.
--work gets models/NAME for each, as Transformers stores them in f16, curve.csv and train.log.json.
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

from training.normalisers import batches
from training.normalisers import model as network
from training.optimiser import Optimiser

SLOW_START, MEASURED = 100, 300  # the speed is measured between these steps: compilation is over by then
MOST_STEPS = 40_000


def arguments(given=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=0, help="0: what fits into --total-seconds")
    parser.add_argument("--total-seconds", type=float, default=440)
    parser.add_argument("--rows", type=int, default=64, help="of 256 tokens, a step and model")
    parser.add_argument("--mask-rate", type=float, default=0.2)
    parser.add_argument("--rate", type=float, default=4e-3, help="peak rate of AdamW")
    parser.add_argument("--matrix-rate", type=float, default=4e-3, help="peak rate of Muon; 0: AdamW for all")
    parser.add_argument("--warm-up", type=int, default=300)
    parser.add_argument("--every", type=int, default=2000, help="steps between evaluations")
    parser.add_argument("--evaluated", type=int, default=None, help="held-out texts; all of them unless it is given")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--device", default="cuda")
    return parser.parse_args(given)


def rate_factor(step, steps, warm_up):
    """Linear warm-up, then half a cosine down to 0.5% of the peak. Before the speed is known, no step is far from the
    warm-up, and the peak will do."""
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up) if steps else 0.0
    return 0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * done))


@torch.no_grad()
def clip_each(models):
    """Gradients of every model to a norm of at most 1, by itself. A model whose gradient is not finite skips the
    step. Returns [models], which are skipped."""
    skipped = []
    for model in models:
        gradients = [p.grad for p in model.parameters()]
        norm = torch.nn.utils.get_total_norm(gradients)
        fine = torch.isfinite(norm)
        torch._foreach_mul_(gradients, torch.where(fine, (1 / (norm + 1e-6)).clamp(max=1.0), 0.0))
        for gradient in gradients:
            gradient.nan_to_num_(0.0, 0.0, 0.0)
        skipped.append(~fine)
    return torch.stack(skipped)


class LossFunction:
    """Compiled on a GPU; where the compiler fails, as it is."""

    def __init__(self, device):
        self.plain = device != "cuda"
        self.compiled = None if self.plain else torch.compile(network.losses, dynamic=False)

    def __call__(self, p, batch):
        if not self.plain:
            try:
                return self.compiled(p, batch)
            except Exception as error:  # whatever the compiler does not like: training is slower without it, no more
                print(f"without torch.compile: {type(error).__name__}: {error}"[:500], flush=True)
                self.plain = True
        return network.losses(p, batch)


class Run:
    def __init__(self, options):
        torch.set_float32_matmul_precision("high")
        self.options, self.began = options, time.time()
        self.vocabulary = json.loads((options.data / "prepare.json").read_text())["vocabulary"]
        self.names = [network.name_of(*normaliser, seed) for normaliser in network.NORMALISERS for seed in options.seeds]
        self.models = network.make_models(options.seeds, self.vocabulary).to(options.device)
        self.train, self.held_out = (batches.Texts(options.data / f"{part}.xz", options.device)
                                     for part in ("train", "heldout"))
        self.loss_function = LossFunction(options.device)
        self.step, self.steps = 0, options.steps
        self.skipped = torch.zeros(len(self.models), device=options.device)

    def choose_steps(self):
        """After the first steps: as many as fit, with 15% kept for evaluations and the export."""
        if self.steps:
            return
        if self.step in (SLOW_START, MEASURED) and self.options.device == "cuda":
            torch.cuda.synchronize()
        if self.step == SLOW_START:
            self.clock = time.time()
        if self.step == MEASURED:
            a_step = (time.time() - self.clock) / (MEASURED - SLOW_START)
            left = self.options.total_seconds - (time.time() - self.began)
            self.steps = min(MOST_STEPS, MEASURED + int(0.85 * left / a_step))
            print(f"{a_step * 1000:.2f} ms a step: {self.steps} steps", flush=True)

    @torch.no_grad()
    def measures(self, models, only_mask=False):
        """{name: (accuracy, loss)} on held-out texts."""
        p, options = network.stacked(models), self.options
        loss = right = words = 0
        for batch in batches.evaluation_batches(self.held_out, options.seeds, options.rows, self.vocabulary,
                                                options.evaluated, only_mask):
            mean, hits = network.losses(p, batch)
            count = batch.targets.shape[1]
            loss, right, words = loss + mean * count, right + hits, words + count
        pairs = zip((right / words).flatten().tolist(), (loss / words).flatten().tolist())
        return dict(zip(self.names, pairs))


def write_rows(path, rows):
    new = not path.exists()
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        if new:
            writer.writeheader()
        writer.writerows({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()} for row in rows)


def note(run, train_loss):
    """A row for every model in curve.csv."""
    measured = run.measures(run.models)
    rows = [{"step": run.step, "seconds": round(time.time() - run.began, 1), "model": name, "train_loss": loss,
             "heldout_accuracy": measured[name][0], "heldout_loss": measured[name][1]}
            for name, loss in zip(run.names, train_loss)]
    write_rows(run.options.work / "curve.csv", rows)
    print(run.step, {name: round(measured[name][0], 4) for name in run.names}, flush=True)


def train(options):
    run = Run(options)
    optimiser = Optimiser(run.models, options.rate, options.matrix_rate)
    running, counted = 0.0, 0
    while not run.steps or run.step < run.steps:
        batch = batches.training_batch(run.train, run.step, options.seeds, options.rows, options.mask_rate, run.vocabulary)
        loss, _ = run.loss_function(network.stacked(run.models), batch)
        loss.sum().backward()  # a model's gradient is that of its own loss: they share nothing
        run.skipped += clip_each(run.models)
        optimiser.step(rate_factor(run.step, run.steps, options.warm_up))
        run.models.zero_grad(set_to_none=True)
        running, counted, run.step = running + loss.detach(), counted + 1, run.step + 1
        run.choose_steps()
        if run.step % options.every == 0 or run.step == run.steps:
            note(run, (running / counted).flatten().tolist())
            running, counted = 0.0, 0
    finish(run)


def export(run):
    """models/NAME: config.json, model.safetensors (f16), vocab.txt, tokenizer_config.json. Returns them as they were
    written, in f32 again."""
    written = []
    for name, model in zip(run.names, run.models):
        folder = run.options.work / "models" / name
        half = transformers.BertForMaskedLM(model.config)
        half.load_state_dict(model.state_dict())
        half.half().save_pretrained(folder)
        (folder / "generation_config.json").unlink(missing_ok=True)
        for file in ("vocab.txt", "tokenizer_config.json"):
            shutil.copy(run.options.data / file, folder / file)
        written.append(half.float())
    return torch.nn.ModuleList(written).to(run.options.device)


def finish(run):
    options = run.options
    shipped = export(run)
    standard, all_masked = run.measures(shipped), run.measures(shipped, only_mask=True)
    facts = {"command": " ".join(sys.argv), "steps": run.steps, "seconds": round(time.time() - run.began, 1),
             "tokens_a_step": options.rows * network.POSITIONS, "compiled": not run.loss_function.plain,
             "parameters": sum(p.numel() for p in run.models[0].parameters()),
             "folder_bytes": {path.name: sum(file.stat().st_size for file in path.iterdir())
                              for path in sorted((options.work / "models").iterdir())},
             "options": {k: str(v) for k, v in vars(options).items()},
             "device": torch.cuda.get_device_name() if options.device == "cuda" else "cpu",
             "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
             "prepare": json.loads((options.data / "prepare.json").read_text()),
             "models": {name: {"heldout_accuracy": standard[name][0], "heldout_loss": standard[name][1],
                               "heldout_accuracy_all_masked": all_masked[name][0],
                               "heldout_loss_all_masked": all_masked[name][1], "skipped_steps": int(skipped)}
                        for name, skipped in zip(run.names, run.skipped.tolist())}}
    (options.work / "train.log.json").write_text(json.dumps(facts, indent=2) + "\n")
    print(json.dumps({key: facts[key] for key in ("steps", "seconds", "folder_bytes", "models")}), flush=True)


if __name__ == "__main__":
    chosen = arguments()
    chosen.work.mkdir(parents=True, exist_ok=True)
    train(chosen)
