"""A program that is kept running and asked by turns with another: requests are lines, answers are lines of numbers,
the first of which is the time. Clouds change the speed of a core by half from one second to the next, so times are
compared with those of neighbours."""
import pathlib
import statistics
import subprocess
import time


class Engine:
    def __init__(self, command, pause):
        """`pause`, in seconds, comes before every request: threads of the other engine look out for work a while before
        they sleep."""
        self.pause = pause
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, request):
        time.sleep(self.pause)
        self.process.stdin.write(request + "\n")
        return [float(number) for number in self.process.stdout.readline().split()]

    def peak_memory_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024


def by_turns(engines, request, turns, warm_up=True):
    """For each engine, its answers to the same request; with warm_up one more before them, which is forgotten."""
    if warm_up:
        for engine in engines:
            engine.ask(request)
    answers = [[engine.ask(request) for engine in engines] for _ in range(turns)]
    return list(zip(*answers))


def column(answers, index=0):
    return [answer[index] for answer in answers]


def median(answers, index=0):
    return statistics.median(column(answers, index))


def quartiles_of_ratio(above, below, index=0):
    """Of the ratios of neighbours; the middle one is the median."""
    return statistics.quantiles([a / b for a, b in zip(column(above, index), column(below, index))], n=4)


def median_ratio(above, below, index=0):
    return statistics.median(a / b for a, b in zip(column(above, index), column(below, index)))
