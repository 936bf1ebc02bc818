#!/usr/bin/env python3
"""Uses the program for a long time, unkindly, and says whether anything leaks or is lost.

    scripts/soak.py [--minutes 30] [--trials 10000] [--program build/release/bin/wordsway] [--seed 1]

First `serve` answers eight clients that send requests of every kind, some malformed, and drop every fourth connection
at a random moment. Every answer must have the status that its request deserves, the server must answer at the end as
it did at the beginning, and its memory must not grow. Then `measure` makes a journal of many trials while it is
killed every few seconds: at the end every trial must be there once, with the rows of a run that nobody disturbed.
"""

import argparse
import http.client
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLIENTS = 8
WORDS = "the film was not very good but i would gladly see it again turn off dark mode please".split()


def text(draw):
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, 12)))


def requests(draw):
    """Endpoint, body, and the statuses that are right; 409 is for a request that a newer one of the tab replaced."""
    return [
        ("tokenize", {"text": text(draw)}, {200}),
        ("words", {"text": text(draw), "ball": "none", "seed": draw.randint(1, 99)}, {200, 409}),
        ("substitute", {"text": text(draw) + " film", "word": "film", "evaluations": 64}, {200, 409, 400}),
        ("layers", {"text": text(draw), "draws": 1, "move": "noise"}, {200, 409, 400}),
        ("attention", {"text": text(draw), "layer": "1", "head": "mean"}, {200, 409}),
        ("pairs", {"a": text(draw), "b": text(draw), "threshold": 0.9, "unit": "cosine"}, {200, 409}),
        ("measure", {"map": "raf", "n": [5, 10], "d": 16, "trials": 2, "seed": draw.randint(1, 99)}, {200, 409}),
        ("generate", {"prompt": text(draw), "max_new_tokens": 8}, {200, 409}),
        ("words", {"text": 3}, {400}),
        ("words", {"text": text(draw), "nonsense": 1}, {400}),
        ("measure", {"map": "no-such-map"}, {400}),
        ("nowhere", {}, {404}),
    ]


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve", "--no-open", "--port", "0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        address = self.process.stdout.readline().strip()
        self.host, _, self.token = address.removeprefix("http://").partition("/#")

    def ask(self, endpoint, body, tab, drop_after=None):
        """The status and the answer; None where the connection was dropped."""
        connection = http.client.HTTPConnection(self.host, timeout=120)
        headers = {"X-Wordsway-Token": self.token, "Content-Type": "application/json", "X-Wordsway-Tab": tab}
        if drop_after is not None:
            headers["Accept"] = "text/event-stream"
        try:
            connection.request("POST", f"/api/{endpoint}", json.dumps(body), headers)
            if drop_after is not None:
                time.sleep(drop_after)
                return None, None
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def memory(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0


def soak_server(program, minutes, seed):
    server = Server(program)
    end = time.monotonic() + 60 * minutes
    faults, counts = [], {}
    lock = threading.Lock()
    fixed = ("words", {"text": "the film was not good", "ball": "none"})
    before = server.ask(*fixed, "first")[1]

    def client(number):
        draw = random.Random(f"{seed} {number}")
        while time.monotonic() < end and not faults:
            endpoint, body, right = draw.choice(requests(draw))
            drop_after = draw.uniform(0, 0.3) if draw.random() < 0.25 else None
            try:
                status, answer = server.ask(endpoint, body, f"tab{number}", drop_after)
            except OSError as error:
                status, answer = f"{type(error).__name__}: {error}", b""
            with lock:
                kind = "dropped" if drop_after is not None and status is None else str(status)
                counts[kind] = counts.get(kind, 0) + 1
                if status is not None and status not in right | {503}:
                    faults.append(f"/api/{endpoint} with {body} was answered with {status}: {answer[:300]!r}")

    clients = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    for one in clients:
        one.start()
    time.sleep(min(60, 60 * minutes / 3))  # every model is loaded and every cache filled by then
    early = server.memory()
    for one in clients:
        one.join()
    late = server.memory()
    after = server.ask(*fixed, "last")[1]
    server.process.send_signal(signal.SIGINT)
    code = server.process.wait(60)
    print(f"serve: {sum(counts.values())} requests in {minutes:g} minutes, by answer: "
          + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))
          + f"; memory {early:.0f} MB early, {late:.0f} MB late", flush=True)
    if before != after:
        faults.append("the same request got another answer at the end")
    if late > 1.1 * early + 30:
        faults.append(f"memory grew from {early:.0f} to {late:.0f} MB")
    if code != 130:
        faults.append(f"the server ended with {code} after SIGINT")
    return faults


def soak_journal(program, trials, seed):
    study = [program, "measure", "--map", "raf,rf", "--n", "5,10", "--d", "16", "--trials", str(trials // 4), "--data", "sphere",
             "--seed", str(seed), "--quiet", "--format", "json"]
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        journal = pathlib.Path(folder) / "run.jsonl"
        kills = 0
        while True:
            run = subprocess.Popen([*study, "--out", str(journal)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                said = run.communicate(timeout=draw.uniform(0.05, 1))[1]
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                kills += 1
                continue
            if run.returncode != 0:
                return [f"measure ended with {run.returncode}: {said}"]
            break
        whole = subprocess.run(study, capture_output=True, text=True, check=True).stdout
        rows = [json.loads(line) for line in journal.read_text().splitlines()[1:]]

    def bare(row):
        return json.dumps({key: value for key, value in row.items() if key not in ("checksum", "seconds")}, sort_keys=True)

    expected = sorted(bare(row) for row in json.loads(whole)["rows"])
    found = sorted(bare(row) for row in rows)
    print(f"measure: {len(found)} rows, killed {kills} times", flush=True)
    if found == expected:
        return []
    return [f"the journal has {len(found)} rows, {len(set(found))} different ones; a run that nobody disturbed has {len(expected)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "bin" / "wordsway"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faults = soak_server(options.program, options.minutes, options.seed)
    faults += soak_journal(options.program, options.trials, options.seed)
    for fault in faults:
        print(f"FAULT: {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
