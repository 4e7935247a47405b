"""The edges: Ctrl-C, threads, processes that fork or end, exceptions in callbacks, garbage, a hundred thousand objects."""
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import sparsechord as sc

BIG = np.random.default_rng(0).random((64, 64))


def interrupt_after(seconds):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a program in the background has not
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("progress", [None, lambda now: None])
def test_control_c_ends_a_run(progress):
    for _ in range(2):
        timer = interrupt_after(0.3)
        with pytest.raises(KeyboardInterrupt):
            sc.factorize(BIG, seconds=20, progress=progress)
        timer.join()


def test_control_c_ends_the_waiting_for_a_job_and_with_it_the_job():
    timer = interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        with sc.start_factorize(BIG, seconds=60) as job:
            job.wait()
    timer.join()
    assert repr(job) == "<Job, closed>"


def test_exceptions_in_callbacks_come_back():
    def fail(now):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        sc.factorize(BIG, progress=fail, seconds=20)


def run(program):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)


DAEMONS = {
    "in a callback": "sc.factorize(X, seconds=30, progress=lambda now: None)",
    "waiting for a job": "sc.start_factorize(X, seconds=30).wait()",
    "training": "[model.train_step(*data[:32]) for _ in range(10**6)]",
}


@pytest.mark.parametrize("work", DAEMONS.values(), ids=DAEMONS.keys())
def test_interpreter_ends_beside_a_daemon_thread(work):
    ended = run(f"""
        import threading, time
        import numpy as np, sparsechord as sc
        X = np.random.default_rng(0).random((64, 64))
        model, data = sc.Model("adding", length=16), sc.Dataset("adding", length=16, count=64)
        threading.Thread(target=lambda: {work}, daemon=True).start()
        time.sleep(0.3)
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


def test_garbage_is_collected_while_threads_work():
    context = sc.Context("host")

    class Ring:  # which only the collector can end
        def __init__(self):
            self.self, self.chain = self, sc.Chain(np.full((2, 16, 5), 0.2), context=context)

    wrong, until = [], time.monotonic() + 1

    def work():
        while time.monotonic() < until:
            if not np.allclose(Ring().chain @ np.ones(16), 1):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    while time.monotonic() < until:
        gc.collect()
    for thread in threads:
        thread.join()
    gc.collect()
    assert not wrong and context.memory.bytes_in_use == 0 and context.memory.reserved_bytes > 0


def resident_bytes():
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_hundred_thousand_objects_leave_no_trace():
    context = sc.Context("host")
    array, weights, pattern = np.zeros((16, 4)), np.zeros((1, 16, 5)), sc.Pattern.chord(16, context=context)

    def make(count):
        for _ in range(count):
            sc.Tensor.wrap(array, context)
            sc.Tensor.empty((4,), context=context).close()
            sc.Pattern.chord(16, context=context)
            sc.Chain(weights, pattern)

    make(1000)
    gc.collect()
    in_use, resident = context.memory.bytes_in_use, resident_bytes()
    make(25_000)
    assert context.memory.bytes_in_use == in_use and sys.getrefcount(array) == 2
    assert resident_bytes() - resident < 2**22
