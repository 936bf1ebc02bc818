"""The code of docs/python.md and of the notebook is run."""

import json
import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT


def tasks():
    """The blocks of every task of the page, in order."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    parts = page.split("<!-- task -->")[1:]
    return ["\n".join(re.findall(r"^```python\n(.*?)^```", part, re.S | re.M)) for part in parts]


@pytest.mark.parametrize("number", range(5))
def test_tasks_of_the_page_run(number, tmp_path):
    code = tasks()[number]
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in re.findall(r'save\("(.*?)"\)', code):
        assert (tmp_path / name).stat().st_size > 100


def test_every_block_belongs_to_a_task():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert len(tasks()) == 5
    assert page.count("```python") == sum(part.count("```python") for part in page.split("<!-- task -->")[1:])


NOTEBOOK = ROOT / "examples" / "python" / "word_sensitivity.ipynb"


def test_the_notebook_has_outputs():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert all(cell["outputs"] for cell in cells if cell["cell_type"] == "code" and "import" not in "".join(cell["source"]))


def test_the_notebook_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(str(NOTEBOOK), as_version=4)
    os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
