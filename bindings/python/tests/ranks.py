"""What test_mpi.py starts on several ranks: prints, at rank 0, what must be the same for any number of them. Fortran's number of
the communicator stands for mpi4py's own, which is not needed."""
import ctypes

import numpy as np

import sparsechord as sc
import sparsechord.mpi

mpi = ctypes.CDLL("libmpi.so", ctypes.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
mpi.MPI_Comm_c2f.argtypes = [ctypes.c_void_p]
world_handle = ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world"))
world = mpi.MPI_Comm_c2f(world_handle)
number = ctypes.c_int()
mpi.MPI_Comm_rank(ctypes.c_void_p(world_handle), ctypes.byref(number))
leads = number.value == 0


class Communicator:
    """As mpi4py has it."""

    def py2f(self) -> int:
        return world


context = sc.Context("host")
data = sc.Dataset("adding", length=32, count=64, seed=1)
with sc.mpi.Trainer(Communicator(), sc.Model("adding", length=32, seed=number.value, context=context), batch=16) as trainer:
    first, count = trainer.share
    for inputs, labels in data.batches(16, shuffle=True, **trainer.part):
        assert len(labels) == count
        step = trainer.train_step(inputs, labels, learning_rate=0.01)
    told = [step.loss.hex(), trainer.evaluate(inputs, labels).loss.hex()]

model = sc.Model("adding", length=32, seed=3, context=context) if leads else None
with sc.mpi.SequenceTrainer(world, model, pieces=4, context=context) as cut:
    first, count = cut.share
    inputs, labels = data.read(0, 4)
    mine = np.ascontiguousarray(inputs[:, first : first + count])
    before = cut.evaluate(mine, labels if leads else None).loss
    cut.train_step(mine, labels if leads else None)
    after = cut.evaluate(mine, labels if leads else None).loss
    if leads:
        assert abs(before - model.evaluate(inputs, labels).loss) < 1e-5 * before
    cut.collect(model)
    if leads:
        assert abs(after - model.evaluate(inputs, labels).loss) < 1e-5 * after and model.info.step == 1
    told += [before.hex(), after.hex()]

X = np.add.outer(np.arange(12.0), np.arange(12.0)) if leads else None
options = {"iterations": 50, "seed": 1} if leads else {}
found = sc.mpi.factorize(world, X, context=context, **options)
told.append(found.info.error.hex())
try:
    sc.mpi.Trainer(world, sc.Model("adding", length=32, context=context), batch=0)
except ValueError as error:
    assert "batch is 0" in str(error)
if leads:
    print(*told)
mpi.MPI_Finalize()
