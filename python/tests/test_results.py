"""Results: arrays, tables, pages, pictures, files."""

import csv
import json
import subprocess
import sys
import xml.dom.minidom
from pathlib import Path

import numpy as np
import pytest

import wordsway


@pytest.fixture(scope="module")
def results(model, decoder):
    pairs = [("enable it", "disable it", "switch it on", "state"), ("it is up", "it is <b>down</b>", "it runs", "state")]
    return {
        "words": model.words('turn off the "dark" <b>mode</b>'),
        "several words": model.words(["turn off", "love her"]),
        "substitute": model.substitute("turn off the mode", word="off", candidates=["on", "up"]),
        "attention": model.attention("I <3 her", token=2),
        "all attention": model.attention("I love her", layer="all", head="all"),
        "layers": model.layers("I love her smile"),
        "measure": wordsway.measure(["raf", "rf"], n=[8, 16, 32], d=16, trials=3, data="sphere"),
        "one": wordsway.measure("raf", np.random.default_rng(0).normal(size=(6, 8)), trials=1),
        "generalize": wordsway.generalize("raf", n=6, d=8, train_size=12, trials=2, data="sphere"),
        "pairs": wordsway.pairs(model, pairs, threshold=0.9, unit="cosine", max_false_merges=0.0),
        "answers": decoder.answers("I like it", "I hate it", max_new_tokens=6),
        "maps": wordsway.maps(),
    }


NAMES = ["words", "several words", "substitute", "attention", "all attention", "layers", "measure", "one", "generalize",
         "pairs", "answers", "maps"]  # fmt: skip
WITHOUT_PICTURE = {"substitute", "maps", "one"}


def test_columns_are_arrays(results):
    measured = results["measure"]
    assert measured.sensitivity.dtype == np.float64 and measured.sensitivity.shape == (18,)
    assert measured.n.dtype == np.int64 and measured.converged.dtype == bool
    assert np.isnan(results["substitute"].plausibility).all()
    assert list(results["words"].word)[:2] == ["turn", "off"]
    assert "sensitivity" in dir(measured)
    with pytest.raises(AttributeError):
        measured.colour


@pytest.mark.parametrize("name", NAMES)
def test_prints_as_a_table_and_shows_as_a_page(results, name):
    result = results[name]
    assert repr(result)
    page = result._repr_html_()
    assert "<b>mode</b>" not in page and "<b>down</b>" not in page and "<script" not in page
    json.dumps(result.to_dict())


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_svg_without_other_programs(results, name, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    target = tmp_path / "x.svg"
    if name in WITHOUT_PICTURE:
        with pytest.raises(wordsway.UsageError, match="no picture"):
            results[name].save(target)
        return
    results[name].save(target)
    document = xml.dom.minidom.parse(str(target))
    assert document.documentElement.tagName == "svg"
    text = target.read_text()
    assert "prefers-color-scheme" in text and ">nan<" not in text
    results[name].save(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text() == text


def test_pictures_are_written_for_paper(results, tmp_path):
    results["measure"].save(tmp_path / "x.tex")
    assert "\\begin{tikzpicture}" in (tmp_path / "x.tex").read_text(encoding="utf-8")
    for kind, begin in (("pdf", b"%PDF"), ("png", b"\x89PNG")):
        try:
            results["measure"].save(tmp_path / f"x.{kind}")
        except wordsway.UsageError as error:
            assert "librsvg" in str(error) and ".svg" in str(error)  # it is not installed
        else:
            assert (tmp_path / f"x.{kind}").read_bytes().startswith(begin)


def test_several_pictures_share_a_page(results):
    page = results["measure"]._repr_html_() + results["words"]._svg() + results["layers"]._repr_html_()
    assert page.count("<svg") == 3 and " id=" not in page


@pytest.mark.parametrize("name", NAMES)
def test_files(results, name, tmp_path):
    result = results[name]
    for kind in ("json", "csv", "html"):
        result.save(tmp_path / f"x.{kind}")
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    with open(tmp_path / "x.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if name != "all attention":
        assert len(rows) == len(result.rows) + 1
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>") and "http://" not in page.replace("http://www.w3.org", "")


@pytest.mark.parametrize("name", NAMES)
def test_data_frames(results, name):
    pytest.importorskip("pandas")
    frame = results[name].to_pandas()
    assert len(frame) == len(results[name].rows)


def test_verdicts(results):
    audit = results["pairs"]
    assert audit.passed is False and "merge" in audit.failures
    with pytest.raises(AssertionError):
        audit.raise_if_failed()
    assert "<testsuite" in audit.to_junit()
    assert audit.to_dict()["verdict"]["passed"] is False


def test_a_file_appears_whole(results, tmp_path):
    results["measure"].save(tmp_path / "x.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def test_the_program_comes_along(tmp_path):
    done = subprocess.run([sys.executable, "-m", "wordsway", "--version"], capture_output=True, text=True, check=True)
    assert wordsway.__version__ in done.stdout
    script = Path(sys.executable).parent / "wordsway"
    if script.exists():
        done = subprocess.run([script, "words", "hello there", "--format", "json"], capture_output=True, text=True)
        assert [row["word"] for row in json.loads(done.stdout)["rows"]] == ["hello", "there"]
    done = subprocess.run([sys.executable, "-m", "wordsway", "nonsense"], capture_output=True, text=True)
    assert done.returncode == 2


def test_importing_loads_little():
    code = "import sys, numpy; before = set(sys.modules); import wordsway; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"pandas", "torch", "tqdm", "IPython", "matplotlib"} & set(done.stdout.split())


def test_the_package_is_typed():
    folder = Path(wordsway.__file__).parent
    assert (folder / "py.typed").exists() and "class Model" in (folder / "_core.pyi").read_text()
