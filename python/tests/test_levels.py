"""A package has kernels for several instruction sets, and the system's loader takes the best:
docs/decisions/0015-levels.md."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import wordsway

PACKAGE = Path(wordsway.__file__).parent
LEVELS = sorted(path.name for path in PACKAGE.glob("lib/glibc-hwcaps/*"))
# What a machine must lack, so that the loader takes a lower level.
LACKING = {"x86-64-v4": "", "x86-64-v3": "-AVX512F", "x86-64-v2": "-AVX2"}

needs_levels = pytest.mark.skipif(not LEVELS, reason="this package was built for one machine (make wheel has all levels)")

ASK = """
import json, wordsway
model = wordsway.load()
found = wordsway.measure(["raf", "rf"], n=[10, 20], d=16, trials=2)
print(json.dumps([wordsway.kernels(), model.encode(["turn off the dark mode"]).tolist(), found.to_dict()["rows"]]))
"""


def on_machine(level, *command):
    """What the command prints where the machine is of this level, by what glibc is told of it."""
    environment = dict(os.environ, GLIBC_TUNABLES=f"glibc.cpu.hwcaps={LACKING[level]}" if LACKING[level] else "")
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def machine_levels():
    """Those of the package that this machine can run, best first."""
    known = subprocess.run(["ldd", "--version"], capture_output=True, text=True)
    loader = "/lib64/ld-linux-x86-64.so.2"
    if known.returncode != 0 or not os.path.exists(loader):
        return []
    listed = subprocess.run([loader, "--help"], capture_output=True, text=True).stdout
    return [level for level in LACKING if f"{level} (supported" in listed]


def test_the_version_names_the_kernels():
    text = subprocess.run([PACKAGE / "bin" / "wordsway", "--version"], capture_output=True, text=True, check=True).stdout
    assert text.startswith(f"wordsway {wordsway.__version__}\nkernels: {wordsway.kernels()} (")
    for level in LEVELS:
        assert level in text


@needs_levels
def test_the_best_level_is_taken():
    assert wordsway.kernels() == machine_levels()[0]


@needs_levels
@pytest.mark.parametrize("level", LACKING)
def test_a_lower_machine_takes_a_lower_level_with_the_same_numbers(level):
    if level not in machine_levels():
        pytest.skip(f"this machine cannot run {level}")
    assert f"kernels: {level} (" in on_machine(level, PACKAGE / "bin" / "wordsway", "--version")
    kernels, vectors, rows = json.loads(on_machine(level, sys.executable, "-c", ASK))
    assert kernels == level

    # The program of the same level gives the same bits ...
    flags = ["--map", "raf,rf", "--n", "10,20", "--d", "16", "--trials", "2", "--format", "json", "--quiet"]
    program = json.loads(on_machine(level, PACKAGE / "bin" / "wordsway", "measure", *flags))
    assert [row["sensitivity"] for row in rows] == [row["sensitivity"] for row in program["rows"]]
    # ... and another level the same numbers to rounding; searches to what they stop at (rf: an iteration that gains
    # 2e-4).
    np.testing.assert_allclose(vectors, wordsway.load().encode(["turn off the dark mode"]), rtol=0, atol=1e-5)
    here = wordsway.measure(["raf", "rf"], n=[10, 20], d=16, trials=2)
    np.testing.assert_allclose([row["sensitivity"] for row in rows], here.sensitivity, rtol=1e-3)
