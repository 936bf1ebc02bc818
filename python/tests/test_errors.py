"""Wrong uses: the right exception with a sentence, never a crash."""

import numpy as np
import pytest

import wordsway
from wordsway import DataError, FileError, UsageError

X = np.random.default_rng(0).normal(size=(6, 8))
NAN = X.copy()
NAN[2, 3] = np.nan
ZERO = X.copy()
ZERO[1] = 0
VIEW = wordsway.view("raf", X, 0)


class Broken:
    def __array__(self, *_, **__):
        raise RuntimeError("no numbers today")


def closed():
    model = wordsway.load()
    model.close()
    return model


WRONG_WITHOUT_MODEL = [
    # name, call, exception, what the sentence says
    ("unknown map", lambda: wordsway.measure("rafe"), UsageError, "raf"),
    ("device that is none", lambda: wordsway.measure("raf", n=4, d=3, device="gpu"), UsageError, "there are: cpu, cuda"),
    ("device of a learner that is none", lambda: wordsway.generalize("raf", n=4, d=3, device="gpu"), UsageError, "there are: cpu, cuda"),
    ("device of another type", lambda: wordsway.load(device=3), UsageError, "device"),
    ("precision of the processor", lambda: wordsway.load(precision="bf16"), UsageError, "precision"),
    ("precision that is none", lambda: wordsway.load(device="cuda", precision="f8"), UsageError, "f32, tf32, bf16"),
    ("device that is not there", lambda: wordsway.load(device="cuda"), UsageError, "leave device cpu"),
    ("map of another type", lambda: wordsway.measure(3), UsageError, "map"),
    ("no map", lambda: wordsway.measure([]), UsageError, "map names nothing"),
    ("one dimension", lambda: wordsway.measure("raf", np.ones(5)), DataError, "got 1 dimensions"),
    ("four dimensions", lambda: wordsway.measure("raf", np.ones((2, 2, 2, 2))), DataError, "got 4 dimensions"),
    ("no rows", lambda: wordsway.measure("raf", np.ones((0, 4))), UsageError, "no numbers"),
    ("NaN", lambda: wordsway.measure("raf", NAN), DataError, "finite"),
    ("infinity", lambda: wordsway.measure("raf", X * np.inf), DataError, "finite"),
    ("zero row", lambda: wordsway.measure("raf", ZERO), DataError, "zero"),
    ("texts as numbers", lambda: wordsway.measure("raf", [["a", "b"]]), UsageError, "real numbers"),
    ("objects", lambda: wordsway.measure("raf", np.array([[object()]])), UsageError, "real numbers"),
    ("complex numbers", lambda: wordsway.measure("raf", X * 1j), UsageError, "complex"),
    ("ragged lists", lambda: wordsway.measure("raf", [[1.0, 2.0], [3.0]]), UsageError, "array"),
    ("broken __array__", lambda: wordsway.measure("raf", Broken()), UsageError, "no numbers today"),
    ("wrong shape of W", lambda: wordsway.measure("raf", X, W=np.ones((3, 3))), DataError, "8"),
    ("W of one dimension", lambda: wordsway.measure("raf", X, W=np.ones(8)), UsageError, "W must have two"),
    ("W and several sizes", lambda: wordsway.measure("raf", n=[4, 5], d=8, W=np.eye(8)), UsageError, "single result"),
    ("n below 1", lambda: wordsway.measure("raf", n=0), UsageError, "n must lie between 1"),
    ("n that is no number", lambda: wordsway.measure("raf", n="ten"), UsageError, "whole number"),
    ("n that is not whole", lambda: wordsway.measure("raf", n=2.5), UsageError, "whole number"),
    ("larger than X", lambda: wordsway.measure("raf", X, n=50), Exception, "50"),
    ("token out of range", lambda: wordsway.measure("raf", X, token=6), UsageError, "6"),
    ("token by a wrong name", lambda: wordsway.measure("raf", X, token="last"), UsageError, "first, all or a number"),
    ("negative radius", lambda: wordsway.measure("raf", X, radius=-1), UsageError, "radius"),
    ("radius NaN", lambda: wordsway.measure("raf", X, radius=float("nan")), UsageError, "radius"),
    ("unknown unit of the radius", lambda: wordsway.measure("raf", X, radius_unit="m"), UsageError, "sqrt-d"),
    ("no trials", lambda: wordsway.measure("raf", X, trials=0), UsageError, "trials"),
    ("seed below 0", lambda: wordsway.measure("raf", X, seed=-1), UsageError, "seed"),
    ("unknown keyword", lambda: wordsway.ask("measure", map="raf", bata=1), UsageError, "did you mean 'beta'"),
    ("unknown question", lambda: wordsway.ask("wrods"), UsageError, "wrods"),
    ("parameter of another map", lambda: wordsway.measure("raf", X, depth=3), UsageError, "depth"),
    ("parameter out of range", lambda: wordsway.measure("raf", X, beta=-1), UsageError, "beta"),
    ("X and data", lambda: wordsway.measure("raf", X, data="sphere"), UsageError, "contradict"),
    ("unknown data", lambda: wordsway.measure("raf", data="cube"), UsageError, "cube"),
    ("unknown way to hold weights", lambda: wordsway.measure("raf", X, random="lazy"), UsageError, "lazy"),
    ("journal in no folder", lambda: wordsway.measure("raf", X, journal="/nowhere/at/all.jsonl"), FileError, "nowhere"),
    ("too large", lambda: wordsway.measure("raf", n=10, d=64, data="sphere", memory=10), UsageError, "memory"),
    ("progress of a wrong kind", lambda: wordsway.measure("raf", X, progress=3), UsageError, "progress"),
    ("delta of a wrong size", lambda: VIEW.change(np.ones(7)), UsageError, "8"),
    ("delta NaN", lambda: VIEW.change(np.full(8, np.nan)), DataError, "delta"),
    ("delta of three dimensions", lambda: VIEW.change(np.ones((2, 2, 8))), UsageError, "dimensions"),
    ("psi of a wrong shape", lambda: VIEW.inner(np.ones((2, 2)), np.ones(8)), DataError, "2"),
    ("view of no token", lambda: wordsway.view("raf", X, 6), UsageError, "0 to 5"),
    ("labels that are not ±1", lambda: wordsway.generalize("raf", pool=np.ones((4, 3, 2)), labels=np.arange(4.0)),
     DataError, "1 or -1"),
    ("pool without labels", lambda: wordsway.generalize("raf", pool=np.ones((4, 3, 2))), UsageError, "labels"),
    ("X_train alone", lambda: wordsway.generalize("raf", X_train=np.ones((4, 3, 2))), UsageError, "belong together"),
    ("unknown training", lambda: wordsway.generalize("raf", n=4, d=4, training="none"), UsageError, "none"),
    ("folder that is not there", lambda: wordsway.load("/nowhere/model"), FileError, "nowhere"),
    ("name of the hub", lambda: wordsway.load("bert-base-uncased"), FileError, "downloads nothing"),
    ("folder without a model", lambda: wordsway.load("/tmp"), (FileError, DataError), "config.json"),
    ("path that is none", lambda: wordsway.load(3), UsageError, "path"),
    ("empty path", lambda: wordsway.load(""), UsageError, "path"),
    ("closed model", lambda: closed().encode("hello"), UsageError, "closed"),
    ("closed model, attribute", lambda: closed().num_layers, UsageError, "closed"),
    ("closed model, view", lambda: wordsway.view(closed(), X, 0), UsageError, "closed"),
    ("threads below 1", lambda: wordsway.set_threads(0), UsageError, "threads"),
    ("unknown preset", lambda: wordsway.pairs(len, preset="nobody"), UsageError, "nobody"),
    ("threshold without a unit", lambda: wordsway.pairs(len, threshold=0.8), UsageError, "of what"),
    ("threshold that no cosine has", lambda: wordsway.pairs(len, threshold=8, unit="cosine"), UsageError, "8"),
    ("embed that cannot be called", lambda: wordsway.pairs(3), UsageError, "embed must be"),
    ("embed of too few vectors", lambda: wordsway.pairs(lambda texts: np.ones((1, 3)), [("a", "b")]), DataError, "2 texts"),
    ("embed of zeros", lambda: wordsway.pairs(lambda texts: np.zeros((2, 3)), [("a", "b")]), DataError, "zero"),
    ("embed of NaN", lambda: wordsway.pairs(lambda texts: np.full((2, 3), np.nan), [("a", "b")]), DataError, "finite"),
    ("no pairs", lambda: wordsway.pairs(len, []), UsageError, "no pair"),
    ("pair of one", lambda: wordsway.pairs(len, [("a",)]), UsageError, "pairs\\[0\\]"),
    ("pair with an unknown key", lambda: wordsway.pairs(len, [{"a": 1}]), UsageError, "anchor"),
    ("empty anchor", lambda: wordsway.pairs(len, [("", "b")]), UsageError, "empty"),
    ("file of pairs that is not there", lambda: wordsway.pairs(len, "/nowhere.csv"), FileError, "nowhere"),
    ("no result of this name", lambda: wordsway.measure("raf", X).column("colour"), UsageError, "colour"),
    ("saving as what it is not", lambda: wordsway.measure("raf", X).save("x.docx"), UsageError, ".svg"),
    ("saving a picture of one number", lambda: wordsway.measure("raf", X).save("x.pdf"), UsageError, "no picture"),
    ("saving nowhere", lambda: wordsway.measure("raf", X).save("/nowhere/x.csv"), FileError, "nowhere"),
]  # fmt: skip

WRONG_WITH_MODEL = [
    ("number as text", lambda m: m.encode(3), UsageError, "text"),
    ("bytes as text", lambda m: m.encode(b"hello"), UsageError, "text"),
    ("number among texts", lambda m: m.encode(["a", 3]), UsageError, "sentences\\[1\\]"),
    ("half a character", lambda m: m.encode("\ud800"), UsageError, "surrogate"),
    ("unknown prompt", lambda m: m.encode("a", prompt_name="nobody"), UsageError, "nobody"),
    ("two prompts", lambda m: m.encode("a", prompt_name="q", prompt="p"), UsageError, "not both"),
    ("unknown precision", lambda m: m.encode("a", precision="int8"), UsageError, "float32"),
    ("unknown layer", lambda m: m.words("a b", layer=9), UsageError, "layers 0"),
    ("layer of a wrong kind", lambda m: m.words("a b", layer=1.5), UsageError, "layer"),
    ("logits of an encoder", lambda m: m.words("a b", layer="logits"), UsageError, "next word"),
    ("two ways to search", lambda m: m.words("a b", ball=True, fast=True), UsageError, "two ways"),
    ("unknown head", lambda m: m.attention("a", head=99), UsageError, "head"),
    ("unknown direction", lambda m: m.attention("a", token=0, direction="up"), UsageError, "attract"),
    ("token that is not there", lambda m: m.attention("a", token=99), UsageError, "99"),
    ("all layers where a token moves", lambda m: m.attention("a", layer="all", token=1), UsageError, "no token moves"),
    ("word that is not there", lambda m: m.substitute("a b", word="zebra"), UsageError, "zebra"),
    ("word and token", lambda m: m.substitute("a b", word="a", token=1), UsageError, "not both"),
    ("threshold without a vector", lambda m: m.substitute("a", threshold=0.9, unit="cosine"), UsageError, "pooled"),
    ("no candidates", lambda m: m.substitute("a", candidates=[]), UsageError, "no word"),
    ("layers of no token", lambda m: m.layers("a", token=50), UsageError, "out of range"),
    ("unknown layer direction", lambda m: m.layers("a", direction="sideways"), UsageError, "sideways"),
    ("generate with an encoder", lambda m: m.generate("a").text, DataError, "encoder|decoder|next word"),
    ("one prompt", lambda m: m.answers("a"), UsageError, "two prompts"),
    ("temperature below 0", lambda m: m.generate("a", temperature=-1), UsageError, "temperature"),
    ("unknown template", lambda m: m.generate("a", template="mine"), UsageError, "mine"),
    ("W for a model", lambda m: wordsway.view(m, X, 0, W=X), UsageError, "own weights"),
    ("X of another size than the model's", lambda m: wordsway.view(m, X, 0), DataError, "256"),
    ("prompt for a callable", lambda m: wordsway.pairs(m.encode, prompt="q: "), UsageError, "prompt"),
    ("model made by hand", lambda m: wordsway.Model(None), UsageError, "load"),
]  # fmt: skip


def test_there_are_enough_of_them():
    assert len(WRONG_WITHOUT_MODEL) + len(WRONG_WITH_MODEL) >= 40


def check(call, exception, sentence):
    with pytest.raises(exception, match=sentence) as caught:
        call()
    assert isinstance(caught.value, wordsway.Error), caught.value
    assert "--" not in str(caught.value) or "python -m wordsway" in str(caught.value)


@pytest.mark.parametrize("call, exception, sentence", [row[1:] for row in WRONG_WITHOUT_MODEL],
                         ids=[row[0] for row in WRONG_WITHOUT_MODEL])  # fmt: skip
def test_wrong_use(call, exception, sentence):
    check(call, exception, sentence)


@pytest.mark.parametrize("call, exception, sentence", [row[1:] for row in WRONG_WITH_MODEL],
                         ids=[row[0] for row in WRONG_WITH_MODEL])  # fmt: skip
def test_wrong_use_of_a_model(model, call, exception, sentence):
    check(lambda: call(model), exception, sentence)


def test_errors_are_what_people_catch():
    assert issubclass(UsageError, ValueError)
    assert issubclass(FileError, OSError)
    assert issubclass(wordsway.ResourceError, MemoryError)
