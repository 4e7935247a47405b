"""Layers for PyTorch: chains of Chord factors with gradients, attention that is one, and whole networks.

Tensors are shared, not copied. On the CPU, work is done when a call returns; tensors of a CUDA device are worked on in
torch's current stream."""
from __future__ import annotations

from functools import lru_cache
from typing import List, Tuple

import torch
from torch import nn

from . import Chain, Context, Pattern, Tensor, full_chain_length
from ._library import check, ffi, lib


@lru_cache(maxsize=None)
def _context(kind: str, index: int, stream: int) -> Context:
    return Context("host") if kind == "cpu" else Context.on_cuda_stream(index, stream)


def _context_of(tensor: torch.Tensor) -> Context:
    if not tensor.is_cuda:
        return _context("cpu", 0, 0)
    return _context("cuda", tensor.device.index, torch.cuda.current_stream(tensor.device).cuda_stream)


@lru_cache(maxsize=256)
def _pattern(n: int, offsets: tuple, context: Context) -> Pattern:
    return Pattern.custom(n, offsets, context)


def _chain(weights: torch.Tensor, offsets: List[int], residual: bool) -> Chain:
    context = _context_of(weights)
    pattern = _pattern(weights.shape[-2], tuple(offsets), context)
    return Chain(Tensor.from_dlpack(weights.detach(), context), pattern, residual)


@torch.library.custom_op("sparsechord::chain", mutates_args=())
def _apply(weights: torch.Tensor, v: torch.Tensor, offsets: List[int], residual: bool) -> torch.Tensor:
    weights, v = weights.contiguous(), v.contiguous()
    z = torch.empty_like(v)
    with _chain(weights, offsets, residual) as chain:
        chain.apply(Tensor.from_dlpack(v.detach(), chain.context), out=Tensor.from_dlpack(z, chain.context))
    return z


@torch.library.custom_op("sparsechord::chain_gradient", mutates_args=())
def _gradient(weights: torch.Tensor, v: torch.Tensor, g: torch.Tensor, offsets: List[int],
              residual: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    weights, v, g = weights.contiguous(), v.contiguous(), g.contiguous()
    dw, dv = torch.empty_like(weights), torch.empty_like(v)
    with _chain(weights, offsets, residual) as chain:
        values, upstream, to_weights, to_values = (
            Tensor.from_dlpack(x.detach(), chain.context) for x in (v, g, dw, dv)
        )
        check(lib.chord_chain_gradient(chain._pointer, values._pointer, ffi.NULL, upstream._pointer,
                                       to_weights._pointer, to_values._pointer, 0))
    return dw, dv


@_apply.register_fake
def _(weights, v, offsets, residual):
    return torch.empty_like(v, memory_format=torch.contiguous_format)


@_gradient.register_fake
def _(weights, v, g, offsets, residual):
    shapes = (weights, v)
    return tuple(torch.empty_like(x, memory_format=torch.contiguous_format) for x in shapes)


def _keep(ctx, inputs, output) -> None:
    weights, v, ctx.offsets, ctx.residual = inputs
    ctx.save_for_backward(weights, v)


def _backward(ctx, g):
    weights, v = ctx.saved_tensors
    dw, dv = _gradient(weights, v, g, ctx.offsets, ctx.residual)
    return dw, dv, None, None


_apply.register_autograd(_backward, setup_context=_keep)


def chord_offsets(n: int, links: int = 0) -> List[int]:
    """The offsets of the chord pattern of base 2."""
    return Pattern.chord(n, 2, links, _context("cpu", 0, 0)).offsets


def chain(weights: torch.Tensor, v: torch.Tensor, offsets: List[int] | None = None,
          residual: bool = False) -> torch.Tensor:
    """W_M ⋯ W_1 v with gradients for both. weights: [M, N, L], or [M, B, N, L] with factors of each sequence's own;
    v: [N, D] or [B, N, D]; float32 or float64."""
    n, links = weights.shape[-2:]
    return _apply(weights, v, chord_offsets(n, links) if offsets is None else list(offsets), residual)


class ChordChain(nn.Module):
    """A linear layer along the N positions whose matrix is a product of learned sparse factors: [B, N, D] → the same."""

    def __init__(self, n: int, factors: int = 0, links: int = 0, residual: bool = False, dtype=None):
        super().__init__()
        self.offsets = chord_offsets(n, links)
        factors = factors or max(1, full_chain_length(n))
        self.residual = residual
        self.weights = nn.Parameter(torch.empty(factors, n, len(self.offsets), dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Near the identity: each factor's diagonal is 1."""
        with torch.no_grad():
            self.weights.normal_(std=0.02)
            self.weights[..., 0] += 1

    def forward(self, v: torch.Tensor) -> torch.Tensor:
        return chain(self.weights, v, self.offsets, self.residual)


class Rows(nn.Module):
    """The small network that works row by row: linear, GELU, linear."""

    def __init__(self, width: int, hidden: int, out: int):
        super().__init__()
        self.network = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, out))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return self.network(rows)


def without_padding(rows: torch.Tensor, lengths: torch.Tensor | None) -> torch.Tensor:
    """Zeros behind the end of each sequence of [B, N] or [B, N, …]."""
    if lengths is None:
        return rows
    padding = torch.arange(rows.shape[1], device=rows.device) >= lengths[:, None]
    return rows.masked_fill(padding.reshape(padding.shape + (1,) * (rows.dim() - 2)), 0)


class PSFAttention(nn.Module):
    """Attention as a product of sparse factors that networks make of the sequence: V = g(E), W_m = f_m(E), and
    V ← W_m V (+ the first V, with residuals) for all m. [B, N, width] → [B, N, channels]. The parameters' names are
    those of the paper's code. lengths: how many rows of each sequence count, [B]; those behind them hold anything, and
    come out as zeros."""

    def __init__(self, length: int, width: int, channels: int, hidden_f: int, hidden_g: int, factors: int = 0,
                 links: int = 0, residual: bool = True, dropout: float = 0.0):
        super().__init__()
        factors = factors or max(1, full_chain_length(length))
        self.offsets = chord_offsets(length, links or factors + 1)
        self.residual = residual
        self.fs = nn.ModuleList(Rows(width, hidden_f, len(self.offsets)) for _ in range(factors))
        self.g = Rows(width, hidden_g, channels)
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows: torch.Tensor, lengths: torch.Tensor | None = None) -> torch.Tensor:
        rows = without_padding(rows, lengths)
        weights = torch.stack([without_padding(f(rows), lengths) for f in self.fs])
        values = without_padding(self.dropout(self.g(rows)), lengths)
        return chain(weights, values, self.offsets, self.residual)


class PSFNet(nn.Module):
    """The network that a description of sparsechord.Model describes, in PyTorch. state_dict() and load_state_dict() of
    both have the same names and shapes, and their files are each other's."""

    def __init__(self, description: dict):
        super().__init__()
        d = description
        if d["input"] == "tokens":
            self.embedding = nn.Embedding(d["vocabulary"], d["width"], d["padding"] if d["padding"] >= 0 else None)
        else:
            self.init_linear = nn.Linear(d["features"], d["width"])
        if d["positions"]:
            self.pos_embedding = nn.Embedding(d["length"], d["width"])
        self.dropout_input, self.dropout_output = nn.Dropout(d["dropout_input"]), nn.Dropout(d["dropout_output"])

        def block(width: int) -> PSFAttention:
            return PSFAttention(d["length"], width, d["channels"], d["hidden_f"], d["hidden_g"], d["factors"],
                                d["links"], d["residual"], d["dropout_values"])

        first = block(d["width"])
        self.fs, self.g = first.fs, first.g
        self._first = [first]  # in a list, so that its parameters have one name
        self.blocks = nn.ModuleDict({str(i): block(d["channels"]) for i in range(1, d["blocks"])})
        self.flatten = d["pooling"] == "flatten"
        seen = d["channels"] * (d["length"] if self.flatten else 1)
        hidden = d["head_hidden"]
        self.final = (
            nn.Sequential(nn.Linear(seen, hidden), nn.GELU(), nn.Linear(hidden, d["classes"]))
            if hidden else nn.Linear(seen, d["classes"])
        )
        if d["precision"] == 64:
            self.double()

    def forward(self, inputs: torch.Tensor, lengths: torch.Tensor | None = None) -> torch.Tensor:
        inputs = without_padding(inputs, lengths)
        rows = self.embedding(inputs) if hasattr(self, "embedding") else self.init_linear(inputs)
        if hasattr(self, "pos_embedding"):
            rows = rows + self.pos_embedding.weight
        rows = self.dropout_input(rows)
        first = self._first[0].train(self.training)
        for attention in (first, *self.blocks.values()):
            rows = attention(rows, lengths)
        rows = self.dropout_output(rows)
        return self.final(rows.flatten(1) if self.flatten else rows[:, 0])
