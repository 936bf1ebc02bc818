"""Maps and arrays: views with gradients, and whatever holds numbers."""

import numpy as np
import pytest

import wordsway

X = np.random.default_rng(0).normal(size=(9, 14))


@pytest.mark.parametrize("name", list(wordsway.maps().name))
def test_gradients_are_those_of_differences(name):
    view = wordsway.view(name, X, 3, random="dense")
    delta = np.random.default_rng(1).normal(size=14)
    value, gradient = view.change(delta)
    for k in range(14):
        step = np.zeros(14)
        step[k] = 1e-5
        slope = (view.change(delta + step).value - view.change(delta - step).value) / 2e-5
        assert gradient[k] == pytest.approx(slope, rel=2e-4, abs=1e-5 * max(1, value))


def test_the_change_is_that_of_features():
    view = wordsway.view("raf", X, 3)
    delta = np.ones(14)
    moved = X.copy()
    moved[3] += delta
    other = wordsway.view("raf", moved, 0, W=view.weights)
    assert view.change(delta).value == pytest.approx(np.sum((other.features - view.features) ** 2), rel=1e-10)
    psi = np.ones_like(view.features)
    assert view.inner(psi, delta).value == pytest.approx(np.sum(other.features), rel=1e-10)


def test_several_moves_at_once_are_those_one_by_one():
    view = wordsway.view("raf", X, 0)
    deltas = np.random.default_rng(2).normal(size=(5, 14))
    together = view.change(deltas)
    for k in range(5):
        alone = view.change(deltas[k])
        assert together.value[k] == pytest.approx(alone.value, rel=1e-12)
        assert np.allclose(together.gradient[k], alone.gradient, rtol=1e-10, atol=1e-12)


def test_measure_finds_what_the_view_confirms():
    found = wordsway.measure("raf", X, token=2, trials=1, normalise=False)
    view = wordsway.view("raf", X, 2)
    assert view.sensitivity(found.delta) == pytest.approx(found.sensitivity[0], rel=1e-9)
    assert np.linalg.norm(found.delta) <= np.sqrt(14) * (1 + 1e-12)


def test_a_model_is_a_map(model):
    embedding = model.hidden_states("I love her smile")[0]
    view = wordsway.view(model, embedding, 2, layer="pooled")
    value, gradient = view.change(0.1 * np.ones(model.hidden_size))
    assert value > 0 and gradient.shape == (model.hidden_size,)
    assert np.allclose(view.features[0], model.encode("I love her smile"), atol=1e-5)


class OnlyArray:
    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return self.values if dtype is None else self.values.astype(dtype)


class OnlyDlpack:
    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **options):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


@pytest.mark.parametrize(
    "given",
    [X.tolist(), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], OnlyArray(X), OnlyDlpack(X.copy())],
    ids=["list", "Fortran order", "strides", "__array__", "DLPack"],
)
def test_anything_that_holds_numbers_is_taken(given):
    assert wordsway.measure("raf", given, trials=1).sensitivity[0] == wordsway.measure("raf", X, trials=1).sensitivity[0]


def test_float32_is_computed_in_double():
    single = X.astype(np.float32)
    expected = wordsway.measure("raf", single.astype(np.float64), trials=1)
    assert wordsway.measure("raf", single, trials=1).sensitivity[0] == expected.sensitivity[0]


def test_tensors_are_taken():
    torch = pytest.importorskip("torch")
    given = torch.tensor(X, requires_grad=True)
    assert wordsway.measure("raf", given, trials=1).sensitivity[0] == wordsway.measure("raf", X, trials=1).sensitivity[0]


def test_doubles_in_order_are_not_copied():
    from wordsway._arguments import array

    assert array("X", X) is X


def test_generalize_with_ones_own_samples():
    draw = np.random.default_rng(5)
    found = wordsway.generalize("raf", X_train=draw.normal(size=(12, 5, 8)), y_train=np.sign(draw.normal(size=12)),
                                X=draw.normal(size=(5, 8)), y=1, training="retrain", objective="error")  # fmt: skip
    assert len(found) == 1 and found.delta.shape == (8,)


def test_maps_explain_themselves():
    known = wordsway.maps()
    assert "raf" in known and "softmax" in known["raf"]["summary"]
    assert "beta" in [parameter["name"] for parameter in known["raf"]["parameters"]]
