"""Just enough of SparseChord's C interface for a comparison: a model on a device, with NumPy arrays in and out."""
import ctypes
import json
from ctypes import byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint64, c_void_p

import numpy as np

TYPES = {np.dtype(np.float32): 0, np.dtype(np.float64): 1, np.dtype(np.int32): 2, np.dtype(np.int64): 3}


class TensorInfo(ctypes.Structure):  # chord_tensor_info
    _fields_ = [("struct_size", c_size_t), ("type", c_int32), ("rank", c_int32), ("shape", c_int64 * 8),
                ("strides", c_int64 * 8), ("bytes", c_uint64)]


class DeviceInfo(ctypes.Structure):  # chord_device_info
    _fields_ = [("struct_size", c_size_t), ("kind", c_int32), ("units", c_int32), ("memory_bytes", c_uint64),
                ("host_readable", c_int32), ("has_float64", c_int32), ("selector", ctypes.c_char * 64),
                ("backend", ctypes.c_char * 32), ("name", ctypes.c_char * 256)]


class TrainOptions(ctypes.Structure):  # chord_train_options
    _fields_ = [("struct_size", c_size_t), ("learning_rate", c_double), ("beta1", c_double), ("beta2", c_double),
                ("epsilon", c_double), ("weight_decay", c_double), ("clip_norm", c_double), ("micro_batch", c_int64),
                ("memory", c_int32), ("optimizer", c_int32), ("momentum", c_double), ("lengths", c_void_p),
                ("first_sequence", c_int64), ("whole_batch", c_int64), ("dropout", c_int32), ("accumulate", c_int32)]


class StepResult(ctypes.Structure):  # chord_step_result
    _fields_ = [("struct_size", c_size_t), ("loss", c_double), ("correct", c_int64), ("count", c_int64)]


def sized(struct, **members):
    return struct(struct_size=ctypes.sizeof(struct), **members)


class Library:
    """Calls by name, without the prefix; a failed one raises what chord_last_error says."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.chord_last_error.restype = c_char_p
        if not hasattr(self.library, "chord_model_create"):
            raise RuntimeError(f"{path} has no models")

    def __getattr__(self, name):
        function = getattr(self.library, f"chord_{name}")

        def call(*arguments):
            if function(*arguments) != 0:
                raise RuntimeError(self.library.chord_last_error().decode())

        return call

    def result(self, name, *arguments, kind=c_void_p):
        """What a function gives through its last parameter."""
        result = kind()
        getattr(self, name)(*arguments, byref(result))
        return result


class Context:
    def __init__(self, path, device):
        self.chord = Library(path)
        self.handle = self.chord.result("context_create", device.encode())
        info = sized(DeviceInfo)
        self.chord.context_get_device(self.handle, byref(info))
        self.device = f"{info.backend.decode()}: {info.name.decode().strip()}"

    def tensor(self, shape, dtype):
        shape = (c_int64 * len(shape))(*shape)
        kind, rank = c_int32(TYPES[np.dtype(dtype)]), c_int32(len(shape))
        return self.chord.result("tensor_create", self.handle, kind, rank, shape)

    def upload(self, tensor, array):
        self.chord.tensor_from_host(tensor, array.ctypes.data_as(c_void_p), c_size_t(array.nbytes))

    def download(self, tensor):
        info = sized(TensorInfo)
        self.chord.tensor_get_info(tensor, byref(info))
        dtype = next(dtype for dtype, number in TYPES.items() if number == info.type)
        array = np.empty(info.shape[:info.rank], dtype)
        self.chord.tensor_to_host(tensor, array.ctypes.data_as(c_void_p), c_size_t(array.nbytes))
        return array


class Model:
    """A model for batches of one shape; every call copies its batch to the device, as a training loop would."""

    def __init__(self, context, description, batch, file=None, seed=1):
        self.context, self.chord = context, context.chord
        text = json.dumps(description).encode()
        if file:
            self.handle = self.chord.result("model_load", context.handle, str(file).encode(), text)
        else:
            self.handle = self.chord.result("model_create", context.handle, text, c_uint64(seed))
        reals = description["input"] == "reals"
        shape = (batch, description["length"]) + ((description["features"],) if reals else ())
        self.inputs = context.tensor(shape, np.float32 if reals else np.int32)
        self.labels = context.tensor((batch,), np.float32 if description["loss"] == "mse" else np.int32)
        self.outputs = context.tensor((batch, description["classes"]), np.float32)
        self.options, self.step = sized(TrainOptions), sized(StepResult)

    def save(self, path):
        self.chord.model_save(self.handle, str(path).encode(), c_int32(0), None)

    def train_step(self, inputs, labels):
        self.context.upload(self.inputs, inputs)
        self.context.upload(self.labels, labels)
        self.chord.model_train_step(self.handle, self.inputs, self.labels, byref(self.options), byref(self.step))
        return self.step.loss

    def infer(self, inputs):
        self.context.upload(self.inputs, inputs)
        self.chord.model_forward(self.handle, self.inputs, self.outputs)
        return self.context.download(self.outputs)

    def gradients(self, inputs, labels):
        """Loss and gradients by name, without dropout."""
        self.context.upload(self.inputs, inputs)
        self.context.upload(self.labels, labels)
        self.chord.model_gradients(self.handle, self.inputs, self.labels, byref(self.options), byref(self.step))
        count = self.chord.result("model_parameter_count", self.handle, kind=c_int64).value
        gradients = {}
        for index in range(count):
            name = self.chord.result("model_parameter_name", self.handle, c_int64(index), kind=c_char_p).value
            tensor = self.chord.result("model_gradient", self.handle, name)
            gradients[name.decode()] = self.context.download(tensor)
            self.chord.tensor_destroy(tensor)
        return self.step.loss, gradients

    def close(self):
        for tensor in (self.inputs, self.labels, self.outputs):
            self.chord.tensor_destroy(tensor)
        self.chord.model_destroy(self.handle)
