"""The package as a whole: documentation, doctests, the price of a call."""
import doctest
import time

import numpy as np
import pytest
import sparsechord as sc
import sparsechord.chain
import sparsechord.context
import sparsechord.data
import sparsechord.fit
import sparsechord.model
from sparsechord import _raw


@pytest.mark.parametrize("module", [sc.chain, sc.context, sc.data, sc.fit, sc.model])
def test_examples_in_docstrings(module):
    failures, count = doctest.testmod(module, extraglobs={"Dataset": sc.Dataset, "np": np})
    assert failures == 0


def test_every_status_has_an_exception():
    statuses = {value for name, value in vars(_raw).items() if name.startswith("CHORD_ERROR_")}
    assert statuses == {kind.status for kind in sc.Error.__subclasses__()}


def test_public_functions_are_documented():
    for name in sc.__all__:
        if name != "__version__":
            assert getattr(sc, name).__doc__, name
    assert "chord_chain_gradient of chord.h" in sc.Chain.gradient.__doc__


def test_a_call_costs_microseconds():
    pattern = sc.Pattern.chord(16)
    w, v, z = (sc.Tensor.copy_of(np.ones(s, np.float32)) for s in ((16, 5), (16, 4), (16, 4)))
    best = 1.0
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(500):
            sc.product(pattern, w, v, z)
        best = min(best, (time.perf_counter() - start) / 500)
    print(f"a product of 16 rows, queued from Python: {best * 1e6:.2f} µs")
    assert best < 15e-6
