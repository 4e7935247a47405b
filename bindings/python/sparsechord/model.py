"""Networks whose attention is a chain of factors that they make of the sequence itself."""
from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from ._library import Handle, Info, after, check, ffi, info, lib, listed, path_bytes, record, result, struct, text
from .context import Context, default_context
from .tensor import DTYPES, TYPES, Array, Tensor, as_given


@after("chord_model_key_get_info")
def model_keys() -> list[Info]:
    """The keys that describe a model."""
    return listed("chord_model_key_info", lib.chord_model_key_count, lib.chord_model_key_get_info)


def presets() -> list[str]:
    """The names that Model takes for a description: the paper's networks."""
    name = lib.chord_model_preset_name
    return [text(result("char const*", name, i)) for i in range(result("int32_t", lib.chord_model_preset_count))]


@after("chord_model_preset")
def preset(name: str) -> dict:
    """The description that a preset's name stands for, with all keys."""
    return json.loads(text(result("char const*", lib.chord_model_preset, name.encode())))


_kept: WeakKeyDictionary = WeakKeyDictionary()  # what options point at, as long as they live


class Model(Handle):
    """A network, on the device. Where sequences are shorter than it is long, `lengths` has how many positions of each
    count, int32 [B]; the inputs may hold anything behind them.

    >>> model = Model("adding", length=16, seed=1)
    >>> data = Dataset("adding", length=16, count=64, seed=1)
    >>> for inputs, labels in data.batches(32, shuffle=True):
    ...     result = model.train_step(inputs, labels)
    >>> model.info.step
    2
    """

    _destroy = "chord_model_destroy"

    @after("chord_model_create")
    def __init__(self, description: str | dict | None = None, *, seed: int = 0, context: Context | None = None,
                 **keys: Any):
        """description: a dict or JSON, or the name of a preset; keys are put over it: Model("adding", length=512)."""
        described = _description(description, keys)
        self._set(None, context or default_context(), described, seed)

    def _set(self, pointer: Any, context: Context, described: str = "", seed: int = 0) -> None:
        if pointer is None:
            pointer = result("chord_model*", lib.chord_model_create, context._pointer, described.encode(), seed)
        Handle.__init__(self, pointer)
        self.context = context

    @classmethod
    @after("chord_model_load")
    def load(cls, path: Any, description: str | dict | None = None, context: Context | None = None) -> Model:
        """The model of a file."""
        model = cls.__new__(cls)
        context = context or default_context()
        described = ffi.NULL if description is None else _description(description, {}).encode()
        model._set(result("chord_model*", lib.chord_model_load, context._pointer, path_bytes(path), described), context)
        return model

    @after("chord_model_save")
    def save(self, path: Any, optimizer: bool = False, note: str | None = None) -> None:
        """Writes a safetensors file; with the optimiser's state, training goes on as if it had not stopped."""
        kept = ffi.NULL if note is None else note.encode()
        check(lib.chord_model_save(self._pointer, path_bytes(path), optimizer, kept))

    @property
    def info(self) -> Info:
        """Sizes, types, seed, training steps so far."""
        return info("chord_model_info", lib.chord_model_get_info, self._pointer)

    @cached_property
    def _about(self) -> Info:
        """The same for sizes and types, which never change: telling the steps waits for them, this does not."""
        return self.info

    @property
    def note(self) -> str:
        return text(result("char const*", lib.chord_model_note, self._pointer))

    @property
    def description(self) -> dict:
        """With all keys."""
        return json.loads(text(result("char const*", lib.chord_model_description, self._pointer)))

    @after("chord_model_plan")
    def plan(self, batch: int, training: bool = True, **options: Any) -> Info:
        """The memory that a step will need."""
        return info("chord_model_memory", lib.chord_model_plan, self._pointer, batch, training, _options(self, options))

    @after("chord_model_forward_with")
    def forward(self, inputs: Array, **options: Any) -> Array:
        """The outputs, [B, classes]; options: micro_batch, memory, dropout, first_sequence, lengths."""
        given = self._inputs(inputs)
        about = self._about
        outputs = Tensor.empty((given.shape[0], about.classes), DTYPES[about.output_type], self.context)
        check(lib.chord_model_forward_with(self._pointer, given._pointer, _options(self, options), outputs._pointer))
        return as_given(outputs, inputs)

    __call__ = forward

    @after("chord_model_evaluate")
    def evaluate(self, inputs: Array, labels: Array, lengths: Array | None = None) -> Info:
        """Loss and correct answers of a batch."""
        done = struct("chord_step_result")
        options = _options(self, {"lengths": lengths})
        check(lib.chord_model_evaluate_with(self._pointer, *self._batch(inputs, labels), options, done))
        return record(done)

    @after("chord_model_gradients")
    def gradients(self, inputs: Array, labels: Array, **options: Any) -> Info:
        """Leaves the gradients of the batch's loss for gradient()."""
        done = struct("chord_step_result")
        check(lib.chord_model_gradients(self._pointer, *self._batch(inputs, labels), _options(self, options), done))
        return record(done)

    @after("chord_model_train_step")
    def train_step(self, inputs: Array, labels: Array, *, queued: bool = False, **options: Any) -> Info | None:
        """One step of Adam: learning_rate, beta1, beta2, epsilon, weight_decay, clip_norm, micro_batch, memory. Gives
        loss, correct and count; with `queued` nothing is waited for, and take_losses() tells later."""
        done = ffi.NULL if queued else struct("chord_step_result")
        check(lib.chord_model_train_step(self._pointer, *self._batch(inputs, labels), _options(self, options), done))
        return None if queued else record(done)

    @after("chord_model_backward")
    def backward(self, inputs: Array, doutputs: Array, **options: Any) -> Array | None:
        """For losses of your own: leaves the parameters' gradients of ⟨doutputs, model(inputs)⟩ for apply_gradients(),
        and gives those of the inputs where they are reals."""
        given, about = self._inputs(inputs), self._about
        upstream = self._tensor(doutputs, about.output_type)
        dinputs = None if about.vocabulary else Tensor.empty(given.shape, given.dtype, self.context)
        place = dinputs._pointer if dinputs else ffi.NULL
        check(lib.chord_model_backward(self._pointer, given._pointer, upstream._pointer, place, _options(self, options)))
        return as_given(dinputs, inputs) if dinputs else None

    @after("chord_model_apply_gradients")
    def apply_gradients(self, **options: Any) -> None:
        """One step of the optimiser with the gradients that are there: those of flat_gradients, say, after an exchange
        between processes."""
        check(lib.chord_model_apply_gradients(self._pointer, _options(self, options)))

    @property
    def flat_parameters(self) -> Tensor:
        """All parameters as one tensor, in the order of parameter_names; in place, and may be written."""
        return Tensor(result("chord_tensor*", lib.chord_model_get_parameters, self._pointer), self.context)

    @property
    def flat_gradients(self) -> Tensor:
        """All gradients likewise."""
        return Tensor(result("chord_tensor*", lib.chord_model_get_gradients, self._pointer), self.context)

    @property
    def moments(self) -> tuple[Tensor, Tensor]:
        """The optimiser's two moments likewise; SGD has the first alone."""
        first, second = ffi.new("chord_tensor**"), ffi.new("chord_tensor**")
        check(lib.chord_model_get_moments(self._pointer, first, second))
        return Tensor(first[0], self.context), Tensor(second[0], self.context)

    @after("chord_model_set_step")
    def set_step(self, step: int) -> None:
        """Makes this the number of steps there were."""
        check(lib.chord_model_set_step(self._pointer, step))

    @after("chord_model_take_losses")
    def take_losses(self, capacity: int = 256) -> list[float]:
        """The losses of queued steps, the oldest first."""
        losses, count = ffi.new("double[]", capacity), ffi.new("int64_t*")
        check(lib.chord_model_take_losses(self._pointer, capacity, losses, ffi.NULL, count, ffi.NULL))
        return list(losses[0 : count[0]])

    @property
    def parameter_names(self) -> list[str]:
        """Those of the paper's PyTorch code."""
        count = result("int64_t", lib.chord_model_parameter_count, self._pointer)
        name = lib.chord_model_parameter_name
        return [text(result("char const*", name, self._pointer, i)) for i in range(count)]

    @after("chord_model_parameter")
    def parameter(self, name: str) -> Tensor:
        """A look at a parameter, which may be written."""
        return Tensor(result("chord_tensor*", lib.chord_model_parameter, self._pointer, name.encode()), self.context)

    @after("chord_model_gradient")
    def gradient(self, name: str) -> Tensor:
        """A look at a parameter's gradient."""
        return Tensor(result("chord_tensor*", lib.chord_model_gradient, self._pointer, name.encode()), self.context)

    def state_dict(self) -> dict[str, np.ndarray]:
        """All parameters, copied."""
        return {name: self.parameter(name).to_host() for name in self.parameter_names}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Takes over the values of all parameters."""
        names = self.parameter_names
        if set(names) != set(state):
            raise ValueError(f"the names differ: {sorted(set(names) ^ set(state))}")
        for name in names:
            self.parameter(name).assign(np.asarray(state[name]))

    @after("chord_model_attention")
    def attention(self, inputs: Array, indices: Sequence[int], block: int = 0,
                  lengths: Array | None = None) -> np.ndarray:
        """Which positions these rows attend to, [B, count, N]."""
        given, about = self._inputs(inputs), self._about
        wanted = [int(i) for i in indices]
        shape = (given.shape[0], len(wanted), about.length)
        out = Tensor.empty(shape, DTYPES[about.output_type], self.context)
        options = _options(self, {"lengths": lengths})
        check(lib.chord_model_attention_with(self._pointer, given._pointer, block, wanted, len(wanted), options,
                                             out._pointer))
        return out.numpy()

    def _inputs(self, inputs: Array) -> Tensor:
        return self._tensor(inputs, self._about.input_type)

    def _batch(self, inputs: Array, labels: Array) -> tuple[Any, Any]:
        # The tensors outlive the call that is given their handles, because the tuple keeps them.
        about = self._about
        return (self._tensor(inputs, about.input_type)._pointer, self._tensor(labels, about.label_type)._pointer)

    def _tensor(self, values: Array, kind: int) -> Tensor:
        if isinstance(values, Tensor):
            return values
        # A copy, so that tokens are checked at once and the caller's array is free to change.
        return Tensor.copy_of(np.asarray(values, DTYPES[kind]), self.context)

    def __repr__(self) -> str:
        if not self._pointer:
            return "<Model, closed>"
        about = self.info
        return f"<Model of {about.parameters} parameters, sequences of {about.length}, step {about.step}>"


def _description(description: str | dict | None, keys: dict) -> str:
    if isinstance(description, str):
        described = json.loads(description) if description.lstrip().startswith("{") else {"preset": description}
    else:
        described = dict(description or {})
    return json.dumps({**described, **keys})


def _options(model: Model, options: dict) -> Any:
    lengths = options.get("lengths")
    if lengths is None:
        return struct("chord_train_options", **options)
    pointer = model._tensor(lengths, TYPES[np.dtype(np.int32)])._pointer
    given = struct("chord_train_options", **{**options, "lengths": pointer})
    _kept[given] = pointer
    return given
