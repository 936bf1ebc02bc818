"""Feature maps, and one token of a sample under one.

Maps compute in double precision: float32 arrays are converted, float64 arrays in C order are read where they are."""

from __future__ import annotations

from typing import Any, NamedTuple, Union

import numpy as np

from . import _arguments as check
from . import _core
from .errors import UsageError
from .results import Maps

def maps() -> Maps:
    """All feature maps there are, with their parameters."""
    return Maps(list(_core.maps()))


def set_threads(threads: int) -> None:
    """How many threads wordsway uses in this process (default: all cores). Results do not depend on it."""
    _core.set_thread_count(check.whole("threads", threads, 1, 100_000))


class Change(NamedTuple):
    """A value at Δ, or [k] of them, with its gradient, [d] or [k, d]."""

    value: Any
    gradient: np.ndarray


def _values(name: str, value: Any) -> list[Any]:
    """Those of a parameter of a map."""
    found = check.plain(name, value)
    return found if isinstance(found, list) else [found]


class View:
    """One token of a sample under a map: how features change when it moves."""

    def __init__(self, native: Any, shape: tuple[int, int], token: int) -> None:
        self._native = native
        self.n, self.d = shape
        self.token = token

    @property
    def features(self) -> np.ndarray:
        """φ(X), of the map's own shape."""
        return np.asarray(self._native.features())

    @property
    def feature_norm(self) -> float:
        """‖φ(X)‖."""
        return float(self._native.feature_norm())

    @property
    def weights(self) -> np.ndarray:
        """W (d × d) or V (k × n·d), as they are or were drawn."""
        return np.asarray(self._native.weights())

    @property
    def starts(self) -> list[np.ndarray]:
        """Directions worth starting an ascent from, best first; may be empty."""
        return [np.asarray(start) for start in self._native.starts()]

    def change(self, delta: Any) -> Change:
        """‖φ(X + Δ in the token's row) − φ(X)‖² and its gradient by Δ, for d numbers or k rows of d."""
        return Change(*self._native.change(check.array("delta", delta, (1, 2))))

    def inner(self, psi: Any, delta: Any) -> Change:
        """⟨φ(X + Δ), ψ⟩ and its gradient, for ψ of the shape of `features`."""
        return Change(*self._native.inner(check.array("psi", psi, (2,)), check.array("delta", delta, (1, 2))))

    def sensitivity(self, delta: Any) -> Any:
        """‖φ(X + Δ) − φ(X)‖/‖φ(X)‖: what `measure` maximises."""
        return np.sqrt(self.change(delta).value) / self.feature_norm

    def __repr__(self) -> str:
        return f"<wordsway.View of token {self.token}, n = {self.n}, d = {self.d}>"


def view(
    map: Any,
    X: Any,
    token: int = 0,
    *,
    W: Any = None,
    layer: Union[int, str] = "last",
    rows: str = "all",
    random: str = "",
    seed: int = 1,
    **parameters: Any,
) -> View:
    """A map near your own sample X [n, d] when one token moves; X is taken as it is (nothing is scaled).

    `map` is the name of a map, with weights W or those of the first trial of `measure` with this seed; or a Model, from
    its embedding (X = model.hidden_states(text)[0]) to a `layer`, "pooled" or "logits"."""
    from .model import Model

    sample = check.array("X", X, (2,))
    place = check.whole("token", token)
    if isinstance(map, Model):
        if W is not None or parameters or random:
            raise UsageError("a model brings its own weights; W, random and parameters are for the name of a map")
        native = _core.view_model(map._native, sample, place, check.layer(layer), check.text("rows", rows))
    else:
        name = check.text("map", map)
        weights = check.optional_array("W", W, (2,))
        given = {name: _values(name, value) for name, value in parameters.items()}
        native = _core.view(name, sample, place, weights, given, check.text("random", random), check.whole("seed", seed))
    return View(native, (sample.shape[0], sample.shape[1]), place)
