"""The wheel by itself, as make-wheel tries it: CHORD_TEST_WHEEL says what there is beside it."""
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import sparsechord as sc

KIND = os.environ.get("CHORD_TEST_WHEEL", "")
wheel = pytest.mark.skipif(not KIND, reason="for make wheel")
PACKAGE = Path(sc.__file__).parent
REPOSITORY = Path(__file__).parents[3]


@wheel
def test_the_library_and_its_notices_are_in_the_package():
    assert PACKAGE.is_relative_to(sys.prefix) and "CHORD_LIBRARY" not in os.environ
    with open("/proc/self/maps") as maps:
        assert str(PACKAGE / "lib/libchord.so.1") in maps.read()
    assert {"LICENSE", "libpng16-16", "nlohmann-json3-dev", "libstdc++6"} <= {p.name for p in (PACKAGE / "licenses").iterdir()}


@pytest.mark.skipif(KIND != "without-lapack", reason="for make wheel, where LAPACK can be hidden")
def test_without_lapack_numpys_is_used():
    X = np.random.default_rng(1).random((8, 8))
    with pytest.raises(sc.UnsupportedError, match="libopenblas0"):
        sc.Matrix(X)._truncated_svd(2)
    best, error = sc.Matrix(X).truncated_svd(2)
    assert abs(np.linalg.norm(X - best) - error) < 1e-12


@wheel
def test_sycl_is_there_with_its_extra_and_says_what_is_missing_without():
    sycl = next(backend for backend in sc.backends() if backend.name == "runtime")
    if KIND != "sycl":
        assert not sycl.available and "intel-sycl-rt" in sycl.detail
        return
    assert sycl.available, sycl.detail
    chain = sc.Chain(np.full((3, 16, 5), 0.2, np.float32), context=sc.Context("opencl:0"))
    assert np.allclose(chain @ np.ones((16, 2), np.float32), 1)


def test_the_extra_is_the_runtime_that_builds_use():
    pinned = re.findall(r"intel-\w+-rt==([\d.]+)", (REPOSITORY / "bindings/python/pyproject.toml").read_text())
    version = re.search(r"^version=(.*)$", (REPOSITORY / "setup/oneapi").read_text(), re.M)[1]
    assert pinned == [version, version]
