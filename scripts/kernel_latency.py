#!/usr/bin/env python3
"""Times this project's Jupyter kernel beside stock gonb and ipykernel in one run and prints medians against the
targets.

Usage: $PYTHON scripts/kernel_latency.py [--command bin/unlearnlab] [--rounds 15] [--cold]
PYTHON must have jupyter_client and ipykernel; the command is built by `make build`. --cold empties the Go build cache
(only of this run) before the kernel is installed, as on a machine that never built anything; without it the machine's
own cache is used. Kernels are timed in turn, so that other load affects all of them. The time of processors, of the
kernel's processes without the language server, hardly depends on other load.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jupyter_client.manager import KernelManager

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 120


def processor_seconds(process):
    """Returns the processor time of a process and all below it, ended ones included, without the language server."""
    children, seconds = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                name, fields = Path("/proc", entry, "stat").read_text().rsplit(")", 1)
            except OSError:
                continue  # it has ended
            fields = fields.split()
            if not name.endswith("(gopls"):
                children.setdefault(int(fields[1]), []).append(int(entry))
                seconds[int(entry)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    total, waiting = 0, [process]
    while waiting:
        process = waiting.pop()
        total += seconds.get(process, 0)
        waiting += children.get(process, [])
    return total


class Kernel:
    """A running kernel and a client of it."""

    def __init__(self, name):
        begin = time.perf_counter()
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel(stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=LIMIT)
        self.start = time.perf_counter() - begin

    def cell(self, code):
        """Runs a cell and returns the seconds until its reply and its idle state are here, and those of processors."""
        process = self.manager.provisioner.process.pid
        before, begin = processor_seconds(process), time.perf_counter()
        reply = self.client.execute_interactive(code, timeout=LIMIT, output_hook=lambda message: None)
        took = time.perf_counter() - begin
        if reply["content"]["status"] != "ok":
            sys.exit(f"{self.manager.kernel_name}: {code!r} failed: {reply['content'].get('evalue')}")
        return took, processor_seconds(process) - before

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=False)


def install(command, data):
    """Installs our kernel and, from the same programs, stock gonb, into a Jupyter folder of this run."""
    os.environ["JUPYTER_DATA_DIR"] = str(data)
    begin = time.perf_counter()
    subprocess.run([command, "kernel", "install", "--root", str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    print(f"kernel install: {time.perf_counter() - begin:.1f} s")
    programs = data / "kernels" / "unlearnlab" / "bin"
    stock = data / "kernels" / "stock"
    stock.mkdir()
    (stock / "kernel.json").write_text(
        json.dumps(
            {
                "argv": [str(programs / "gonb"), "--kernel", "{connection_file}"],
                "display_name": "stock gonb",
                "language": "go",
                "interrupt_mode": "message",
                "env": {"PATH": f"{programs}:${{PATH}}"},
            }
        )
    )


CELLS = {  # measure: (target in seconds, cell by kernel)
    "text cell": (
        0.20,
        {"unlearnlab": '%%\nfmt.Println("hello")', "stock": '%%\nfmt.Println("hello")', "python3": 'print("hello")'},
    ),
    "%unlearn verb": (0.35, {"unlearnlab": "%unlearn table unslu 1"}),
    "figure in place": (0.5, {"unlearnlab": "%unlearn figures unslu gum"}),
    "figure drawn in the cell": (
        0.5,
        {
            "unlearnlab": "%%\nkx.Figure(kx.Must(plots.Draw(concealment.CRSFigure(kx.Must(audit.CRSValues()), concealment.Alike))))"
        },
    ),
    "magic answered by the proxy": (0.01, {"unlearnlab": "%unlearn status"}),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", default=str(ROOT / "bin" / "unlearnlab"))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kernel-latency-"))
    try:
        if options.cold:
            os.environ["GOCACHE"] = str(folder / "cache")
        install(options.command, folder / "data")
        rows = measure(options.rounds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(
        f"medians of {options.rounds} in seconds, {os.cpu_count()} cores, {'empty' if options.cold else 'filled'} build cache before install"
    )
    print(f"{'':30}{'target':>8}{'unlearnlab':>14}{'gonb':>14}{'ipykernel':>14}")
    print(f"{'':38}" + "wall  proc".rjust(14) * 3)
    late = []
    for name, target, times in rows:
        values = [" ".join(medians(times.get(k, []))) for k in ("unlearnlab", "stock", "python3")]
        print(f"{name:30}{target:>8}" + "".join(f"{v:>14}" for v in values))
        if statistics.median(took for took, _ in times["unlearnlab"]) > target:
            late.append(name)
    if late:
        sys.exit("too slow: " + ", ".join(late))


def medians(times):
    """Formats the medians of seconds and of processor seconds."""
    return [f"{statistics.median(values):.3f}" for values in zip(*times)] or ["-"]


def measure(rounds):
    names = ["unlearnlab", "stock", "python3"]
    first = Kernel("unlearnlab")
    after_install = first.cell('%%\nfmt.Println("hello")')
    first.end()
    starts, firsts = {n: [] for n in names}, {n: [] for n in names}
    for _ in range(max(3, rounds // 3)):
        for name in names:
            kernel = Kernel(name)
            starts[name].append((kernel.start, processor_seconds(kernel.manager.provisioner.process.pid)))
            firsts[name].append(kernel.cell(CELLS["text cell"][1][name]))
            kernel.end()
    rows = [
        ("first cell after install", 1.0, {"unlearnlab": [after_install]}),
        ("kernel start until ready", 0.8, starts),
        ("first cell of a kernel", 1.0, firsts),
    ]
    kernels = {name: Kernel(name) for name in names}
    for measure_name, (target, cells) in CELLS.items():
        times = {name: [] for name in cells}
        for turn in range(rounds + 1):
            for name, code in cells.items():
                took = kernels[name].cell(code)
                if turn > 0:
                    times[name].append(took)
        rows.append((measure_name, target, times))
    for kernel in kernels.values():
        kernel.end()
    return rows


if __name__ == "__main__":
    main()
