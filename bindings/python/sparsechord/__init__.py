"""SparseChord: square matrices as products of sparse factors, and networks with such attention.

    import numpy as np, sparsechord as sc

    X = np.random.default_rng(0).random((64, 64))
    factors = sc.factorize(X, seconds=5)             # X̂, a product of sparse factors
    factors @ np.ones(64)                            # like X @ np.ones(64), from N·log²N numbers

    model = sc.Model("adding", length=128, seed=1)   # a network, trained on the task's sequences
    data = sc.Dataset("adding", length=128, count=4000, seed=1)
    for inputs, labels in data.batches(40, shuffle=True):
        print(model.train_step(inputs, labels).loss)

Arrays are NumPy's, or anything with __dlpack__; sparsechord.torch has layers for PyTorch.
"""
from ._library import Info
from ._raw import VERSION as __version__
from .chain import (
    Chain,
    Pattern,
    full_chain_length,
    product,
    product_gradient_values,
    product_gradient_weights,
)
from .context import Context, backends, default_context, devices
from .data import Batches, Dataset, Encoder, tasks
from .errors import *  # noqa: F403
from .factorization import Factorization
from .fit import Job, constraints, factorize, start_factorize
from .matrix import Matrix
from .model import Model, model_keys, preset, presets
from .tensor import Tensor

__all__ = [
    "Batches", "Chain", "Context", "Dataset", "Encoder", "Factorization", "Info", "Job", "Matrix", "Model", "Pattern",
    "Tensor", "__version__", "backends", "constraints", "default_context", "devices", "factorize", "full_chain_length",
    "model_keys", "preset", "presets", "product", "product_gradient_values", "product_gradient_weights", "start_factorize",
    "tasks",
]
