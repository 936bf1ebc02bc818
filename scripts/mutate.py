#!/usr/bin/env python3
"""Changes the code at random, one small change at a time, and says which changes no test notices.

    scripts/mutate.py [--count 200] [--seed 1] [--module NAME]    makes and tries the changes, then prints the shares
    scripts/mutate.py --list [--module NAME]                      prints the changes without trying them

A change is a comparison, a sign, a constant, a minimum for a maximum or a condition turned round, in maps, ascent,
sensitivity, learning, model or ask. Each is built in a worktree of its own (build/mutation), and the module's tests run
until one fails. What does not compile counts for nothing and is replaced by another change. Results are kept in
build/mutation/results.jsonl, so the same command continues after an interruption. docs/mutation.tsv gets a line for
each module: module, commit, date, tried, survived, equivalent.

A survivor that no test could notice, because the program computes the same or only the cost changes, is listed with its
reason in scripts/mutation_equivalents.tsv (file, line of code as it stands, changed line, reason) and does not count.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "mutation"
TREE = FOLDER / "tree"
BUILD = FOLDER / "build"
RESULTS = FOLDER / "results.jsonl"
EQUIVALENTS = ROOT / "scripts" / "mutation_equivalents.tsv"
RECORD = ROOT / "docs" / "mutation.tsv"
LIMIT = 900  # seconds for one test program: a change that makes it hang is noticed

# The tests that a change in a module may fail, quickest first.
TESTS = {
    "maps": ["test_maps", "test_conformance"],
    "ascent": ["test_ascent", "test_conformance"],
    "sensitivity": ["test_sensitivity", "test_conformance"],
    "learning": ["test_learning", "test_conformance"],
    "model": ["test_model"],
    "ask": ["test_ask", "test_serve", "test_e2e"],
}

COMPARISONS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "}
SIGNS = {" + ": " - ", " - ": " + ", " * ": " / ", " += ": " -= ", " -= ": " += "}
LOGIC = {" && ": " || ", " || ": " && ", "std::min(": "std::max(", "std::max(": "std::min("}
NUMBER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?(?:e-?\d+)?)(?![\w.'])")


def code_lines(path):
    """(line number, code) without comments, preprocessor lines, and lines that hold text."""
    for number, line in enumerate(path.read_text().splitlines()):
        code = line.split("//")[0]
        if code.strip() and '"' not in code and not code.lstrip().startswith(("#", "using ", "template", "static_assert")):
            yield number, code


def other_number(text):
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    return repr(float(text) * 2)


def changes_of_line(code):
    """Every changed form of a line."""
    for table in (COMPARISONS, SIGNS, LOGIC):
        for old, new in table.items():
            for found in re.finditer(re.escape(old), code):
                yield code[: found.start()] + new + code[found.end() :]
    for found in NUMBER.finditer(code):
        yield code[: found.start()] + other_number(found.group()) + code[found.end() :]


def all_changes(module):
    found = []
    for path in sorted((ROOT / "src" / "wordsway" / module).rglob("*.cpp")):
        for number, code in code_lines(path):
            for changed in changes_of_line(code):
                found.append({"module": module, "file": str(path.relative_to(ROOT)), "line": number + 1,
                              "code": code.strip(), "changed": changed.strip(), "whole": changed})
    return found


def drawn_changes(count, seed, only):
    """In the order in which they are tried, the same for the same tree: modules take turns."""
    queues = {}
    for module in TESTS:
        found = all_changes(module)
        random.Random(f"{seed} {module}").shuffle(found)
        queues[module] = found
    modules = [only] if only else list(TESTS)
    quota = {module: count // len(modules) + (k < count % len(modules)) for k, module in enumerate(modules)}
    return {module: (queues[module], quota[module]) for module in modules}


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-3000:]}")
    return done.stdout.strip()


def prepare(modules):
    FOLDER.mkdir(parents=True, exist_ok=True)
    head = must(["git", "-C", str(ROOT), "rev-parse", "HEAD"])
    if not TREE.exists():
        must(["git", "-C", str(ROOT), "worktree", "prune"])
        must(["git", "-C", str(ROOT), "worktree", "add", "--detach", str(TREE), head])
    must(["git", "-C", str(TREE), "checkout", "--quiet", "--force", "--detach", head])
    must(["cmake", "--preset", "release", "-S", str(TREE), "-B", str(BUILD), "-DWORDSWAY_UNITY=OFF", "-DWORDSWAY_TESTS=ON",
          "-DWORDSWAY_PYTHON=OFF"])
    print("Building the tests as they are ...", flush=True)
    build([test for module in modules for test in TESTS[module]], True)
    return head


def build(targets, required=False):
    done = run(["cmake", "--build", str(BUILD), "-j", str(os.cpu_count()), "--target", *dict.fromkeys(targets)])
    if required and done.returncode != 0:
        sys.exit(done.stdout[-3000:])
    return done.returncode == 0


def notices(test):
    try:
        done = run([str(BUILD / "bin" / test), "--gtest_brief=1", "--gtest_fail_fast"], timeout=LIMIT, cwd=BUILD)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def outcome(change):
    path = TREE / change["file"]
    original = path.read_text()
    lines = original.splitlines(keepends=True)
    lines[change["line"] - 1] = change["whole"].rstrip() + "\n"
    path.write_text("".join(lines))
    try:
        if not build(TESTS[change["module"]]):
            return "does not compile"
        return next((test for test in TESTS[change["module"]] if notices(test)), "survived")
    finally:
        path.write_text(original)


def key_of(change):
    return change["file"], change["code"], change["changed"]


def read_results(head):
    if not RESULTS.exists():
        return {}
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    return {key_of(row): row for row in rows if row["commit"] == head}


def equivalents():
    lines = EQUIVALENTS.read_text().splitlines()[1:] if EQUIVALENTS.exists() else []
    return {tuple(line.split("\t")[:3]) for line in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", choices=TESTS)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    drawn = drawn_changes(options.count, options.seed, options.module)
    if options.list:
        for queue, quota in drawn.values():
            for change in queue[:quota]:
                print(f"{change['file']}:{change['line']}: {change['code']}  ->  {change['changed']}")
        return
    head = prepare(drawn)
    known, same = read_results(head), equivalents()
    counts = collections.defaultdict(collections.Counter)
    survivors = []
    for module, (queue, quota) in drawn.items():
        for change in queue:
            if counts[module]["tried"] == quota:
                break
            row = known.get(key_of(change))
            if row is None:
                row = {**change, "commit": head, "outcome": outcome(change)}
                with RESULTS.open("a") as file:
                    file.write(json.dumps(row) + "\n")
                print(f"{module} {counts[module]['tried'] + 1}/{quota}  {row['outcome']:18}  {change['file']}:{change['line']}: "
                      f"{change['code']}  ->  {change['changed']}", flush=True)
            if row["outcome"] == "does not compile":
                continue
            counts[module]["tried"] += 1
            if row["outcome"] == "survived":
                kind = "equivalent" if key_of(change) in same else "survived"
                counts[module][kind] += 1
                if kind == "survived":
                    survivors.append(change)
    if not RECORD.exists():
        RECORD.write_text("module\tcommit\tdate\ttried\tsurvived\tequivalent\n")
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    with RECORD.open("a") as file:
        for module, count in counts.items():
            file.write(f"{module}\t{head[:10]}\t{date}\t{count['tried']}\t{count['survived']}\t{count['equivalent']}\n")
    for change in survivors:
        print(f"survived: {change['file']}:{change['line']}: {change['code']}  ->  {change['changed']}")
    worst = 0.0
    for module, count in counts.items():
        share = count["survived"] / max(1, count["tried"] - count["equivalent"])
        worst = max(worst, share)
        print(f"{module:12} {count['tried']:4} tried  {count['survived']:3} survived  {count['equivalent']:3} equivalent  {share:.0%}")
    sys.exit(0 if worst < 0.1 else 1)


if __name__ == "__main__":
    main()
