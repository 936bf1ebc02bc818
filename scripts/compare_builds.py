#!/usr/bin/env python3
"""Runs the same commands with two builds of the program and compares what they print.

    scripts/compare_builds.py OLD/bin/wordsway NEW/bin/wordsway [-m MODEL] [--docs] [--reproduce]

Rows must be the same to the last bit; only measured times may differ. Commands that a build refuses must be refused by
the other with the same exit code. --docs adds the commands of README.md and docs/*.md that need no file of the user's,
--reproduce the rows of `reproduce --profile quick`. Exits with 1 when anything differs.
"""

import argparse
import concurrent.futures
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

FORMATS = ("json", "jsonl", "csv")
COMMANDS = """
tokenize "I love her smile" "a second text"
tokenize ""
info
layers "I love her smile" --token 4
layers --direction attract,noise --layer pooled
attention "I love her much" "I love her smile"
attention "I love her smile" --token 2 --direction noise --layer last --head 1
words "turn off the dark mode please"
words "a film" "" "turn it off" --ball --starts 2
words "turn off the dark mode" --layer pooled --fast --radius 0.1
words -m builtin-decoder "was the film good" --layer logits
substitute "please enable dark mode" --word enable --candidates plausible
substitute "please enable dark mode" --top 2 --evaluations 64
substitute "please enable dark mode" --layer pooled --threshold 0.9 --unit cosine
pairs
pairs "enable dark mode" "disable dark mode"
pairs --threshold 0.95 --unit cosine --max-false-merges 0.5
generate --max-new-tokens 12
generate "The film was" "The plot was" --max-new-tokens 8 --temperature 0.7 --seed 3
answers
answers "Was it good?" "Was it bad?" --max-new-tokens 8
measure --map raf --n 10,20,50 --trials 3
measure --map raf,raf-relu,rf,drf --n 8,12,16 --d 16 --trials 2 --data sphere
measure --map rf --n 10 --d 16 --width 8,16 --activation tanh,relu --trials 2 --data spiked:0.4
measure --map raf,raf-relu --n 30 --d 16 --tokens 1,4 --spread --trials 2 --data sphere
measure --map raf --n 12 --trials 2 --typical 8
measure --map raf --n 10 --d 16 --token all --trials 2 --data sphere
measure "I love her smile" --layer last --token 4
measure "I love her smile" --layer pooled --token all --steps 20
generalize --map raf,rf --n 8 --d 16 --train-size 20 --trials 2 --data sphere
generalize --n 10 --train-size 20 --trials 1 --training retrain --objective error --penalty 0,0.5
list maps
list maps --long
list figures
list data
list presets
list templates
measure --map nosuch
measure --n 0
measure --radius 1e300
words --nosuch
words "a" --ball --fast
pairs --threshold 0.9
substitute "a film" --word nosuch
""".strip().splitlines()

# Measured, or known to differ between builds.
TIMES = re.compile(r'("?(?:seconds|tokens_per_second|expected_seconds|expected_memory_bytes|pilot_trials)"?: )[^,}\n]+')


def without_times(text: str, form: str) -> str:
    if form != "csv":
        text = TIMES.sub(r"\1_", text)
        return re.sub(r"\s*([][{},])\s*", r"\1", text) if form == "json" else text  # white space says nothing
    lines = text.splitlines()
    names = lines[0].split(",") if lines else []
    drop = [k for k, name in enumerate(names) if name in ("seconds", "tokens_per_second")]
    if not drop:
        return text
    # Measured columns are followed by nothing that holds a comma but lists and texts in quotes.
    import csv
    rows = list(csv.reader(lines))
    return "\n".join(",".join(cell for k, cell in enumerate(row) if k not in drop) for row in rows)


def run(program: str, arguments: list[str], folder: str) -> tuple[int, str, str]:
    result = subprocess.run([program, *arguments, "--quiet"], cwd=folder, capture_output=True, text=True, timeout=1800)
    return result.returncode, result.stdout, result.stderr


def compare(old: str, new: str, line: str, form: str) -> tuple[str, list[str]]:
    arguments = [*shlex.split(line), "--format", form]
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
        first, second = run(old, arguments, a), run(new, arguments, b)
    if first[0] != second[0]:
        return line, [f"exit code {first[0]} before, {second[0]} now: {second[2].strip()}"]
    x, y = without_times(first[1], form), without_times(second[1], form)
    if x == y:
        return line, []
    return line, list(difflib.unified_diff(x.splitlines(), y.splitlines(), "before", "now", lineterm="", n=0))[:12]


def documented(folder: pathlib.Path) -> list[str]:
    """Commands of the docs that name no file and no model of the user's. Blocks marked "not run" are left out."""
    lines = []
    for page in [folder / "README.md", *sorted((folder / "docs").glob("*.md"))]:
        for skipped, block in re.findall(r"(<!-- not run:.*?-->\n)?```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            for line in [] if skipped else block.splitlines():
                line = line.split("  #")[0].strip()
                words = line.split()
                if not line.startswith("wordsway ") or len(words) < 2 or words[1] in ("serve", "reproduce", "report", "fill"):
                    continue
                if re.search(r"[A-Z]{4,}|\.npy|\.jsonl|\.csv|\.txt|[|><$]|--chart|--out|-o |--format|--dry-run|\\$", line):
                    continue
                lines.append(line.removeprefix("wordsway "))
    return sorted(set(lines))


def reproduced(old: str, new: str) -> list[str]:
    """Differences between the rows and verdicts of two quick reproductions."""
    with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
        for program, folder in ((old, a), (new, b)):
            subprocess.run([program, "reproduce", "--profile", "quick", "-o", folder, "--quiet"], capture_output=True, check=False)
        wrong = []
        for one in sorted((pathlib.Path(a) / "figures").glob("*.csv")):
            other = pathlib.Path(b) / "figures" / one.name
            if not other.exists() or without_times(one.read_text(), "csv") != without_times(other.read_text(), "csv"):
                wrong.append(one.name)
        return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("-m", "--model", help="run the commands about a model on this one too")
    parser.add_argument("--docs", action="store_true")
    parser.add_argument("--reproduce", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    old, new = (str(pathlib.Path(path).resolve()) for path in (given.old, given.new))
    lines = list(COMMANDS)
    if given.model:
        about = ("tokenize", "info", "layers", "attention", "words", "substitute", "pairs")
        lines += [f"{line} -m {shlex.quote(given.model)}" for line in COMMANDS if line.split()[0] in about and " -m " not in line]
    if given.docs:
        lines += documented(pathlib.Path(__file__).resolve().parent.parent)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        tasks = [pool.submit(compare, old, new, line, form) for line in lines for form in FORMATS]
        for task in concurrent.futures.as_completed(tasks):
            line, difference = task.result()
            if difference:
                failed += 1
                print(f"differs: wordsway {line}", *difference, sep="\n    ", flush=True)
    print(f"{len(tasks) - failed} of {len(tasks)} runs are the same")
    if given.reproduce:
        wrong = reproduced(old, new)
        failed += len(wrong)
        print("reproduce: " + ("the same rows" if not wrong else "other rows in " + ", ".join(wrong)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
