"""A question that was dropped into its folder is a typed function, without another line (tests/registry_dropin)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wordsway

SESSION = """
import inspect, json, wordsway
model = wordsway.load()
rows = wordsway.order("The dog bit the man.", draws=5)
refused = ""
try:
    wordsway.order("a b", draws=0)
except wordsway.UsageError as error:
    refused = str(error)
print(json.dumps({"rows": rows.rows, "of_model": model.order("The dog bit the man.", draws=5).rows, "refused": refused,
                  "help": inspect.getdoc(wordsway.order), "keywords": list(inspect.signature(wordsway.order).parameters)}))
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    built = os.environ.get("WORDSWAY_DROPIN")
    if built is None:
        pytest.skip("scripts/python.sh builds the module with the question")
    folder = tmp_path_factory.mktemp("dropin")
    package = folder / "wordsway"
    shutil.copytree(Path(wordsway.__file__).parent, package, ignore=shutil.ignore_patterns("_core*", "__pycache__"))
    for file in Path(built).iterdir():
        if file.is_file():
            shutil.copy(file, package)
    run = subprocess.run([sys.executable, "-c", SESSION], env={**os.environ, "PYTHONPATH": str(folder)}, cwd=folder,
                         capture_output=True, text=True, check=False)  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_it_answers(session):
    assert session["rows"] == session["of_model"]
    assert session["rows"][0]["words"] == 5
    assert 0.2 < session["rows"][0]["least"] <= session["rows"][0]["cosine"] < 0.99999


def test_it_checks_and_explains(session):
    assert session["refused"].startswith("draws must lie between 1 and 1000")
    assert "How many random orders of the words to try" in session["help"]
    assert {"texts", "model", "draws", "seed", "journal"} <= set(session["keywords"])
