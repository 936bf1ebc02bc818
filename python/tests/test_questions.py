"""Every question is a function whose keywords are what the question declares."""

import inspect

import numpy as np
import pytest

import wordsway
from wordsway._ask import default_of, questions


def functions():
    import importlib

    return importlib.import_module("wordsway._questions")


def test_functions_have_the_keywords_of_the_program(run_program):
    rows = run_program("list", "questions")["rows"]
    assert len(rows) >= 12
    for row in rows:
        parameters = inspect.signature(getattr(functions(), row["name"])).parameters
        declared = {field["python"] for field in row["fields"] if field["python"]}
        assert set(parameters) == declared | {"progress"}, row["name"]


def test_defaults_are_those_of_the_program():
    table = questions()
    for name, question in table.items():
        parameters = inspect.signature(getattr(functions(), name)).parameters
        for keyword, field in question["fields"].items():
            assert parameters[keyword].default == default_of(field), f"{name}({keyword}=)"


def test_methods_of_a_model_are_those_questions_that_ask_about_one():
    with_model = {name for name, one in questions().items() if any(f["kind"] == "model" for f in one["fields"].values())}
    assert with_model <= {name for name in dir(wordsway.Model) if not name.startswith("_")}


def test_every_keyword_is_explained():
    for name, question in questions().items():
        page = inspect.getdoc(getattr(functions(), name))
        for keyword in question["fields"]:
            assert f"{keyword}: " in page, f"{name}({keyword}=)"


def test_ask_gives_what_the_function_gives(model):
    asked = wordsway.ask("words", texts="turn it off", model=model)
    assert isinstance(asked, wordsway.Words)
    assert asked.rows == model.words("turn it off").rows


def test_attention_of_all_layers_of_several_texts(model):
    found = model.attention(["turn it off", "it"], layer="all", head="all")
    one, two = (entry.array for entry in found.results)
    assert one.shape[:2] == two.shape[:2] == (model.num_layers, model.num_heads)
    assert np.allclose(one.sum(axis=-1), 1, atol=1e-5)


def test_a_default_that_is_written_out_changes_nothing():
    assert wordsway.measure("raf", n=5, d=4, trials=1, data="sphere", layer="last").sensitivity.shape == (1,)
    with pytest.raises(wordsway.UsageError, match="layer"):
        wordsway.measure("raf", n=5, d=4, trials=1, data="sphere", layer=2)
