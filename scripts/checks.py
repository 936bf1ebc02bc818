#!/usr/bin/env python3
"""Runs the checks of the whole tree and keeps the record of when each last passed, docs/checks.tsv.

    scripts/checks.py run [CHECK]    runs one check, or all of them that have not passed on this tree yet
    scripts/checks.py show           when each check last passed, and how many commits ago; exits 1 when one is too old
    scripts/checks.py record CHECK RESULT SECONDS    appends a line for a check that ran elsewhere (the GPU tests)

A line of the record is: check, commit, date, result (passed, failed or not-run), seconds; tab-separated. The last line
of a check counts. `run` goes on where it was stopped: a check that passed on this commit, or on one that differs from it
in the record alone, is left out. The tree must be committed, so that a record says what was checked.
"""

import datetime
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs" / "checks.tsv"
OLDEST = 60  # commits that a record may be old

# What each leaves out is in CONTRIBUTING.md, with the reason.
CHECKS = {
    "asan": ["make", "asan"],
    "tsan": ["make", "tsan"],
    "lint": ["make", "lint"],
    "fuzz": ["make", "fuzz"],
    "faults": ["make", "faults"],
    "wheel": ["make", "wheel"],
    "page": ["make", "page"],
    "docs": ["make", "docs"],
    "install": ["make", "package"],
}
ELSEWHERE = ["gpu"]  # recorded by `make test-gpu`


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def last_lines():
    """The last line of every check: name -> (commit, date, result, seconds)."""
    found = {}
    for line in RECORD.read_text().splitlines()[1:]:
        check, *rest = line.split("\t")
        found[check] = rest
    return found


def commits_since(commit):
    count = git("rev-list", "--count", f"{commit}..HEAD")
    return int(count) if count is not None else None


def is_current(commit):
    """Whether the tree of this commit differs from the present one in the record alone."""
    done = subprocess.run(["git", "diff", "--quiet", commit, "HEAD", "--", ".", ":!docs/checks.tsv"], cwd=ROOT)
    return done.returncode == 0


def record(check, result, seconds):
    if not RECORD.exists():
        RECORD.write_text("check\tcommit\tdate\tresult\tseconds\n")
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    with RECORD.open("a") as file:
        file.write(f"{check}\t{git('rev-parse', '--short=10', 'HEAD')}\t{date}\t{result}\t{seconds:.0f}\n")
    print(f"{check}: {result} after {seconds:.0f} s -> docs/checks.tsv", flush=True)


def run_one(check):
    print(f"== {check}: {' '.join(CHECKS[check])}", flush=True)
    start = time.monotonic()
    passed = subprocess.run(CHECKS[check], cwd=ROOT).returncode == 0
    record(check, "passed" if passed else "failed", time.monotonic() - start)
    return passed


def run(wanted):
    if git("status", "--porcelain", "--", ".", ":!docs/checks.tsv"):
        sys.exit("There are changes that are not committed: a record of this tree would say nothing. Commit them first.")
    if wanted:
        if wanted not in CHECKS:
            sys.exit(f"There is no check '{wanted}'; there are {', '.join(CHECKS)}.")
        return run_one(wanted)
    known = last_lines() if RECORD.exists() else {}
    failed = []
    for check in CHECKS:
        line = known.get(check)
        if line and line[2] == "passed" and is_current(line[0]):
            print(f"{check}: passed on {line[0]} already")
        elif not run_one(check):
            failed.append(check)
    show()
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return not failed


def show():
    known = last_lines() if RECORD.exists() else {}
    good = True
    print(f"{'check':8} {'commit':10} {'date':10} {'result':8} {'seconds':>7} {'commits ago':>11}")
    for check in [*CHECKS, *ELSEWHERE]:
        if check not in known:
            print(f"{check:8} never recorded")
            good = good and check in ELSEWHERE
            continue
        commit, date, result, seconds = known[check]
        age = commits_since(commit)
        print(f"{check:8} {commit:10} {date:10} {result:8} {seconds:>7} {'?' if age is None else age:>11}")
        if check in CHECKS:
            good = good and result == "passed" and age is not None and age <= OLDEST
    if not good:
        print(f"A check must have passed within the last {OLDEST} commits.")
    return good


def main(arguments):
    if arguments[:1] == ["run"] and len(arguments) <= 2:
        return run(arguments[1] if len(arguments) == 2 else None)
    if arguments == ["show"]:
        return show()
    if arguments[:1] == ["record"] and len(arguments) == 4:
        return record(arguments[1], arguments[2], float(arguments[3])) is None
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
