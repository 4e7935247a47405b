#!/usr/bin/env python3
"""Makes the golden files beside it: what PyTorch computes for one small model of each kind (see README.md).

Every kind has a folder: the parameters and the gradients of the first step as model files, the inputs, labels, logits
and the losses of ten steps on this one batch as npy files, of Adam and of AdamW with a rising rate and clipped gradients. The parameters are float32 numbers; everything is
computed in float64, so that a difference is the library's own.
"""
import copy
import json
import math
import pathlib

import numpy
import torch
from safetensors.torch import save_file
from torch import nn

tokens = {"input": "tokens", "positions": True, "width": 8, "hidden_f": 8, "hidden_g": 8, "channels": 4}
# Several tiles of rows for several workers, a last one that is not full, and sizes that fill no vector.
kinds = {
    "image": (17, {**tokens, "length": 64, "vocabulary": 32, "head_hidden": 6, "classes": 10}),
    "order": (20, {**tokens, "length": 64, "vocabulary": 6, "residual": True, "classes": 4}),
    "listops": (13, {**tokens, "length": 100, "vocabulary": 17, "padding": 15, "width": 24, "hidden_f": 12,
                     "hidden_g": 20, "channels": 10, "pooling": "cls", "classes": 10}),
    "text": (9, {**tokens, "length": 129, "factors": 7, "links": 8, "vocabulary": 20, "padding": 18,
                 "positions": False, "hidden_f": 16, "hidden_g": 16, "channels": 8, "residual": True,
                 "pooling": "cls", "classes": 2}),
    "adding": (20, {"input": "reals", "features": 2, "length": 64, "width": 8, "hidden_f": 8, "hidden_g": 8,
                    "channels": 5, "residual": True, "classes": 1, "loss": "mse"}),
    "stacked": (23, {**tokens, "length": 48, "vocabulary": 11, "width": 5, "blocks": 2, "residual": True,
                     "classes": 3}),
}


class Network(nn.Module):
    """Linear-GELU-Linear on every row."""

    def __init__(self, ins, hidden, outs):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(ins, hidden), nn.GELU(), nn.Linear(hidden, outs))

    def forward(self, rows):
        return self.network(rows)


def product(weights, values):
    """Z[i] = sum over k of W[i, k] V[(i + o_k) mod N], with offsets 0, 1, 2, 4, ..."""
    result = torch.zeros_like(values)
    for k in range(weights.shape[-1]):
        offset = 0 if k == 0 else 2 ** (k - 1)
        result = result + weights[..., k:k + 1] * torch.roll(values, -offset, dims=-2)
    return result


class Block(nn.Module):
    def __init__(self, ins, d):
        super().__init__()
        self.fs = nn.ModuleList(Network(ins, d["hidden_f"], d["links"]) for _ in range(d["factors"]))
        self.g = Network(ins, d["hidden_g"], d["channels"])
        self.residual = d.get("residual", False)

    def forward(self, rows):
        first = values = self.g(rows)
        for f in self.fs:
            values = product(f(rows), values)
            if self.residual:
                values = values + first
        return values


class Model(nn.Module):
    def __init__(self, d):
        super().__init__()
        if d["input"] == "tokens":
            self.embedding = nn.Embedding(d["vocabulary"], d["width"], padding_idx=d.get("padding"))
        else:
            self.init_linear = nn.Linear(d["features"], d["width"])
        if d.get("positions"):
            self.pos_embedding = nn.Embedding(d["length"], d["width"])
        ins = [d["width"]] + [d["channels"]] * (d.get("blocks", 1) - 1)
        self.blocks = nn.ModuleList(Block(each, d) for each in ins)
        self.cls = d.get("pooling") == "cls"
        pooled = d["channels"] * (1 if self.cls else d["length"])
        hidden = d.get("head_hidden", 0)
        self.final = (nn.Sequential(nn.Linear(pooled, hidden), nn.GELU(), nn.Linear(hidden, d["classes"]))
                      if hidden else nn.Linear(pooled, d["classes"]))

    def forward(self, inputs):
        rows = self.embedding(inputs) if hasattr(self, "embedding") else self.init_linear(inputs)
        if hasattr(self, "pos_embedding"):
            rows = rows + self.pos_embedding.weight
        for block in self.blocks:
            rows = block(rows)
        return self.final(rows[:, 0] if self.cls else rows.flatten(1))


def batch_of(d, batch):
    if d["input"] == "reals":
        values = torch.rand(batch, d["length"]) * 2 - 1
        marked = torch.stack([torch.randperm(d["length"])[:2] for _ in range(batch)])
        marks = torch.zeros(batch, d["length"]).scatter_(1, marked, 1.0)
        return torch.stack([values, marks], dim=2), 0.5 + (values * marks).sum(1) / 4
    return torch.randint(d["vocabulary"], (batch, d["length"])), torch.randint(d["classes"], (batch,))


def loss_of(d, logits, labels):
    return (nn.functional.mse_loss(logits[:, 0], labels) if d.get("loss") == "mse"
            else nn.functional.cross_entropy(logits, labels))


def losses_of(d, model, inputs, labels, optimizer, clip):
    losses = []
    for step in range(10):
        optimizer.zero_grad()
        loss = loss_of(d, model(inputs), labels)
        loss.backward()
        losses.append(loss.item())
        if clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.param_groups[0]["lr"] = 1e-2 * (step + 1) / 10
        optimizer.step()
    return losses


def stored_name(name):
    """The first block's networks have no prefix."""
    return name.removeprefix("blocks.0.")


def save_parameters(path, d, named):
    save_file({stored_name(name): value.detach().float().contiguous() for name, value in named}, path,
              {"model": json.dumps(d)})


def save_array(path, tensor):
    numpy.save(path, tensor.detach().numpy().astype({"f": "<f4", "i": "<i4"}[tensor.detach().numpy().dtype.kind]))


def make(folder, batch, d):
    d = {"factors": math.ceil(math.log2(d["length"])), **d}
    d = {"links": d["factors"] + 1, **d}
    folder.mkdir(exist_ok=True)
    torch.manual_seed(1)
    model = Model(d)
    if "padding" in d:  # not zero, so that a forgotten row is seen
        nn.init.normal_(model.embedding.weight.data[d["padding"]])
    inputs, labels = batch_of(d, batch)
    model.double()
    save_parameters(folder / "parameters.safetensors", d, model.named_parameters())
    save_array(folder / "inputs.npy", inputs)
    save_array(folder / "labels.npy", labels)
    if d["input"] == "reals":
        inputs, labels = inputs.double(), labels.float().double()

    logits = model(inputs)
    loss_of(d, logits, labels).backward()
    save_array(folder / "logits.npy", logits)
    save_parameters(folder / "gradients.safetensors", d, [(n, p.grad) for n, p in model.named_parameters()])
    losses = []
    for clip, optimizer_of in ((None, lambda p: torch.optim.Adam(p, lr=1e-3)),
                               (0.5, lambda p: torch.optim.AdamW(p, lr=1e-3, weight_decay=0.1))):
        trained = copy.deepcopy(model)
        optimizer = optimizer_of(trained.parameters())
        losses.append(losses_of(d, trained, inputs, labels, optimizer, clip))
    numpy.save(folder / "losses.npy", numpy.array(losses[0]))
    numpy.save(folder / "losses_adamw.npy", numpy.array(losses[1]))
    losses = losses[0]
    print(folder.name, sum(p.numel() for p in model.parameters()), "parameters; losses", losses[0], "to", losses[-1])


if __name__ == "__main__":
    for kind, (batch, description) in kinds.items():
        make(pathlib.Path(__file__).parent / kind, batch, description)
