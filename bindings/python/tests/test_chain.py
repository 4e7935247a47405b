"""Chains against plain NumPy."""
import numpy as np
import pytest
import sparsechord as sc

rng = np.random.default_rng(1)


def dense_factor(w, offsets):
    n = len(w)
    matrix = np.zeros((n, n))
    for k, offset in enumerate(offsets):
        for i in range(n):
            matrix[i, (i + offset) % n] += w[i, k]
    return matrix


def reference(weights, offsets):
    product = np.eye(weights.shape[1])
    for w in weights:
        product = dense_factor(w, offsets) @ product
    return product


@pytest.mark.parametrize("n,dtype,tolerance", [(16, np.float64, 1e-12), (13, np.float64, 1e-12), (37, np.float32, 1e-4)])
def test_chain_is_its_dense_product(n, dtype, tolerance):
    pattern = sc.Pattern.chord(n)
    weights = rng.standard_normal((3, n, pattern.links)).astype(dtype)
    chain = sc.Chain(weights, pattern)
    expected = reference(weights, pattern.offsets)
    v = rng.standard_normal((n, 5)).astype(dtype)
    assert np.allclose(chain @ v, expected @ v, atol=tolerance * 10)
    assert np.allclose(chain.T @ v, expected.T @ v, atol=tolerance * 10)
    assert np.allclose(chain @ v[:, 0], expected @ v[:, 0], atol=tolerance * 10)
    assert np.allclose(chain.dense(), expected, atol=tolerance * 10)
    assert np.allclose(chain.rows([2, 0]), expected[[2, 0]], atol=tolerance * 10)
    assert (chain @ v).dtype == dtype


def test_weights_are_looked_at_not_copied():
    weights = np.zeros((1, 8, 4))
    chain = sc.Chain(weights)
    weights[0, :, 0] = 3
    assert np.array_equal(chain @ np.ones(8), np.full(8, 3.0))


def test_gradient_against_differences():
    pattern = sc.Pattern.custom(7, [0, 2, -3])
    weights, v, g = rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 3)), rng.standard_normal((2, 7, 3))
    dw, dv = sc.Chain(weights, pattern, residual=True).gradient(v, g)

    def value():
        return float(np.sum(g * (sc.Chain(weights, pattern, residual=True) @ v)))

    for array, gradient in ((weights, dw), (v, dv)):
        for place in [(0, 0, 0), (1, 6, 2), (1, 3, 1)]:
            kept = array[place]
            array[place] = kept + 1e-6
            above = value()
            array[place] = kept - 1e-6
            below = value()
            array[place] = kept
            assert abs((above - below) / 2e-6 - gradient[place]) < 1e-7


def test_scipy_operator():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    chain = sc.Chain(rng.standard_normal((2, 16, 5)))
    largest = linalg.svds(chain.linear_operator(), k=1, return_singular_vectors=False)[0]
    assert abs(largest - np.linalg.norm(chain.dense(), 2)) < 1e-6


def test_errors_have_kinds_and_words():
    chain = sc.Chain(np.ones((2, 16, 5)))
    with pytest.raises(sc.InvalidShapeError, match="expected 1 of 16 × 2") as caught:
        chain @ np.ones((17, 2))
    assert isinstance(caught.value, ValueError) and caught.value.status == 3
    with pytest.raises(sc.NoSuchDeviceError):
        sc.Context("moon")
    with pytest.raises(sc.InvalidTypeError):
        chain @ sc.Tensor.copy_of(np.ones((16, 2), np.float32))


def test_closed_handles_are_refused():
    pattern = sc.Pattern.chord(16)
    with pattern:
        pass
    with pytest.raises(sc.InvalidHandleError):
        pattern.offsets
    pattern.close()
