"""Long calls: the GIL, progress, Ctrl-C, journals, threads; and that nothing leaks."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import wordsway

LONG = "wordsway.measure('raf', n=[400], d=256, trials=100000, data='sphere', journal=sys.argv[1])"


def interrupted(tmp_path, call, wait_for):
    """Runs the call, presses Ctrl-C once wait_for() is true, and says how long it went on."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import signal, sys, time, wordsway
            signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
            model = wordsway.load()
            open(sys.argv[1] + ".ready", "w").close()
            try:
                {call}
            except KeyboardInterrupt:
                print("stopped", time.monotonic())
            """
        )
    )
    journal = tmp_path / "journal.jsonl"
    process = subprocess.Popen([sys.executable, str(script), str(journal)], stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not wait_for(journal) and time.monotonic() < until and process.poll() is None:
        time.sleep(0.01)
    pressed = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    assert out.startswith("stopped"), out
    return float(out.split()[1]) - pressed, journal


def test_ctrl_c_ends_a_study_and_its_journal_is_whole(tmp_path):
    took, journal = interrupted(tmp_path, LONG, lambda file: file.exists() and file.read_text().count("\n") > 3)
    print(f"stopped after {took:.3f} s")
    lines = journal.read_text().splitlines()
    assert len(lines) > 3
    for line in lines:
        json.loads(line)
    with pytest.raises(EnoughSeen):  # it goes on where it was
        wordsway.measure("raf", n=[400], d=256, trials=100000, data="sphere", journal=journal, progress=stop_soon)
    after = journal.read_text().splitlines()
    assert after[: len(lines)] == lines and len(after) > len(lines)


def stop_soon(stage, done, total):
    raise EnoughSeen(done)


class EnoughSeen(Exception):
    pass


def test_ctrl_c_ends_words(tmp_path):
    call = "model.words(' '.join(['turn off the dark mode'] * 60), ball=True)"
    took, _ = interrupted(tmp_path, call, lambda file: os.path.exists(str(file) + ".ready") and time.sleep(0.3) is None)
    print(f"stopped after {took:.3f} s")


def test_what_progress_raises_comes_out_and_a_journal_goes_on(tmp_path):
    journal = tmp_path / "journal.jsonl"
    ask = dict(map="raf", n=[300], d=256, trials=300, data="sphere", journal=journal)
    with pytest.raises(EnoughSeen):
        wordsway.measure(**ask, progress=stop_soon)
    kept = len(journal.read_text().splitlines()) - 1
    assert 0 < kept < 300
    whole = wordsway.measure(**ask)
    assert len(whole) == 300
    assert any("300" in remark for remark in whole.remarks)


def test_progress_is_told(model):
    seen = []
    model.words(" ".join(["turn off the dark mode"] * 4), progress=lambda *event: seen.append(event))
    assert seen and all(isinstance(stage, str) and done <= total for stage, done, total in seen)


def test_a_bar_is_shown_where_tqdm_is(model, capfd):
    pytest.importorskip("tqdm")
    wordsway.measure("raf", n=[300], d=256, trials=60, data="sphere", progress=True)
    assert "measure" in capfd.readouterr().err


def test_other_threads_run_meanwhile(model):
    turns = 0
    ended = threading.Event()

    def work():
        wordsway.measure("raf", n=[300], d=256, trials=100, data="sphere")
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not ended.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 10


def test_two_models_in_two_threads(model, decoder):
    texts = [f"turn off the dark mode {k}" for k in range(30)]
    expected = model.encode(texts), decoder.hidden_states(texts[0])
    found = [None, None]
    faults = []

    def run(place, call):
        try:
            for _ in range(10):
                found[place] = call()
        except BaseException as error:  # noqa: BLE001
            faults.append(error)

    threads = [
        threading.Thread(target=run, args=(0, lambda: model.encode(texts))),
        threading.Thread(target=run, args=(1, lambda: decoder.hidden_states(texts[0]))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


X = np.random.default_rng(0).normal(size=(6, 8))


def test_ten_thousand_calls_leak_nothing(model):
    view = wordsway.view("raf", X, 0)

    def calls(count):
        for k in range(count):
            model.encode("hi")
            model.tokenize("turn off the dark mode")
            view.change(np.ones(8))
            wordsway.view("raf", X, 1)
            with pytest.raises(wordsway.UsageError):
                view.change(np.ones(3))

    calls(400)
    before = resident_bytes()
    calls(2000)  # of five each
    grown = resident_bytes() - before
    print(f"10,000 calls: {grown / 2**20:.1f} MiB more")
    # One array of 256 floats kept by each encode would be 2 MiB, one sample by each view likewise.
    assert grown < 1.5 * 2**20 + 2000 * 256


def test_loading_again_and_again_leaks_nothing():
    wordsway.load().close()
    before = resident_bytes()
    for _ in range(10):
        wordsway.load().close()
    assert resident_bytes() - before < 40 * 2**20  # a model has 21 MB of weights
