"""Factorising, stopping it, and being interrupted."""
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
import sparsechord as sc

X = np.add.outer(np.arange(16.0), np.arange(16.0) ** 2)


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
    with pytest.raises(ValueError, match="square"):
        sc.factorize(X[:3])


def test_truncated_svd():
    best, error = sc.Matrix(X).truncated_svd(1)
    values = np.linalg.svd(X, compute_uv=False)
    assert abs(error - np.linalg.norm(values[1:])) < 1e-9 * values[0]
    assert abs(np.linalg.norm(X - best) - error) < 1e-9 * values[0]


def test_progress_stops_and_fails():
    seen = []

    def stop(now):
        seen.append(now)
        return len(seen) == 2

    big = np.random.default_rng(0).random((64, 64))
    assert sc.factorize(big, progress=stop, seconds=20).info.stop == 4
    assert len(seen) == 2 and seen[1].seconds > 0

    def fail(now):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sc.factorize(big, progress=fail, seconds=20)


def test_control_c_ends_it():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a program in the background has not
    big = np.random.default_rng(0).random((64, 64))
    for _ in range(3):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            sc.factorize(big, seconds=20)
        timer.join()


def run(program):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)


def test_interpreter_ends_while_a_daemon_thread_factorises():
    ended = run("""
        import threading, time
        import numpy as np, sparsechord as sc
        X = np.random.default_rng(0).random((64, 64))
        threading.Thread(target=lambda: sc.factorize(X, seconds=30, progress=lambda now: None), daemon=True).start()
        time.sleep(0.4)
    """)
    assert ended.returncode == 0, ended.stderr


def test_forked_child_is_told():
    ended = run("""
        import os
        import numpy as np, sparsechord as sc
        tensor = sc.Tensor.copy_of(np.zeros(3))
        child = os.fork()
        if child == 0:
            try:
                tensor.fill(1)
            except sc.ForkedError:
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    """)
    assert ended.returncode == 0, ended.stderr


def test_threads_at_once():
    chain = sc.Chain(np.full((3, 16, 5), 0.2))
    wrong = []

    def work():
        for _ in range(200):
            if not np.allclose(chain @ np.ones((16, 2)), 1):
                wrong.append(1)
            try:
                chain @ np.ones((9, 2))
            except sc.InvalidShapeError as error:
                if "9 × 2" not in str(error):
                    wrong.append(2)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
