"""Models that are loaded once, and the program whose numbers are compared with."""

import json
import os
import subprocess
from pathlib import Path

import pytest

import wordsway

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def model():
    return wordsway.load()


@pytest.fixture(scope="session")
def decoder():
    return wordsway.load("builtin-decoder")


@pytest.fixture(scope="session")
def decoder_folder():
    return Path(wordsway.__file__).parent / "share" / "wordsway" / "models" / "builtin-decoder"


@pytest.fixture(scope="session")
def run_program():
    """The program that `make build` made, else that of the package."""
    program = os.environ.get("WORDSWAY_PROGRAM", str(Path(wordsway.__file__).parent / "bin" / "wordsway"))

    def run(*arguments, format="json"):
        command = [program, *map(str, arguments), "--format", format, "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout) if format == "json" else done.stdout

    return run


def without_time(rows):
    """Rows without what differs from run to run."""
    return [{key: value for key, value in row.items() if key not in ("seconds", "tokens_per_second")} for row in rows]
