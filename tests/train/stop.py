"""Begins a run, or goes on with it, and stops it by a signal some time after its first checkpoint; several times.

    stop.py SIGNAL PAUSE,… FOLDER COMMAND…
"""
import os, signal, subprocess, sys, time
number, pauses, folder, command = getattr(signal, "SIG" + sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
def renewed():
    try: return os.stat(folder + "/checkpoint.safetensors").st_mtime_ns
    except FileNotFoundError: return 0
stopped = 0
for pause in map(float, pauses.split(",")):
    resume = ["--resume"] if os.path.exists(folder + "/config.json") else []
    before = renewed()
    run = subprocess.Popen(command + ["--out=" + folder] + resume, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    for _ in range(60000):
        if renewed() > before or run.poll() is not None: break
        time.sleep(0.001)
    time.sleep(pause)
    run.send_signal(number)
    if number == signal.SIGHUP: run.send_signal(number)  # as terminals do
    out, messages = run.communicate(timeout=60)
    if os.path.exists(folder + "/result.json"): break  # it was over before the signal came, if not yet gone
    assert run.returncode == (-number if number == signal.SIGKILL else 128 + number), (run.returncode, messages)
    assert number == signal.SIGKILL or b"to go on: chord-train --out=" + folder.encode() in messages, messages
    stopped += 1
assert stopped > 0, "it was over before it could be stopped"
