"""Begins a run, or goes on with it, on several ranks, and lets something happen to it some time after its first
checkpoint: ten times a rank is killed, then all are told to end, then the leader's disk is full; last, a rank is slow, and
the run ends as it should, a few epochs on. Until then it has far more epochs before it than any machine gets through. Prints
how many it had.

    lose_ranks.py FOLDER COMMAND…
"""
import os, random, resource, signal, subprocess, sys, time
folder, command = sys.argv[1], sys.argv[2:]
random.seed(18)

def renewed():
    try: return os.stat(folder + "/checkpoint.safetensors").st_mtime_ns
    except FileNotFoundError: return 0

def start(ranks, epochs=100000, save=("--checkpoint-seconds=0.03",)):
    resume = ["--resume"] if os.path.exists(folder + "/config.json") else []
    before = renewed()
    run = subprocess.Popen(["mpirun", "-n", str(ranks), *command, f"--epochs={epochs}", *save, "--out=" + folder, *resume],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while renewed() == before and run.poll() is None: time.sleep(0.001)
    return run

def processes(run):
    """Those of the ranks, in their order."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(open(f"/proc/{name}/stat").read().rsplit(")", 1)[1].split()[1])
            variables = dict(each.split("=", 1) for each in open(f"/proc/{name}/environ").read().split("\0") if "=" in each)
        except OSError: continue
        if parent == run.pid and "OMPI_COMM_WORLD_RANK" in variables: found[int(variables["OMPI_COMM_WORLD_RANK"])] = int(name)
    return [found[rank] for rank in sorted(found)]

def expect_end(run, what):
    out, messages = run.communicate(timeout=120)
    assert run.returncode != 0 and not os.path.exists(folder + "/result.json"), (what, messages)
    line = f"to go on, with any number of ranks: mpirun -n {ranks} chord-train --out={folder} --resume"
    assert messages.decode().count(line) == 1, (what, messages)

for i in range(10):
    ranks = random.choice([2, 3, 4])
    victim = i % ranks  # the leader, too
    run = start(ranks)
    time.sleep(random.random() * 0.1)
    os.kill(processes(run)[victim], signal.SIGKILL)
    expect_end(run, f"rank {victim} of {ranks} was killed")
for number in (signal.SIGTERM, signal.SIGINT):
    ranks = 3
    run = start(ranks)
    run.send_signal(number)
    expect_end(run, "all were told to end")
run = start(3)
resource.prlimit(processes(run)[0], resource.RLIMIT_FSIZE, (1000, 1000))  # its disk is full
out, messages = run.communicate(timeout=120)
assert run.returncode != 0 and f"chord-train: {folder}/".encode() in messages, messages
epochs = sum(1 for line in open(folder + "/log.csv")) + 4
run = start(3, epochs, save=())
slow = processes(run)[1]
os.kill(slow, signal.SIGSTOP)
time.sleep(0.5)
os.kill(slow, signal.SIGCONT)
out, messages = run.communicate(timeout=300)
assert run.returncode == 0 and os.path.exists(folder + "/result.json"), messages
print(epochs)
