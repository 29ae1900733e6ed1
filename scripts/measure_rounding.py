#!/usr/bin/env python3
"""Measures how far published results move when another device computes them again, and records it in rounding.csv.

    scripts/measure_rounding.py PAPER DEVICE STAGE...
    scripts/measure_rounding.py salmu "xla:cpu SSE4_2" salmu/judgement salmu/unlearned

DEVICE is a name from "unlearnlab device list"; for XLA the highest allowed instruction set may follow. For each stage the
first run of every method is computed again. Earlier measurements of the same run and device are replaced.
--method NAME measures only the runs of one method; --runs KEY KEY measures the runs whose keys begin with KEY.
"""
import argparse
import csv
import gzip
import io
import os
import subprocess
import sys
import time

arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("paper")
arguments.add_argument("device")
arguments.add_argument("stage", nargs="+")
arguments.add_argument("--method")
arguments.add_argument("--runs", nargs="+", default=[])
arguments.add_argument("--program", default="bin/unlearnlab")
asked = arguments.parse_args()

folder = os.path.join(os.path.dirname(__file__), "..", "data", "results", asked.paper)
path = os.path.join(folder, "rounding.csv")
device, _, isa = asked.device.partition(" ")
environment = dict(os.environ)
if isa:
    environment["XLA_FLAGS"] = f"--xla_cpu_max_isa={isa}"

first = {}
with gzip.open(os.path.join(folder, "mini", "runs.csv.gz"), "rt", newline="") as file:
    for run in csv.DictReader(file):
        named = next((key for key in asked.runs if run["key"].startswith(key)), "")
        if run["stage"] in asked.stage and asked.method in (None, run["method"]) and (named or not asked.runs):
            first.setdefault((run["stage"], run["method"], named), run)

replaced = set()  # earlier measurements: models of one stage name no method
for (stage, method, _), run in first.items():
    began = time.time()
    made = subprocess.run([asked.program, "verify", run["key"], "--preset", "mini", "--device", device,
                           "--measure", asked.device], env=environment, capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"{run['title']}: {made.stderr}")
    measured = list(csv.DictReader(io.StringIO(made.stdout)))
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        names, rows = reader.fieldnames, list(reader)
    old = {(stage, row["method"], asked.device) for row in measured} - replaced
    if asked.method:
        old = {one for one in old if one[1]}  # a run without a method may belong to another one
    replaced |= old
    rows = [row for row in rows if (row["stage"], row["method"], row["device"]) not in old] + measured
    rows.sort(key=lambda row: [row[name] for name in ("stage", "method", "device", "file", "column")])
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{run['title']} on {asked.device}: {len(measured)} columns move, {time.time() - began:.0f} s", flush=True)
