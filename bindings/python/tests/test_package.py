"""The package as a whole: documentation and doctests."""
import doctest

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
