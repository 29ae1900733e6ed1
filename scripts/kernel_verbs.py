#!/usr/bin/env python3
"""Runs %unlearn data export, evaluate, compare and kx.Evaluate in cells of the installed kernel, as a user with a
PyTorch model does.

Usage: $PYTHON scripts/kernel_verbs.py [--minutes LIMIT]
PYTHON must have jupyter_client; the kernel is installed by `bin/unlearnlab kernel install`. The exported original model
is evaluated as a guest, so its row must equal the row of the original.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from jupyter_client.manager import KernelManager

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "unlearnkit" / "compare" / "testdata"


def cells(folder):
    """Returns each cell with a text that its output must have."""
    logs = sorted(LOGS.glob("*/TOFU_EVAL.json"))[:2]
    return [
        (f"%unlearn compare {logs[0]} {logs[1]}", "Difference"),
        (f"%unlearn data export salmu --preset mini --world 0 {folder}", "world-0"),
        (f'fmt.Println(len(kx.Must(os.ReadDir("{folder}/world-0/data"))) > 0)', "true"),
        (
            f"%unlearn evaluate salmu --name mine --world 0 --models {folder}/world-0/models/original",
            "mine (guest",
        ),
        ("%unlearn table salmu 5 --preset mini", "mine (guest"),
        ("%unlearn evaluate salmu --name mine --world 0 --models /nonexistent", None),
        ("%unlearn evaluate salmu --remove mine", ""),
        (f'os.CopyFS("{folder}/models/world-0", os.DirFS("{folder}/world-0/models/original"))', ""),
        (f'kx.Evaluate("salmu", "called", "{folder}/models")', "called (guest, 1 of 5 worlds)"),
        ('kx.Study(salmu.Study, "mini").Certified("5")', "called (guest, 1 of 5 worlds)"),
        ('kx.Evaluate("salmu", "called", "/nonexistent")', None),
        (f'kx.Evaluate("salmu", "called", "{folder}/world-0/data")', None),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    limit = 60 * parser.parse_args().minutes
    with tempfile.TemporaryDirectory(prefix="kernel-verbs-") as home:
        os.environ["UNLEARNLAB_HOME"] = str(Path(home) / "home")
        manager = KernelManager(kernel_name="unlearnlab")
        manager.start_kernel(stderr=subprocess.DEVNULL)
        client = manager.client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=limit)
            failed = [code for code, want in cells(Path(home) / "worlds") if not works(client, code, want, limit)]
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=False)
    if failed:
        sys.exit("failed: " + "; ".join(failed))


def works(client, code, want, limit):
    """Runs a cell and reports whether it shows a text, or with None whether it fails with one line."""
    shown, errors = [], []

    def note(message):
        content = message["content"]
        shown.append(content.get("text") or content.get("data", {}).get("text/plain", ""))
        if message["msg_type"] == "error":
            errors.append(content["evalue"])

    reply = client.execute_interactive(code, timeout=limit, output_hook=note)
    ok = reply["content"]["status"] == "ok"
    text = "".join(shown)
    fine = ok and want in text if want is not None else not ok and len(errors) == 1
    print(f"{'ok ' if fine else 'BAD'} {code}\n" + "".join(f"    {line}\n" for line in (text + "".join(errors)).splitlines()[:6]), flush=True)
    return fine


if __name__ == "__main__":
    main()
