"""sparsechord.mpi: the same numbers for any number of ranks."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def on_ranks(count: int) -> str:
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm_rsh_agent": "false"}
    script = Path(__file__).parent / "ranks.py"
    done = subprocess.run(["mpirun", "-n", str(count), sys.executable, script], env={**os.environ, **allowed}, text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ranks_agree() -> None:
    try:
        import sparsechord.mpi  # noqa: F401
    except ImportError as missing:
        pytest.skip(str(missing))
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    alone = on_ranks(1)
    assert len(alone.split()) == 5
    assert on_ranks(2) == alone
    assert on_ranks(3) == alone
