"""The PSF model in PyTorch, for comparison with SparseChord.

It is built from the description that chord_model_create takes (see chord.h), and its state_dict has the names and shapes
of a file of chord_model_save, which are those of the paper's code:

    model = psf_torch.load("model.safetensors")

The Chord product Z[i] = Σ_k W[i, k] · V[(i + o_k) mod N] is written in the two ways that suggest themselves, `gather`
and `rolls`; both may be compiled.
"""
import json
import math

import torch
from torch import nn


def gather(w, v, offsets, columns):
    """Every row's neighbours side by side, then a weighted sum over them."""
    neighbours = v.index_select(1, columns.flatten()).unflatten(1, columns.shape)
    return (w.unsqueeze(-1) * neighbours).sum(2)


def rolls(w, v, offsets, columns):
    """The whole of V, rotated by each offset and weighted."""
    return sum(torch.roll(v, -offset, 1) * w[..., k, None] for k, offset in enumerate(offsets))


PRODUCTS = {"gather": gather, "rolls": rolls}


class RowNetwork(nn.Module):
    """Linear, GELU, linear: the f and g of a block."""

    def __init__(self, inputs, hidden, outputs):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, outputs))

    def forward(self, rows):
        return self.network(rows)


class PSF(nn.Module):
    def __init__(self, description, product="gather"):
        super().__init__()
        get = description.get
        if get("blocks", 1) != 1:
            raise ValueError(f"this model has one block, not {get('blocks')}")
        length, width, channels = (description[key] for key in ("length", "width", "channels"))
        factors = get("factors", math.ceil(math.log2(length)))
        links = get("links", factors + 1)

        if description["input"] == "reals":
            self.init_linear = nn.Linear(description["features"], width)
        else:
            padding = get("padding", -1)
            padding = padding if padding >= 0 else None
            self.embedding = nn.Embedding(description["vocabulary"], width, padding_idx=padding)
        if get("positions"):
            self.pos_embedding = nn.Embedding(length, width)
        self.fs = nn.ModuleList(RowNetwork(width, description["hidden_f"], links) for _ in range(factors))
        self.g = RowNetwork(width, description["hidden_g"], channels)

        self.flatten = get("pooling", "flatten") == "flatten"
        pooled = length * channels if self.flatten else channels
        hidden, classes = get("head_hidden", 0), description["classes"]
        self.final = nn.Linear(pooled, classes) if not hidden else nn.Sequential(
            nn.Linear(pooled, hidden), nn.GELU(), nn.Linear(hidden, classes))

        self.residual = get("residual", False)
        self.dropout_input = nn.Dropout(get("dropout_input", 0.0))
        self.dropout_values = nn.Dropout(get("dropout_values", 0.0))
        self.dropout_output = nn.Dropout(get("dropout_output", 0.0))
        self.product = PRODUCTS[product]
        self.offsets = [0] + [2**k for k in range(links - 1)]
        columns = (torch.arange(length)[:, None] + torch.tensor(self.offsets)) % length
        self.register_buffer("columns", columns, persistent=False)

    def forward(self, inputs):
        rows = self.init_linear(inputs) if inputs.is_floating_point() else self.embedding(inputs)
        if hasattr(self, "pos_embedding"):
            rows = rows + self.pos_embedding.weight
        rows = self.dropout_input(rows)
        first = v = self.dropout_values(self.g(rows))
        for f in self.fs:
            v = self.product(f(rows), v, self.offsets, self.columns)
            if self.residual:
                v = v + first
        v = self.dropout_output(v)
        return self.final(v.flatten(1) if self.flatten else v[:, 0])


def loss_function(description):
    """Mean loss of a batch, from outputs [B, classes] and labels [B]."""
    if description.get("loss") == "mse":
        return lambda outputs, labels: nn.functional.mse_loss(outputs.squeeze(-1), labels)
    return lambda outputs, labels: nn.functional.cross_entropy(outputs, labels.long())


def load(path, description=None, product="gather"):
    """A model with the parameters of a safetensors file, described by the file itself unless a description is given."""
    import safetensors.torch

    if description is None:
        with safetensors.safe_open(path, "pt") as file:
            description = json.loads(file.metadata()["model"])
    model = PSF(description, product)
    names = model.state_dict().keys()
    tensors = safetensors.torch.load_file(path)
    model.load_state_dict({name: tensors[name] for name in names})
    return model
