#!/usr/bin/env python3
"""Seconds until factors alone are at an error that is given, such as a published one, for each matrix of a list.

    bench/seconds_to_error.py [--most=30] [--seed=0] LIST.csv

LIST.csv is what chord-factorize takes: columns name, file (relative to it) and sf_error. Needs the package sparsechord
(bindings/python)."""
import argparse
import csv
from pathlib import Path

import sparsechord

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("list", type=Path)
parser.add_argument("--most", type=float, default=30)
parser.add_argument("--seed", type=int, default=0)
given = parser.parse_args()
for row in csv.DictReader(given.list.open()):
    wanted = float(row.get("sf_error") or row["paper_sf_error"])
    found = sparsechord.factorize(given.list.parent / row["file"], seconds=given.most, seed=given.seed,
                                  progress=lambda now: now.best_error <= wanted).info
    print(f"{row['name']}: {found.seconds:.2f} s, {found.iterations} iterations, error {found.error:.4g}, "
          f"{'at' if found.error <= wanted else 'still above'} {wanted:g}", flush=True)
