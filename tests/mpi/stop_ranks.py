"""Stops factorisations by a signal to one rank, or to the launcher: all ranks stop, and what was found is the result.

    stop_ranks.py PROGRAM INPUT
"""
import os, signal, subprocess, sys, time
program, matrix = sys.argv[1:]
output = "stopped.safetensors"

def process_of(run, rank):
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()[1])
            if parent == run.pid and f"\0OMPI_COMM_WORLD_RANK={rank}\0" in open(f"/proc/{name}/environ").read(): return int(name)
        except OSError: continue

def stop(number, rank=None):
    run = subprocess.Popen(["mpirun", "-n", "2", program, matrix, "--seconds=100", "--json", "--output=" + output],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for line in run.stderr:
        if line.startswith(b"stop: "): break  # its fit begins
    time.sleep(0.4)
    os.kill(run.pid if rank is None else process_of(run, rank), number)
    out, messages = run.communicate(timeout=60)
    what = (number, rank, run.returncode, out, messages)
    assert run.returncode == 128 + number if rank is not None else run.returncode != 0, what
    assert os.path.exists(output) and out.count(b'"cancelled"') == 1 and messages.count(b"interrupted: the best so far") == 1, what
    os.remove(output)

stop(signal.SIGINT, rank=0)
stop(signal.SIGTERM, rank=1)
stop(signal.SIGINT)  # Ctrl-C, as the launcher has it
