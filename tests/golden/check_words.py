"""Recomputes with Transformers what `wordsway words` and `wordsway substitute` print.

Runs both commands on ten everyday sentences, pooled and on the last layer, and makes every change and cosine that a row
lets one recompute anew: the word at [begin, end) code points is replaced by the row's `worst_word` or `replacement`, or
left out, and both texts go through PyTorch. Pooled vectors are made by the modules of the folder (modules.json). On the
last layer rows of the same token are compared, those of the changed word in order, and a row that the other text does
not have is compared with 0.

    python check_words.py PROGRAM MODEL_FOLDER [--all | --ranks]

Words are replaced by `substitute` in every sentence one, its longest; with --all every word, which takes many times as
long. Prints the largest absolute difference of each column, and exits with 1 when one is above 2e-6.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

import torch
from transformers import AutoModel, AutoTokenizer

LIMIT = 2e-6
torch.set_num_threads(1)  # sentences are short

SENTENCES = [
    "The train to Vienna leaves at 7:45, not at 8.",
    "I can't find my keys anywhere!",
    "Please turn off the dishwasher before you go to bed.",
    "Dr. Müller said the biopsy was negative.",
    "We paid $1,250 for the refrigerator in March 2021.",
    "Is Anna coming to the party on Saturday?",
    "the soup needs more salt",
    "Unfortunately, the mischievous puppies chewed up Grandma's slippers.",
    "He did not sign the contract; she did.",
    "Rain.",
]

# For --ranks: everyday sentences without punctuation, whose words can be told apart by leaving them out.
EVERYDAY = [
    "please turn off the dark mode before you leave",
    "the meeting with our new client starts at noon on monday",
    "how do i cancel my monthly subscription",
    "the patient must not take this medicine with alcohol",
    "my new phone stopped charging after the last update",
    "we had a lovely dinner at the small restaurant by the river",
    "can you send me the bill for the last order",
    "paris is the capital of france",
    "the film was not nearly as good as everyone said",
    "the train to london leaves from platform four in ten minutes",
]


class Model:
    def __init__(self, folder):
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
        self.folder = Path(folder)
        modules = self.folder / "modules.json"
        self.modules = json.loads(modules.read_text()) if modules.exists() else []
        self.cache = {}

    def encode(self, text):
        return self.tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)

    def hidden(self, text):
        if text not in self.cache:
            with torch.no_grad():
                ids = torch.tensor([self.encode(text)["input_ids"]])
                self.cache[text] = self.model(input_ids=ids).last_hidden_state[0].double()
        return self.cache[text]

    def pooled(self, text):
        vector = self.hidden(text)
        for module in self.modules[1:]:
            kind = module["type"].split(".")[-1]
            if kind == "Pooling":
                config = json.loads((self.folder / module["path"] / "config.json").read_text())
                others = [key for key, on in config.items() if key.startswith("pooling_mode_") and on is True]
                if others != ["pooling_mode_mean_tokens"] and config.get("pooling_mode") != "mean":
                    sys.exit(f"check_words.py knows mean pooling alone; got {config}")
                vector = vector.mean(0)
            elif kind == "Normalize":
                vector = vector / vector.norm()
            else:
                sys.exit(f"check_words.py does not know the module {kind}")
        return vector


def place(text, row, replacement):
    """The code points that go: a word that is left out takes the space before it along, or after it at the start."""
    begin, end = row["begin"], row["end"]
    if not replacement:
        if begin > 0 and text[begin - 1] == " ":
            begin -= 1
        elif begin == 0 and text[end:end + 1] == " ":
            end += 1
    return begin, end


def parts(encoding, begin, end):
    """Tokens before the word, of the word, after it, and those that the template puts at the end."""
    n = len(encoding["input_ids"])
    special, offsets = encoding["special_tokens_mask"], encoding["offset_mapping"]
    words_end = n
    while words_end > 0 and special[words_end - 1]:
        words_end -= 1
    first = 0
    while first < words_end and (special[first] or offsets[first][1] <= begin):
        first += 1
    last = first
    while last < words_end and offsets[last][0] < end:
        last += 1
    return [(0, first), (first, last), (last, words_end), (words_end, n)]


def change_rows(model, text, row, replacement):
    """‖φ' − φ‖/‖φ‖ on the last layer."""
    begin, end = place(text, row, replacement)
    changed = text[:begin] + replacement + text[end:]
    before, after = model.hidden(text), model.hidden(changed)
    here = parts(model.encode(text), row["begin"], row["end"])
    there = parts(model.encode(changed), begin, begin + len(replacement))
    squared = 0.0
    for (a, b), (c, d) in zip(here, there):
        both = min(b - a, d - c)
        squared += (before[a:a + both] - after[c:c + both]).square().sum().item()
        squared += before[a + both:b].square().sum().item() + after[c + both:d].square().sum().item()
    return squared ** 0.5 / before.norm().item(), None


def change_pooled(model, text, row, replacement):
    begin, end = place(text, row, replacement)
    before, after = model.pooled(text), model.pooled(text[:begin] + replacement + text[end:])
    norm = before.norm().item()
    return (after - before).norm().item() / norm, (before @ after).item() / (norm * after.norm().item())


class Differences:
    def __init__(self):
        self.worst = {}  # column to (difference, where), and how many were compared

    def add(self, column, printed, computed, where):
        if printed is None and computed is None:
            return
        if printed is None or computed is None:
            difference = float("inf")
        else:
            difference = abs(printed - computed)
        known, count, place_of = self.worst.get(column, (-1.0, 0, ""))
        if not difference <= known:
            known, place_of = difference, f"{where}: printed {printed}, recomputed {computed}"
        self.worst[column] = (known, count + 1, place_of)


def rows_of(ask, command, layer, text, more=()):
    out = subprocess.run([ask.program, command, "-m", ask.folder, "--layer", layer, *more, "--format", "json", "--quiet",
                          text], check=True, stdout=subprocess.PIPE).stdout
    printed = json.loads(out)  # the rows of one text, or a study of them
    return printed["rows"] if isinstance(printed, dict) else printed


def spearman(x, y):
    def ranks(values):
        order = sorted(range(len(values)), key=lambda k: values[k])
        return {k: place for place, k in enumerate(order)}

    a, b, n = ranks(x), ranks(y), len(x)
    return 1 - 6 * sum((a[k] - b[k]) ** 2 for k in range(n)) / (n * (n * n - 1))


def print_ranks(ask):
    found = []
    for text in EVERYDAY:
        rows = rows_of(ask, "words", "pooled", text)
        found.append(spearman([row["typical"] for row in rows], [1 - row["dropped_cosine"] for row in rows]))
        print(f"{found[-1]:.2f}  {text}", flush=True)
    print(f"rank correlation of typical with 1 - dropped_cosine, mean: {sum(found) / len(found):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--all", action="store_true", help="substitute every word")
    parser.add_argument("--ranks", action="store_true",
                        help="print how typical ranks words beside leaving them out, and nothing else")
    ask = parser.parse_args()
    if ask.ranks:
        return print_ranks(ask)
    model = Model(ask.folder)
    differences = Differences()
    for layer in ("pooled", "last"):
        print(f"layer {layer}", file=sys.stderr, flush=True)
        recompute = change_pooled if layer == "pooled" else change_rows
        for text in SENTENCES:
            words = rows_of(ask, "words", layer, text)
            for row in words:
                assert text[row["begin"]:row["end"]] == row["word"], row
                where = f"'{row['word']}' in '{text}'"
                if row["worst_word"] is not None:
                    change, cosine = recompute(model, text, row, row["worst_word"])
                    differences.add(f"words {layer} worst_change", row["worst_change"], change, where)
                    differences.add(f"words {layer} worst_cosine", row.get("worst_cosine"), cosine, where)
                change, cosine = recompute(model, text, row, "")
                differences.add(f"words {layer} dropped", row["dropped"], change, where)
                differences.add(f"words {layer} dropped_cosine", row.get("dropped_cosine"), cosine, where)
            longest = max(words, key=lambda row: len(row["word"]))
            more = ["--top", "5"] + ([] if ask.all else ["--token", str(longest["token"])])
            for row in rows_of(ask, "substitute", layer, text, more):
                word = next(w for w in words if w["token"] == row["token"])
                where = f"'{row['replacement']}' for '{row['word']}' in '{text}'"
                change, cosine = recompute(model, text, word, row["replacement"])
                differences.add(f"substitute {layer} change", row["change"], change, where)
                differences.add(f"substitute {layer} cosine", row.get("cosine"), cosine, where)
    for column, (difference, count, where) in differences.worst.items():
        print(f"{column:32} {difference:.1e} over {count}; {where}")
    if not all(difference <= LIMIT for difference, _, _ in differences.worst.values()):
        sys.exit(f"a difference is above {LIMIT}")


if __name__ == "__main__":
    main()
