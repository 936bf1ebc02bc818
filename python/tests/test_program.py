"""The program that comes with the package, as `python -m wordsway` and the script `wordsway` start it."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import wordsway

PACKAGE = Path(wordsway.__file__).parent
COMMAND = [sys.executable, "-m", "wordsway"]


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch):
    monkeypatch.delenv("WORDSWAY_DATA", raising=False)


def test_its_models_are_those_of_the_package():
    listed = subprocess.run([*COMMAND, "list", "models", "--format", "csv"], capture_output=True, text=True, check=True).stdout
    for name in ("builtin", "builtin-decoder"):
        assert f"{PACKAGE / 'share/wordsway/models' / name}\n" in listed.replace('"', "")
    assert "relu-seed-1" not in listed  # twelve encoders that one figure needs


def test_reproduce_leaves_out_the_figure_whose_models_are_not_in_the_package():
    figures = subprocess.run([*COMMAND, "list", "figures", "--format", "csv"], capture_output=True, text=True, check=True)
    assert "the figure trained-normalisers is left out" in figures.stderr
    assert "trained-normalisers," not in figures.stdout and "raf-relu," in figures.stdout
    asked = subprocess.run([*COMMAND, "reproduce", "trained-normalisers", "--dry-run"], capture_output=True, text=True)
    assert asked.returncode == 4 and "was not found; looked in" in asked.stderr


def test_serve_answers_with_the_libraries_of_the_package():
    server = subprocess.Popen([*COMMAND, "serve", "--no-open", "--quiet"], stdout=subprocess.PIPE, text=True)
    try:
        address = server.stdout.readline().split("#")[0].strip()
        with urllib.request.urlopen(address, timeout=30) as page:
            assert page.status == 200 and b"<html" in page.read()
        loaded = {line.split()[-1] for line in Path(f"/proc/{server.pid}/maps").read_text().splitlines() if ".so" in line}
        for library in PACKAGE.glob("lib/*.so*"):  # of the kernels a higher level may be there instead
            assert any(path.startswith(str(PACKAGE)) and path.endswith("/" + library.name) for path in loaded), library.name
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=30)
