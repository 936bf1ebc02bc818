"""The program: `python -m wordsway COMMAND …`, and the script `wordsway`."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    program = Path(__file__).parent / "bin" / "wordsway"
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
