"""The paper's six tasks: its models, as SparseChord's presets have them, and random batches of their kind."""
import collections

import numpy as np

# batch and learning rate: the paper's; steps: how many tell whether two programs learn the same, in a minute or so
Task = collections.namedtuple("Task", "batch learning_rate steps")
TASKS = {"adding": Task(40, 1e-3, 200), "order": Task(40, 1e-3, 200), "listops": Task(32, 1e-3, 10),
         "text": Task(32, 1e-4, 30), "image": Task(32, 1e-3, 200), "pathfinder": Task(64, 1e-3, 50)}
ANY_LENGTH = ("adding", "order")


def model(chord, task, length=None):
    """The description of a task's model, of another length where one is given."""
    description = chord.preset(task)
    if length and length != description["length"]:
        for follows in ("factors", "links"):
            del description[follows]
        description["length"] = length
    return description


def batch(task, description, size, random):
    """Inputs and labels; of the adding problem right ones, of the others any."""
    length = description["length"]
    if task == "adding":
        inputs = np.stack([random.uniform(-1, 1, (size, length)), np.zeros((size, length))], 2).astype(np.float32)
        marked = np.stack([random.choice(length, 2, replace=False) for _ in range(size)])
        np.put_along_axis(inputs[..., 1], marked, 1, 1)
        labels = 0.5 + np.take_along_axis(inputs[..., 0], marked, 1).sum(1) / 4
        return inputs, labels.astype(np.float32)
    padding, vocabulary = description["padding"], description["vocabulary"]
    symbols = padding if padding >= 0 else vocabulary
    inputs = random.integers(0, symbols, (size, length), np.int32)
    if padding >= 0:  # sequences end somewhere, and begin with CLS
        ends = random.integers(length // 4, length, size)
        inputs[np.arange(length) >= ends[:, None]] = padding
        inputs[:, 0] = vocabulary - 1
    return inputs, random.integers(0, description["classes"], size, np.int32)
