#!/usr/bin/env python3
"""Compares the journals of two runs row by row, to the last digit.

    scripts/compare_journals.py OLD NEW

OLD and NEW are journals or folders of journals, as `wordsway reproduce -o DIR` writes them. Times, checksums and what
a row says of the machine's memory are left out. Prints the first rows that differ, and exits with 1 when one does.
"""
import json
import pathlib
import sys

LEFT_OUT = {"seconds", "checksum", "memory_bytes"}
SHOWN = 10


def read_rows(path):
    """The rows of a journal, in an order that does not depend on threads."""
    with open(path, encoding="utf-8") as lines:
        next(lines)  # the header
        rows = [{k: v for k, v in json.loads(line).items() if k not in LEFT_OUT} for line in lines]
    return sorted(rows, key=lambda row: json.dumps(row))


def compare(old, new):
    """Yields one line for every row of two journals that differs."""
    before, after = read_rows(old), read_rows(new)
    if len(before) != len(after):
        yield f"{old.name}: {len(before)} rows against {len(after)}"
    for a, b in zip(before, after):
        if a != b:
            parts = {k: (a.get(k), b.get(k)) for k in dict(a, **b) if a.get(k) != b.get(k)}
            yield f"{old.name}: {parts}"


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    old, new = map(pathlib.Path, arguments)
    pairs = [(f, new / f.name) for f in sorted(old.glob("*.jsonl"))] if old.is_dir() else [(old, new)]
    if not pairs:
        sys.exit(f"{old}: there is no journal")
    missing = [b for _, b in pairs if not b.is_file()]
    different = [line for a, b in pairs if b.is_file() for line in compare(a, b)]
    for line in [f"{b}: there is no such journal" for b in missing] + different[:SHOWN]:
        print(line)
    rows = sum(len(read_rows(a)) for a, _ in pairs)
    print(f"{len(pairs)} journals, {rows} rows: {len(different)} differ")
    return 1 if different or missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
