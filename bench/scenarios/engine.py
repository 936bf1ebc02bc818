"""A program that is kept running and asked by turns with another: requests are lines, answers are lines of numbers."""
import pathlib
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
