"""SparseChord's Python package as it lies in this tree, with a library of the caller's choice."""
import importlib
import os
import pathlib
import sys


def load(library):
    """The package, which from now on uses this library; a process has one."""
    os.environ["CHORD_LIBRARY"] = os.path.abspath(library)
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings/python"))
    return importlib.import_module("sparsechord")


def about(context):
    """What computes, in a line."""
    return f"{context.device.backend}: {context.device.name.strip()}"
