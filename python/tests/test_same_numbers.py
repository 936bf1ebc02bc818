"""For the same seed, the numbers of the program, to the last bit."""

import json

import numpy as np
import pytest

import wordsway
from conftest import without_time

TEXT = "turn off the dark mode before you leave"


@pytest.mark.parametrize(
    "arguments, options",
    [
        (["--map", "raf", "--n", "10,20,40", "--d", "64"], {"map": "raf", "n": [10, 20, 40], "d": 64}),
        (["--map", "rf,drf", "--n", "12", "--d", "32", "--trials", "2", "--depth", "2,3", "--data", "sphere"],
         {"map": ["rf", "drf"], "n": 12, "d": 32, "trials": 2, "depth": [2, 3], "data": "sphere"}),
        (["--map", "raf", "--n", "16", "--d", "24", "--token", "all", "--trials", "2", "--seed", "7", "--beta", "2",
          "--typical", "5"],
         {"map": "raf", "n": 16, "d": 24, "token": "all", "trials": 2, "seed": 7, "beta": 2, "typical": 5}),
    ],
)  # fmt: skip
def test_measure(run_program, arguments, options):
    there = run_program("measure", *arguments)
    here = wordsway.measure(**options)
    assert without_time(here.rows) == without_time(there["rows"])
    assert here.to_dict()["fits"] == there["fits"]
    assert here.to_dict()["config"] == there["config"]


def test_measure_of_ones_own_arrays(run_program, tmp_path):
    draw = np.random.default_rng(3)
    X, W = draw.normal(size=(12, 20)), draw.normal(size=(20, 20)) / np.sqrt(20)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "W.npy", W)
    delta = tmp_path / "delta.npy"
    there = run_program("measure", "--map", "raf", "--x", tmp_path / "X.npy", "--weights", tmp_path / "W.npy",
                        "--token", "4", "--delta-out", delta)  # fmt: skip
    here = wordsway.measure("raf", X, W=W, token=4)
    assert without_time(here.rows) == without_time([there])
    assert np.array_equal(here.delta, np.load(delta))


def test_generalize(run_program):
    there = run_program("generalize", "--map", "raf,rf", "--n", "8", "--d", "16", "--train-size", "20", "--trials", "2")
    here = wordsway.generalize(["raf", "rf"], n=8, d=16, train_size=20, trials=2)
    assert without_time(here.rows) == without_time(there["rows"])


def test_words(model, run_program):
    assert model.words(TEXT).to_dict() == {"config": model.words(TEXT).config, **run_program("words", TEXT)}
    two = model.words([TEXT, "I love her smile"], layer="pooled")
    assert two.rows == run_program("words", TEXT, "I love her smile", "--layer", "pooled")["rows"]


def test_substitute(model, run_program):
    asked = ["--word", "off", "--candidates", "plausible", "--evaluations", "40", "--top", "3"]
    here = model.substitute(TEXT, word="off", candidates="plausible", evaluations=40, top=3)
    assert here.rows == run_program("substitute", TEXT, *asked)


def test_layers_and_attention(model, run_program):
    assert model.layers("I love her smile", token=2).rows == run_program("layers", "I love her smile", "--token", 2)
    asked = ["attention", "I love her smile", "--layer", 2, "--head", 1, "--token", 2, "--direction", "noise"]
    here = model.attention("I love her smile", layer=2, head=1, token=2, direction="noise")
    assert here.to_dict() == run_program(*asked)


def test_all_attention_is_the_file_of_the_program(model, run_program, tmp_path):
    run_program("attention", TEXT, "--layer", "all", "--head", "all", "--out", tmp_path / "A.npy")
    assert np.array_equal(model.attention(TEXT, layer="all", head="all").array, np.load(tmp_path / "A.npy"))


def test_tokenize(model, run_program):
    assert model.tokenize(TEXT).to_dict() == run_program("tokenize", TEXT)


def test_encode_and_hidden_states(model, run_program, tmp_path):
    texts = tmp_path / "texts.txt"
    lines = [f"{TEXT} {k}" for k in range(40)]
    texts.write_text("\n".join(lines) + "\n")
    run_program("embed", "-i", texts, "--pool", "model", "--out", tmp_path / "E.npy")
    assert np.array_equal(model.encode(lines), np.load(tmp_path / "E.npy"))
    run_program("embed", TEXT, "--layer", 2, "--out", tmp_path / "H.npy")
    assert np.array_equal(model.hidden_states(TEXT)[2], np.load(tmp_path / "H.npy"))


def test_measure_of_a_model(model, run_program, tmp_path):
    delta = tmp_path / "delta.npy"
    asked = ["measure", "-m", "builtin", "I love", "--token", 1, "--layer", 1, "--starts", 2, "--delta-out", delta]
    here = model.measure("I love", token=1, layer=1, starts=2)
    assert without_time(here.rows) == without_time([run_program(*asked)])
    assert np.array_equal(here.delta, np.load(delta))


def test_pairs(model, run_program, tmp_path):
    own = tmp_path / "own.jsonl"
    rows = [{"anchor": a, "changed": b, "control": c, "class": k} for a, b, c, k in wordsway.builtin_pairs()[::40]]
    own.write_text("".join(json.dumps(row) + "\n" for row in rows))
    there = run_program("pairs", own, "--threshold", 0.9, "--unit", "cosine", "--min-kept", 0.5)
    here = wordsway.pairs(model, own, threshold=0.9, unit="cosine", min_kept=0.5)
    assert here.to_dict() == there
    assert here.passed is there["verdict"]["passed"]


def test_pairs_of_any_callable_are_those_of_vectors(model, run_program, tmp_path):
    own = tmp_path / "own.csv"
    own.write_text("anchor,changed,control\nenable it,disable it,switch it on\nit is up,it is down,it runs\n")
    np.save(tmp_path / "V.npy", model.encode(["enable it", "disable it", "switch it on", "it is up", "it is down", "it runs"]))
    there = run_program("pairs", own, "--vectors", tmp_path / "V.npy", "--preset", "redisvl")
    here = wordsway.pairs(model.encode, own, preset="redisvl")
    assert here.to_dict() == there


def test_generate_and_answers(decoder, decoder_folder, run_program):
    prompt = "Review: I have rarely seen a film as good as this one."
    there = run_program("generate", prompt, "-m", decoder_folder, "--max-new-tokens", 12)
    stream = decoder.generate(prompt, max_new_tokens=12)
    pieces = list(stream)
    there = there[0] if isinstance(there, list) else there
    assert "".join(pieces) == there["text"]
    assert without_time([stream.to_dict()]) == without_time([there])
    drawn = decoder.generate(prompt, max_new_tokens=12, temperature=0.9, top_p=0.9, seed=5)
    there = run_program("generate", prompt, "-m", decoder_folder, "--max-new-tokens", 12, "--temperature", 0.9,
                        "--top-p", 0.9, "--seed", 5)  # fmt: skip
    there = there[0] if isinstance(there, list) else there
    assert drawn.text == there["text"]
    there = run_program("answers", "-m", decoder_folder, "--max-new-tokens", 8)
    here = decoder.answers(max_new_tokens=8)
    assert here.divergence.tolist() == there["divergence"]
    assert here.words == there["words"]
    assert without_time([here.a, here.b]) == without_time([there["a"], there["b"]])


def test_threads_change_nothing(model):
    before = model.words(TEXT).rows
    try:
        wordsway.set_threads(1)
        assert model.words(TEXT).rows == before
    finally:
        import os

        wordsway.set_threads(os.cpu_count() or 1)
