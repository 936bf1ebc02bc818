"""wordsway: how far can one word sway a representation?

    import wordsway
    model = wordsway.load()                       # the built-in encoder; or a folder, or FILE.gguf
    model.words("turn off the dark mode")         # which word matters
    wordsway.measure("raf", n=[10, 20, 40, 80])   # the paper's effect

docs/python.md shows five tasks from start to picture. Words and numbers are those of the program, `python -m wordsway`.
"""

from . import _questions
from ._questions import *  # every question, as a function; some have richer forms below
from ._core import kernels
from ._core import version as _version
from .errors import DataError, Error, FileError, ResourceError, UsageError
from ._ask import ask, questions
from .maps import Change, View, maps, set_threads, view
from .model import Model, TextStream, load
from .pairs import Pair, builtin_pairs, pairs, presets
from .results import (
    Answers,
    Attention,
    Generalization,
    Layers,
    Measurement,
    PairsAudit,
    Result,
    Substitutions,
    Tokens,
    Words,
)

__version__: str = _version()

__all__ = [
    "Answers", "Attention", "Change", "DataError", "Error", "FileError", "Generalization", "Layers", "Measurement",
    "Model", "Pair", "PairsAudit", "ResourceError", "Result", "Substitutions", "TextStream", "Tokens", "UsageError",
    "View", "Words", "ask", "builtin_pairs", "kernels", "load", "maps", "pairs", "presets", "questions", "set_threads",
    "view",
]  # fmt: skip
__all__ += [name for name in _questions.__all__ if name not in __all__]
