"""Recomputes with sentence-transformers and Transformers what `wordsway pairs` prints.

Runs the command on the built-in set and compares `similarity` and `control_similarity` of every row with the cosines of
sentence-transformers' vectors; then, for fifty of the pairs, the similarity after every layer with mean-pooled hidden
states of Transformers.

    python check_pairs.py PROGRAM MODEL_FOLDER

The folder must be a sentence-transformers one with mean pooling. Prints the largest absolute differences, and exits
with 1 when one is above 1e-6 (similarities) or 2e-6 (after every layer).
"""
import argparse
import json
import subprocess
import sys

import torch
from sentence_transformers import SentenceTransformer
from transformers import AutoModel, AutoTokenizer


def wordsway(program, *arguments):
    output = subprocess.run([program, *arguments, "--format", "json", "--quiet"], check=True, capture_output=True)
    return json.loads(output.stdout)


def cosine(a, b):
    return torch.nn.functional.cosine_similarity(a.double(), b.double(), dim=-1)


def worst_of_set(program, folder):
    rows = wordsway(program, "pairs", "-m", folder)["rows"]
    texts = sorted({row[key] for row in rows for key in ("anchor", "changed", "control")})
    model = SentenceTransformer(folder, device="cpu")
    vectors = dict(zip(texts, model.encode(texts, batch_size=64, convert_to_tensor=True, show_progress_bar=False)))
    worst = 0
    for row in rows:
        for other, key in (("changed", "similarity"), ("control", "control_similarity")):
            worst = max(worst, abs(cosine(vectors[row["anchor"]], vectors[row[other]]).item() - row[key]))
    return rows, worst


@torch.no_grad()
def worst_of_layers(program, folder, rows):
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()

    def pooled(text):
        states = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        return torch.stack([state[0].mean(0) for state in states])

    worst = 0
    for row in rows[:: max(1, len(rows) // 50)]:
        found = wordsway(program, "pairs", row["anchor"], row["changed"], "-m", folder)
        layers = cosine(pooled(row["anchor"]), pooled(row["changed"]))
        for expected, mine in zip(layers.tolist(), found["similarities"]):
            worst = max(worst, abs(expected - mine))
    return worst


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("model")
    arguments = parser.parse_args()
    rows, similarity = worst_of_set(arguments.program, arguments.model)
    layers = worst_of_layers(arguments.program, arguments.model, rows)
    print(f"{len(rows)} pairs: largest difference {similarity:.2g} from sentence-transformers, "
          f"{layers:.2g} after the layers")
    return 1 if similarity > 1e-6 or layers > 2e-6 else 0


if __name__ == "__main__":
    sys.exit(main())
