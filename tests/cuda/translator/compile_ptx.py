#!/usr/bin/env python3
"""PTX to a shared object that the stand-in driver can run: translated to C, compiled by the system's compiler.

  compile_ptx.py IN.ptx OUT.so [-Dname ...]

-DPTX_COUNTS counts instructions and accesses, -DPTX_WATCH tells the driver of every access. Whoever finds OUT.so there
finds it whole: it is renamed to its place, and of several that want the same one only the first makes it.
"""
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from ptx_module import Module
from ptx_types import Unsupported

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = "-O1 -mfma -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno -fPIC -fvisibility=hidden -w".split()


def compiler():
    for name in (os.environ.get("CC"), "gcc", "cc"):
        if name and shutil.which(name.split()[0]):
            return name.split()
    sys.exit("no C compiler (gcc or cc)")


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")


def compile_module(module, output, definitions, folder):
    texts = module.parts() + [module.tables()]
    command = compiler() + FLAGS + definitions + ["-I", HERE]

    def compile_part(i):
        with open(os.path.join(folder, f"part{i}.c"), "w") as file:
            file.write(texts[i])
        run(command + ["-c", file.name, "-o", os.path.join(folder, f"part{i}.o")])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_part, range(len(texts))))
    objects = [os.path.join(folder, f"part{i}.o") for i in range(len(texts))]
    made = os.path.join(folder, "module.so")
    run(compiler() + ["-shared", *objects, "-o", made, "-lm"])
    os.replace(made, output)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    source, output, *definitions = sys.argv[1:]
    with open(output + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(output):
            return
        try:
            with open(source) as file:
                module = Module(file.read())
        except Unsupported as problem:
            sys.exit(f"not translated: {problem}")
        with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(output))) as folder:
            compile_module(module, output, definitions, folder)


if __name__ == "__main__":
    main()
