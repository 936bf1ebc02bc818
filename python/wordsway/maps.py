"""Feature maps and arrays: word sensitivity as the paper defines it, and what can be learnt from such features.

Maps compute in double precision: float32 arrays are converted, float64 arrays in C order are read where they are."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _arguments as check
from . import _core
from ._progress import Progress, reporting
from .errors import UsageError
from .results import Generalization, Maps, Measurement

Sizes = Union[None, int, Sequence[int]]


def maps() -> Maps:
    """All feature maps there are, with their parameters."""
    return Maps(list(_core.maps()))


def set_threads(threads: int) -> None:
    """How many threads wordsway uses in this process (default: all cores). Results do not depend on it."""
    _core.set_thread_count(check.whole("threads", threads, 1, 100_000))


def _reviews(data: str, own: bool) -> Optional[Any]:
    """The built-in model, where its reviews may be the data."""
    if own or data not in ("", "builtin"):
        return None
    from .model import builtin_model

    return builtin_model()._native


def measure(
    map: Union[str, Sequence[str]] = "raf",
    X: Any = None,
    *,
    W: Any = None,
    n: Sizes = None,
    d: Sizes = None,
    data: Optional[str] = None,
    normalise: bool = True,
    token: Union[int, str] = "first",
    typical: int = 0,
    radius: float = 1.0,
    radius_unit: str = "sqrt-d",
    starts: Optional[int] = None,
    steps: int = 500,
    tolerance: Optional[float] = None,
    seed: int = 1,
    trials: Optional[int] = None,
    random: str = "",
    device: str = "cpu",
    journal: Optional[str] = None,
    memory: float = 0,
    progress: Progress = None,
    **parameters: Any,
) -> Measurement:
    """Word sensitivity S = max ‖φ(X + Δ in one row) − φ(X)‖/‖φ(X)‖ over ‖Δ‖ ≤ radius.

    measure("raf", n=[10, 20, 40], d=64)   a grid over sizes, on film reviews or `data` (builtin, or made up: sphere, spiked:A, …)
    measure("raf", X, W=W)                 your own sample, [n, d] or [samples, n, d], and weights

    Several maps may be listed. Further keywords are parameters of maps (`maps()`), each a value or a list of values
    that the study goes through. Rows of X are scaled to √d unless normalise=False. A `journal` keeps finished trials,
    and the same call goes on from it. A single result has `.delta`, the move that was found. `device="cuda"` computes on an
    NVIDIA GPU, in a build that has it (docs/gpu.md)."""
    native = _core.measure
    sample = check.optional_array("X", X, (2, 3))
    if sample is not None and data is not None:
        raise UsageError("X and data contradict each other; give one")
    if sample is None and not normalise:
        raise UsageError("normalise=False is for X; made-up data always have rows of norm sqrt(d)")
    names = check.names("map", map)
    named = check.optional_text("data", data) or ""
    for name in names:
        _core.check_map(name)  # says what was probably meant, before data are read
    search = check.search(radius, radius_unit, starts, steps, tolerance, seed)
    with reporting(progress) as tell:
        found = native(
            maps=names,
            n=check.sizes("n", n),
            d=check.sizes("d", d),
            X=sample,
            normalise=bool(normalise),
            data=named,
            reviews=_reviews(named, sample is not None),
            parameters=check.parameters(parameters),
            random=check.text("random", random),
            device=check.text("device", device),
            token=check.token(token),
            typical=check.whole("typical", typical, 0, 1_000_000),
            trials=check.optional_whole("trials", trials, 1, 100_000_000),
            weights=check.optional_array("W", W, (2,)),
            journal=check.path("journal", journal),
            memory=check.number("memory", memory, 0),
            progress=tell,
            **search,
        )
    return Measurement(found)


def generalize(
    map: Union[str, Sequence[str]] = "raf",
    *,
    n: Sizes = None,
    d: Sizes = None,
    train_size: Sizes = None,
    data: Optional[str] = None,
    label_rule: Optional[str] = None,
    pool: Any = None,
    labels: Any = None,
    X_train: Any = None,
    y_train: Any = None,
    X: Any = None,
    y: Optional[float] = None,
    W: Any = None,
    normalise: bool = True,
    training: Union[str, Sequence[str]] = ("fine-tune", "retrain"),
    objective: Union[str, Sequence[str]] = ("align", "error"),
    penalty: Union[float, Sequence[float]] = 0.0,
    token: int = 0,
    radius: float = 1.0,
    starts: Optional[int] = None,
    steps: int = 500,
    tolerance: Optional[float] = None,
    seed: int = 1,
    trials: Optional[int] = None,
    random: str = "",
    device: str = "cpu",
    journal: Optional[str] = None,
    memory: float = 0,
    progress: Progress = None,
    **parameters: Any,
) -> Generalization:
    """Can a model on these features learn that one changed word flips the label?

    Data are made up or reviews (`data`, `label_rule`), drawn from a `pool` [samples, n, d] with `labels` of ±1, or all
    given: X_train [N, n, d], y_train [N], X [n, d], y. `device="cuda"` computes on an NVIDIA GPU, in a build that has it
    (docs/gpu.md)."""
    names = check.names("map", map)
    for name in names:
        _core.check_map(name)  # says what was probably meant, before data are read
    named = check.optional_text("data", data) or ""
    own = any(value is not None for value in (pool, labels, X_train, y_train, X, y))
    penalties = [penalty] if isinstance(penalty, (int, float)) else list(penalty)
    search = check.search(radius, "sqrt-d", starts, steps, tolerance, seed)
    del search["radius_unit"]
    with reporting(progress) as tell:
        found = _core.generalize(
            maps=names,
            n=check.sizes("n", n),
            d=check.sizes("d", d),
            train_size=check.sizes("train_size", train_size),
            data=named,
            label_rule=check.optional_text("label_rule", label_rule) or "",
            reviews=_reviews(named, own or (not named and label_rule is not None)),
            pool=check.optional_array("pool", pool, (3,)),
            labels=check.optional_array("labels", labels, (1,)),
            X_train=check.optional_array("X_train", X_train, (3,)),
            y_train=check.optional_array("y_train", y_train, (1,)),
            X=check.optional_array("X", X, (2,)),
            y=check.optional_number("y", y),
            normalise=bool(normalise),
            parameters=check.parameters(parameters),
            random=check.text("random", random),
            device=check.text("device", device),
            training=check.names("training", training),
            objective=check.names("objective", objective),
            penalty=[check.number("penalty", value, 0) for value in penalties],
            token=check.whole("token", token),
            trials=check.optional_whole("trials", trials, 1, 100_000_000),
            weights=check.optional_array("W", W, (2,)),
            journal=check.path("journal", journal),
            memory=check.number("memory", memory, 0),
            progress=tell,
            **search,
        )
    return Generalization(found)


class Change(NamedTuple):
    """A value at Δ, or [k] of them, with its gradient, [d] or [k, d]."""

    value: Any
    gradient: np.ndarray


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
        asked = check.output(layer, rows, None, None)
        native = _core.view_model(map._native, sample, place, asked["layer"], asked["rows"])
    else:
        name = check.text("map", map)
        weights = check.optional_array("W", W, (2,))
        given = check.parameters(parameters)
        native = _core.view(name, sample, place, weights, given, check.text("random", random), check.whole("seed", seed))
    return View(native, (sample.shape[0], sample.shape[1]), place)
