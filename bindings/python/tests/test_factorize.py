"""Factorising: what comes out, progress, jobs."""
import sys
import threading
import time

import numpy as np
import pytest
import sparsechord as sc

X = np.add.outer(np.arange(16.0), np.arange(16.0) ** 2)
BIG = np.random.default_rng(0).random((64, 64))


def test_rows_of_a_matrix():
    assert np.array_equal(sc.Matrix(X).rows([3, 0, 3]), X[[3, 0, 3]])


def test_result_is_a_matrix_that_is_applied(tmp_path):
    factors = sc.factorize(X, iterations=200, seed=1)
    dense = factors.dense()
    assert abs(np.linalg.norm(dense - X) - factors.info.error) < 1e-8 * np.linalg.norm(X)
    assert np.allclose(factors @ np.ones(16), dense.sum(1)) and np.allclose(factors.T @ np.ones(16), dense.sum(0))
    assert np.allclose(factors.rows([3]), dense[[3]]) and np.allclose(factors.chain.dense(), dense)
    factors.save(tmp_path / "f.safetensors")
    again = sc.Factorization.load(tmp_path / "f.safetensors")
    assert np.array_equal(again.dense(), dense) and again.info.relative_error == factors.info.relative_error
    more = sc.factorize(X, resume=again, iterations=100)
    assert more.info.error <= again.info.error
    assert np.array_equal(sc.factorize(X, iterations=200, seed=1).dense(), dense)


def test_sparse_matrices_files_and_constraints(tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    entries = sparse.random(32, 32, 0.1, random_state=1)
    assert sc.Matrix(entries).info.sparse and np.allclose(sc.Matrix(entries).dense(), entries.toarray())
    np.save(tmp_path / "x.npy", X)
    factors = sc.factorize(tmp_path / "x.npy", constraint="nonnegative", iterations=50)
    assert factors.weights.numpy().min() >= 0
    with pytest.raises(ValueError, match="semidefinite"):
        sc.factorize(X, constraint="pink")


@pytest.mark.parametrize("x", [X[:10], X[:, :10]])
def test_matrices_need_not_be_square(x, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    assert sc.Matrix(x).shape == x.shape and np.array_equal(sc.Matrix(x).dense(), x)
    assert np.array_equal(sc.Matrix(sparse.coo_array(x)).rows([3]), x[3:4])
    best, error = sc.Matrix(x).truncated_svd(1)
    assert best.shape == x.shape and abs(np.linalg.norm(x - best) - error) < 1e-9 * np.linalg.norm(x)
    found = sc.factorize(x, factors=2, rank=1, entries=4, iterations=200)
    found.save(tmp_path / "x.safetensors")
    for each in (found, sc.Factorization.load(tmp_path / "x.safetensors")):
        dense, right, left = each.dense(), np.ones(x.shape[1]), np.ones(x.shape[0])
        assert each.shape == x.shape == dense.shape and each.T.shape == x.shape[::-1]
        assert abs(np.linalg.norm(dense - x) - each.info.error) < 1e-9 * np.linalg.norm(x)
        assert np.allclose(each @ right, dense @ right) and np.allclose(each.T @ left, dense.T @ left)
        assert np.allclose(each.rows([1, 4]), dense[[1, 4]])
    with pytest.raises(NotImplementedError, match="square"):
        sc.factorize(x, constraint="symmetric")
    with pytest.raises(NotImplementedError, match="square"):
        sc.factorize(x, iterations=5).chain


def test_operators_are_never_formed():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    matrix = np.diag(np.arange(1.0, 65)) + np.outer(np.ones(64), np.cos(np.arange(64.0)))
    operator = linalg.aslinearoperator(matrix)
    found = sc.factorize(operator, factors=1, rank=1, iterations=200)
    assert np.linalg.norm(found.dense() - matrix) < 1e-3 * np.linalg.norm(matrix)
    exact = sc.factorize(operator, factors=-1, rank=3, exact_error=True)
    assert exact.info.standard_error == 0
    assert abs(np.linalg.norm(exact.dense() - matrix) - exact.info.error) < 1e-9 * np.linalg.norm(matrix)

    def broken(columns):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        sc.factorize(linalg.LinearOperator((64, 64), matvec=broken, matmat=broken, rmatmat=broken))
    with pytest.raises(TypeError, match="factorize"):
        sc.start_factorize(operator)


def test_truncated_svd():
    best, error = sc.Matrix(X).truncated_svd(1)
    values = np.linalg.svd(X, compute_uv=False)
    assert abs(error - np.linalg.norm(values[1:])) < 1e-9 * values[0]
    assert abs(np.linalg.norm(X - best) - error) < 1e-9 * values[0]


def test_progress_stops_a_run():
    seen = []

    def stop(now):
        seen.append(now)
        return len(seen) == 2

    assert sc.factorize(BIG, progress=stop, seconds=20).info.stop == 4
    assert len(seen) == 2 and seen[1].seconds > 0


def test_bars_are_told_how_much_was_added():
    class Bar:
        total, words = 0.0, ""

        def update(self, more):
            self.total += more

        def set_postfix_str(self, words):
            self.words = words

    bar = Bar()
    sc.factorize(BIG, progress=bar, seconds=0.5)
    assert 0.1 < bar.total < 1 and "relative error" in bar.words


def test_a_line_where_there_is_no_rich(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setitem(sys.modules, "rich.progress", None)
    sc.factorize(BIG, progress=True, seconds=0.4)
    assert "relative error" in capsys.readouterr().err


def test_a_bar_of_rich(capsys):
    pytest.importorskip("rich")
    sc.factorize(BIG, progress=True, seconds=0.4)
    assert "relative error" in capsys.readouterr().out


def test_a_job_does_what_a_call_does():
    with sc.start_factorize(X, iterations=200, seed=1) as job:
        factors = job.result()
        assert job.done and job.wait(0) and job.progress.iteration > 0
    assert np.array_equal(factors.dense(), sc.factorize(X, iterations=200, seed=1).dense())
    with pytest.raises(sc.InvalidHandleError):
        job.done
    with pytest.raises(TypeError, match="colour"):
        sc.start_factorize(X, colour=3)


def test_a_job_is_polled_and_cancelled_from_another_thread():
    job = sc.start_factorize(BIG, seconds=60)
    assert not job.wait(0.2) and not job.done and "running" in repr(job)
    while job.progress.iteration == 0:
        time.sleep(0.01)
    threading.Timer(0.1, job.cancel).start()
    began = time.monotonic()
    assert job.wait() and time.monotonic() - began < 10
    assert job.result().info.stop == 4


def test_a_job_that_fails_says_why():
    other = sc.Pattern.chord(8)
    with pytest.raises(sc.Error, match="8"):
        sc.start_factorize(X, other, iterations=5).result()
