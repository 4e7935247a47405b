"""Memory shared with NumPy, by its own means and by DLPack, old and new."""
import ctypes
import gc
import sys
import weakref

import numpy as np
import pytest
import sparsechord as sc


def test_numpy_looks_at_the_tensor():
    tensor = sc.Tensor.copy_of(np.arange(6.0).reshape(2, 3))
    view = tensor.numpy()
    view[0, 0] = 7
    assert tensor.to_host()[0, 0] == 7
    del tensor
    gc.collect()
    assert view[1, 2] == 5


def test_wrapped_arrays_live_as_long_as_needed():
    class Watched(np.ndarray):
        pass

    array = np.zeros((2, 16, 5)).view(Watched)
    gone = weakref.ref(array)
    chain = sc.Chain(sc.Tensor.wrap(array))
    del array
    gc.collect()
    assert gone() is not None and np.array_equal(chain @ np.ones(16), np.zeros(16))
    chain.close()
    del chain
    gc.collect()
    assert gone() is None


def test_dlpack_both_ways_without_copies():
    array = np.arange(12.0, dtype=np.float32).reshape(3, 4)
    tensor = sc.Tensor.from_dlpack(array)
    assert tensor.shape == (3, 4) and tensor.dtype == np.float32
    array[0, 0] = 5
    assert tensor.to_host()[0, 0] == 5
    again = np.from_dlpack(tensor)
    assert again.ctypes.data == array.ctypes.data


def refcounts_stay(make):
    array = np.zeros(4)
    before = sys.getrefcount(array)
    for _ in range(10):
        make(array)
    gc.collect()
    return sys.getrefcount(array) == before


def test_capsules_nobody_consumes_are_freed():
    assert refcounts_stay(lambda a: sc.Tensor.from_dlpack(a).__dlpack__())
    assert refcounts_stay(lambda a: sc.Tensor.from_dlpack(a).__dlpack__(max_version=(1, 0)))
    assert refcounts_stay(lambda a: np.from_dlpack(sc.Tensor.from_dlpack(a)))


def test_old_capsules_are_made_for_old_consumers():
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    tensor = sc.Tensor.copy_of(np.zeros(3))
    assert name(tensor.__dlpack__()) == b"dltensor"
    assert name(tensor.__dlpack__(max_version=(1, 1))) == b"dltensor_versioned"


def test_repeated_elements_are_read_only():
    row = sc.Tensor.copy_of(np.arange(3.0)).view((4, 3), (0, 1))
    assert not row.numpy().flags.writeable and np.array_equal(row.numpy()[3], [0, 1, 2])
    with pytest.raises(BufferError):
        row.__dlpack__()


def test_failures_leave_the_producer_its_array():
    # An element type that the library does not have.
    assert refcounts_stay(lambda a: pytest.raises(sc.Error, sc.Tensor.from_dlpack, a.view(np.uint64)))


def test_npy_files(tmp_path):
    array = np.arange(10, dtype=np.int64)
    sc.Tensor.copy_of(array).write_npy(tmp_path / "a.npy")
    assert np.array_equal(np.load(tmp_path / "a.npy"), array)
    assert np.array_equal(sc.Tensor.read_npy(tmp_path / "a.npy").numpy(), array)


def test_arrays_of_odd_layout_are_copied():
    v = np.arange(64.0).reshape(16, 4)
    chain = sc.Chain(np.full((1, 16, 5), 0.2))
    v.flags.writeable = False
    plain = chain @ v.copy()
    assert np.array_equal(chain @ v, plain) and np.array_equal(chain @ v[::-1], chain @ v[::-1].copy())
