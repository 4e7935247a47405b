"""The rule of streams, with hand-made capsules of a CUDA device: whoever hands memory over orders its work before the
receiver's stream. Runs where there is a CUDA device, or the stand-in for its driver, which does work only when somebody
waits for it (CHORD_STANDIN_LAZY=1), so that a missing order shows."""
import ctypes

import numpy as np
import pytest
import sparsechord as sc
from sparsechord import _dlpack
from sparsechord._library import ffi

pytestmark = pytest.mark.skipif(
    all(device.selector != "cuda:0" for device in sc.devices()), reason="no CUDA device"
)
BYTES = 4 * 6


class Driver:
    """The CUDA driver as another library in this process uses it, with a stream and some memory of its own."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        context = self.got(ctypes.c_void_p, "cuDevicePrimaryCtxRetain", 0)
        self.call("cuCtxPushCurrent_v2", context)
        self.stream = self.new_stream()
        self.memory = self.got(ctypes.c_uint64, "cuMemAlloc_v2", ctypes.c_size_t(BYTES))

    def call(self, name, *arguments):
        assert getattr(self.library, name)(*arguments) == 0, name

    def got(self, kind, name, *arguments):
        place = kind()
        self.call(name, ctypes.byref(place), *arguments)
        return place

    def new_stream(self):
        does_not_wait_for_the_default_stream = 1
        return self.got(ctypes.c_void_p, "cuStreamCreate", does_not_wait_for_the_default_stream)

    def write(self, values, stream):
        """Queues a copy from a host array, which must live until it is done."""
        self.call("cuMemcpyAsync", self.memory, ctypes.c_uint64(values.ctypes.data), ctypes.c_size_t(BYTES), stream)

    def read(self, address, stream):
        values = np.empty((2, 3), np.float32)
        self.call("cuMemcpyAsync", ctypes.c_uint64(values.ctypes.data), ctypes.c_uint64(address),
                  ctypes.c_size_t(BYTES), stream)
        self.call("cuStreamSynchronize", stream)
        return values

    def order(self, later, earlier):
        """What the stream `later` is given from now on comes after what `earlier` has."""
        event = self.got(ctypes.c_void_p, "cuEventCreate", 2)
        self.call("cuEventRecord", event, earlier)
        self.call("cuStreamWaitEvent", later, event, 0)


@pytest.fixture
def driver():
    return Driver()


class Producer:
    """What PyTorch does: writes on a stream of its own, and, asked for a capsule, makes the receiver's stream wait."""

    def __init__(self, driver, values):
        self.driver, self.values, self.streams, self.deleted = driver, values, [], 0
        driver.write(values, driver.stream)

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None, max_version=None):
        self.streams.append(stream)
        self.driver.order(ctypes.c_void_p(stream), self.driver.stream)
        return self.capsule("DLManagedTensorVersioned", _dlpack.NEW)

    def capsule(self, kind, name):
        def delete(managed):
            self.deleted += 1

        self.shape = ffi.new("int64_t[2]", [2, 3])
        self.deleter = ffi.callback(f"void({kind}*)", delete)
        managed = self.managed = ffi.new(f"{kind}*")
        if kind == "DLManagedTensorVersioned":
            managed.major = 1
        managed.deleter, tensor = self.deleter, managed.dl_tensor
        tensor.data, tensor.ndim, tensor.shape = ffi.cast("void*", self.driver.memory.value), 2, self.shape
        tensor.device = {"device_type": 2, "device_id": 0}
        tensor.dtype = {"code": 2, "bits": 32, "lanes": 1}
        return _dlpack.capsule(managed, name)


class OldProducer(Producer):
    """One from before version 1."""

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        self.driver.order(ctypes.c_void_p(stream), self.driver.stream)
        return self.capsule("DLManagedTensor", _dlpack.OLD)


@pytest.mark.parametrize("kind", [Producer, OldProducer])
def test_a_producer_is_given_our_stream_and_its_work_comes_first(driver, kind):
    context = sc.Context("cuda:0")
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    producer = kind(driver, values)
    tensor = sc.Tensor.from_dlpack(producer, context)
    assert producer.streams == [sc.tensor.context_stream(context)] and producer.streams[0] > 2
    assert np.array_equal(tensor.to_host(), values)
    tensor.close()
    context.wait()
    assert producer.deleted == 1


def test_in_torchs_stream_nothing_is_waited_for(driver):
    """A context on somebody's stream asks for that stream, and what follows there sees our work."""
    context = sc.Context.on_cuda_stream(0, driver.stream.value)
    producer = Producer(driver, np.zeros((2, 3), np.float32))
    tensor = sc.Tensor.from_dlpack(producer, context)
    assert producer.streams == [driver.stream.value]
    tensor.fill(7)
    assert np.array_equal(driver.read(driver.memory.value, driver.stream), np.full((2, 3), 7))
    # The default stream is 1 in the words of __dlpack__.
    producer = Producer(driver, np.zeros((2, 3), np.float32))
    sc.Tensor.from_dlpack(producer, sc.Context.on_cuda_stream(0, 0))
    assert producer.streams == [1]


@pytest.mark.parametrize("version", [None, (1, 0)])
def test_our_work_comes_before_the_consumers(driver, version):
    tensor = sc.Tensor.copy_of(np.zeros((2, 3), np.float32), sc.Context("cuda:0"))
    tensor.fill(5)  # queued
    assert tensor.__dlpack_device__() == (2, 0)
    consumer = driver.new_stream()
    capsule = tensor.__dlpack__(stream=consumer.value, max_version=version)
    name, kind = (_dlpack.NEW, "DLManagedTensorVersioned*") if version else (_dlpack.OLD, "DLManagedTensor*")
    managed = ffi.cast(kind, _dlpack._python.PyCapsule_GetPointer(id(capsule), name))
    address = int(ffi.cast("intptr_t", managed.dl_tensor.data))
    assert np.array_equal(driver.read(address, consumer), np.full((2, 3), 5))


def test_the_host_gets_copies_and_chains_work_there(driver):
    context = sc.Context("cuda:0")
    chain = sc.Chain(np.full((3, 16, 5), 0.2, np.float32), context=context)
    assert np.allclose(chain @ np.ones((16, 2), np.float32), 1)
    with pytest.raises(sc.UnsupportedError):
        sc.Tensor.from_dlpack(np.zeros(3), context)
