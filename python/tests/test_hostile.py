"""Hostile use: forks, odd file names, huge numbers, masked arrays, callbacks that change lists, shared streams,
locales."""

import copy
import json
import os
import pickle
import subprocess
import sys
import textwrap
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import wordsway
from wordsway import DataError, UsageError

X = np.random.default_rng(0).normal(size=(6, 8))
MASKED = np.ma.masked_array(X, mask=X > 1.5)


def python(code, timeout=120):
    """Runs a script of its own: what a child does at its end must not disturb the tests."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=timeout)


def test_a_forked_child_ends_normally():
    done = python(
        """
        import os, sys, wordsway
        model = wordsway.load()
        model.encode(["turn off the dark mode"] * 64)
        for _ in range(5):
            child = os.fork()
            if child == 0:
                sys.exit(0)
            assert os.waitpid(child, 0)[1] == 0
        """
    )
    assert done.returncode == 0, done.stderr


def test_a_forked_child_computes():
    done = python(
        """
        import os, signal, threading, wordsway
        wordsway.set_threads(8)
        model = wordsway.load()
        callers = [threading.Thread(target=model.encode, args=(["turn off the dark mode"] * 64,)) for _ in range(3)]
        for one in callers: one.start()
        for one in callers: one.join()
        ask = dict(n=[60], d=64, trials=4, data="sphere")
        expected = wordsway.measure("raf", **ask).sensitivity
        for _ in range(10):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                found = wordsway.measure("raf", **ask).sensitivity
                os._exit(0 if (found == expected).all() else 3)
            assert os.waitpid(child, 0)[1] == 0
        """
    )
    assert done.returncode == 0, done.stderr


def test_a_stream_stays_with_its_process():
    done = python(
        """
        import os, signal, sys, wordsway
        stream = wordsway.load("builtin-decoder").generate("the film was", max_new_tokens=2000)
        next(stream)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                next(stream)
            except wordsway.UsageError as error:
                del stream
                sys.exit(0 if "process" in str(error) else 2)
            sys.exit(1)
        assert os.waitpid(child, 0)[1] == 0
        stream.close()
        """
    )
    assert done.returncode == 0, done.stderr


class BytesPath:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return os.fsencode(self.path)


def test_paths_of_bytes_are_paths(tmp_path):
    journal = BytesPath(tmp_path / "j.jsonl")
    wordsway.measure("raf", X, journal=journal)
    assert (tmp_path / "j.jsonl").exists()
    with pytest.raises(wordsway.FileError, match="nowhere"):
        wordsway.load(BytesPath("/nowhere/model"))


@pytest.mark.parametrize(
    "call",
    [
        lambda path: wordsway.measure("raf", X, journal=path),
        lambda path: wordsway.load(path),
        lambda path: wordsway.pairs(len, path),
        lambda path: wordsway.measure("raf", X).save(path),
        lambda path: wordsway.words("a b", model=path),
    ],
)
def test_no_path_holds_nul_or_half_a_character(call, tmp_path):
    with pytest.raises(UsageError, match="NUL"):
        call(str(tmp_path / "a\0b.jsonl"))
    with pytest.raises(UsageError, match="surrogate"):
        call(str(tmp_path / "a\ud800b.jsonl"))
    assert list(tmp_path.iterdir()) == []


def test_names_of_files_need_not_be_utf8(tmp_path):
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl")
    first = wordsway.measure("raf", X, journal=name)
    again = wordsway.measure("raf", X, journal=Path(name))
    assert os.path.exists(name) and len(again) == len(first)
    with pytest.raises(wordsway.Error) as caught:
        wordsway.load(os.fsdecode(b"/nowhere/caf\xe9"))
    assert "caf" in str(caught.value)


HUGE = [
    ("whole number", lambda: wordsway.measure("raf", n=10**400)),
    ("seed", lambda: wordsway.measure("raf", X, seed=10**400)),
    ("seed of 5,000 digits", lambda: wordsway.view("raf", X, seed=10**5000)),
    ("radius", lambda: wordsway.measure("raf", X, radius=10**400)),
    ("fraction", lambda: wordsway.measure("raf", X, radius=Fraction(10**400))),
    ("list of them", lambda: wordsway.measure("raf", n=[4, 10**400], d=4)),
    ("parameter of a map", lambda: wordsway.measure("raf", X, beta=10**400)),
    ("array of objects", lambda: wordsway.measure("raf", [[10**400, 1.0]])),
    ("array for one value", lambda: wordsway.measure("raf", X, radius=np.ones((2, 2)))),
    ("array for a flag", lambda: wordsway.words("a b", ball=np.ones(2))),
    ("array for a text", lambda: wordsway.measure(np.array(["raf", "rf"]).reshape(1, 2), X)),
]


@pytest.mark.parametrize("call", [row[1] for row in HUGE], ids=[row[0] for row in HUGE])
def test_numbers_that_nothing_can_hold(call):
    with pytest.raises(UsageError):
        call()


def test_an_array_of_no_dimension_is_a_number():
    one = wordsway.measure("raf", X, radius=np.array(0.5), seed=np.array(3))
    assert one.rows[0]["sensitivity"] == wordsway.measure("raf", X, radius=0.5, seed=3).rows[0]["sensitivity"]


def test_masked_entries_have_no_value():
    with pytest.raises(UsageError, match="masked"):
        wordsway.measure("raf", MASKED)
    with pytest.raises(UsageError, match="masked"):
        wordsway.pairs(lambda texts: np.ma.masked_equal(np.eye(2), 1), [("a", "b")])
    with pytest.raises(UsageError, match="masked"):
        wordsway.pairs(lambda texts: list(np.ma.masked_equal(np.eye(2), 1)), [("a", "b")])
    nothing_hidden = np.ma.masked_array(X, mask=False)
    assert wordsway.measure("raf", nothing_hidden).rows[0]["sensitivity"] == wordsway.measure("raf", X).rows[0]["sensitivity"]


def test_the_smallest_numbers_are_scaled_like_others():
    # A power of 2, so that scaling rows to sqrt(d) gives the same X.
    signs = np.where(X > 0, 1.0, -1.0)
    small = wordsway.measure("raf", signs * 2.0**-1070, normalise=True)
    assert small.rows[0]["sensitivity"] == pytest.approx(wordsway.measure("raf", signs, normalise=True).rows[0]["sensitivity"])


def test_an_embed_that_sorts_its_list_is_refused():
    def embed(texts):
        texts.sort()
        return np.eye(len(texts))

    with pytest.raises(DataError, match="changed the list"):
        wordsway.pairs(embed, [("b", "a"), ("d", "c")])


def test_a_stream_closed_by_another_thread_ends(decoder):
    for _ in range(3):
        stream = decoder.generate("the film was", max_new_tokens=100000)
        next(stream)
        faults, pieces = [], []

        def read():
            try:
                pieces.extend(stream)
            except BaseException as error:  # noqa: BLE001
                faults.append(error)

        readers = [threading.Thread(target=read) for _ in range(3)]
        for one in readers:
            one.start()
        stream.close()
        for one in readers:
            one.join(60)
            assert not one.is_alive()
        assert faults == []


def test_results_can_be_copied_and_pickled(model):
    pairs = [("the film was good", "the film was bad"), ("turn it on", "turn it off")]
    results = [
        wordsway.measure("raf", X),
        model.words("the film was good", seed=2),
        model.attention("the film was good"),
        model.pairs(pairs, threshold=0.9, unit="cosine"),
        wordsway.pairs(lambda texts: np.eye(len(texts)), pairs),
    ]
    for result in results:
        for twin in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            assert type(twin) is type(result)
            assert repr(twin) == repr(result)
            assert twin._repr_html_() == result._repr_html_()
            assert json.dumps(twin.to_dict(), default=str) == json.dumps(result.to_dict(), default=str)


def test_other_locales_change_nothing():
    done = python(
        """
        import locale, os, subprocess, tempfile
        import numpy as np
        folder = tempfile.mkdtemp()
        for name in ("de_DE", "tr_TR"):
            made = subprocess.run(["localedef", "-i", name, "-f", "UTF-8", f"{folder}/{name}.UTF-8"], capture_output=True)
            if made.returncode > 1:
                print("skip", made.stderr.decode())
                raise SystemExit
        import wordsway
        X = np.random.default_rng(0).normal(size=(6, 8))
        pairs = [("turn it on", "turn it off")]
        model = wordsway.load()

        def everything():
            return (repr(model.words("the film was good", seed=2)).encode(),
                    wordsway.measure("raf", X, beta=1.5).to_dict(), repr(wordsway.measure("rf", n=[4, 8], d=8)).split("\\n")[0].split(),
                    repr(model.pairs(pairs, threshold=0.95, unit="cosine")), wordsway.maps().rows)

        def without_seconds(value):
            for row in value[1]["rows"]:
                row.pop("seconds", None)
            return value

        before = without_seconds(everything())
        os.environ["LOCPATH"] = folder
        for name in ("de_DE.UTF-8", "tr_TR.UTF-8"):
            locale.setlocale(locale.LC_ALL, name)
            assert locale.localeconv()["decimal_point"] == ","
            assert without_seconds(everything()) == before, name
        """
    )
    if done.stdout.startswith("skip"):
        pytest.skip("no localedef with de_DE and tr_TR (Debian: locales): " + done.stdout[5:])
    assert done.returncode == 0, done.stderr
