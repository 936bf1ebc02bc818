#!/usr/bin/env python3
"""Runs the checks of the whole tree and keeps the record of when each last passed, docs/checks.tsv.

    scripts/checks.py run [CHECK]    runs one check, or all that have not passed on this tree yet
    scripts/checks.py show           when each check last passed, and how many commits ago; exits 1 when one is too old
    scripts/checks.py gpu PROGRAM    runs the GPU tests; without a device they count as not run
    scripts/checks.py record CHECK RESULT SECONDS    appends a line for a check that ran on another machine

A line of the record holds check, commit, date, result (passed, failed or not-run) and seconds, separated by tabs. The
last line of a check counts. `run` continues after an interruption: it leaves out checks that passed on a tree that
differs from this one in the record alone. The tree must be committed, so that a record says what was checked.
"""

import datetime
import os
import pathlib
import subprocess
import sys
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "docs" / "checks.tsv"
README = ROOT / "README.md"  # has a line with the last result of each check, between these marks
BEGIN, END = "<!-- checks -->\n", "<!-- end of checks -->"
NOT_CHECKED = ["--", ".", ":!docs/checks.tsv", ":!README.md"]
OLDEST = 60  # commits that a record may be old

# CONTRIBUTING.md lists what each leaves out, and why.
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
GPU = "gpu"  # recorded by `make test-gpu`


def git(*arguments):
    """What git prints, or None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def last_lines():
    """The last line of every check: name -> (commit, date, result, seconds)."""
    found = {}
    for line in RECORD.read_text().splitlines()[1:]:
        check, *rest = line.split("\t")
        found[check] = rest
    return found


def last_passed(check):
    """The last commit on which a check passed, or None."""
    lines = [line.split("\t") for line in RECORD.read_text().splitlines()[1:]] if RECORD.exists() else []
    passed = [line[1] for line in lines if line[0] == check and line[3] == "passed"]
    return passed[-1] if passed else None


def commits_since(commit):
    count = git("rev-list", "--count", f"{commit}..HEAD")
    return int(count) if count is not None else None


def without_record(readme):
    before, _, rest = readme.partition(BEGIN)
    return before + rest.partition(END)[2]


def is_current(commit):
    """Whether the tree of this commit differs from the present one in the record alone."""
    if subprocess.run(["git", "diff", "--quiet", commit, "HEAD", *NOT_CHECKED], cwd=ROOT).returncode != 0:
        return False
    return without_record(git("show", f"{commit}:README.md")) == without_record(git("show", "HEAD:README.md"))


def record(check, result, seconds):
    if not RECORD.exists():
        RECORD.write_text("check\tcommit\tdate\tresult\tseconds\n")
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    with RECORD.open("a") as file:
        file.write(f"{check}\t{git('rev-parse', '--short=10', 'HEAD') or 'unknown'}\t{date}\t{result}\t{seconds:.0f}\n")
    update_readme()
    print(f"{check}: {result} after {seconds:.0f} s -> docs/checks.tsv", flush=True)


def update_readme():
    known = last_lines()
    kept = [check for check in [*CHECKS, GPU] if check in known]
    groups = ((result, [f"{check} {known[check][0][:7]}" for check in kept if known[check][2] == result])
              for result in ("passed", "failed", "not-run"))
    lines = textwrap.fill("; ".join(f"{result}: {', '.join(items)}" for result, items in groups if items), 118,
                          break_on_hyphens=False)
    before, _, rest = README.read_text().partition(BEGIN)
    README.write_text(before + BEGIN + lines + "\n" + END + rest.partition(END)[2])


def run_one(check):
    print(f"== {check}: {' '.join(CHECKS[check])}", flush=True)
    environment = dict(os.environ)
    if check == "lint" and (since := last_passed("lint")):
        environment["TIDY_SINCE"] = since  # `make lint` checks the whole tree
    start = time.monotonic()
    passed = subprocess.run(CHECKS[check], cwd=ROOT, env=environment).returncode == 0
    record(check, "passed" if passed else "failed", time.monotonic() - start)
    return passed


def run_gpu(program):
    start = time.monotonic()
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    skipped = "[  PASSED  ] 0 tests" in done.stdout
    result = "failed" if done.returncode else "not-run" if skipped else "passed"
    record(GPU, result, time.monotonic() - start)
    return done.returncode == 0


def run(wanted):
    if git("status", "--porcelain", *NOT_CHECKED):
        sys.exit("Some changes are not committed. Commit them first, so that the record says what was checked.")
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
    for check in [*CHECKS, GPU]:
        if check not in known:
            print(f"{check:8} never recorded")
            good = good and check == GPU
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
    if arguments[:1] == ["gpu"] and len(arguments) == 2:
        return run_gpu(arguments[1])
    if arguments[:1] == ["record"] and len(arguments) == 4:
        return record(arguments[1], arguments[2], float(arguments[3])) is None
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
