#!/usr/bin/env python3
"""Runs every notebook by nbconvert, nbclient, jupyter execute and `unlearnlab notebook run`, and reports whether their
outputs agree; then runs a notebook that fails.

Usage: .lab/venv/bin/python scripts/compare_runners.py     (after scripts/lab --set-up)
Outputs are compared cell by cell: kind, MIME types, text and picture bytes. Text that names a time is compared without
its numbers, because it may differ.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import nbformat
from nbclient import NotebookClient

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".lab", "venv")
COMMAND = os.path.join(ROOT, "bin", "unlearnlab")
ENV = {
    **os.environ,
    "JUPYTER_PATH": os.path.join(VENV, "share", "jupyter"),
    "PATH": os.path.join(VENV, "bin") + os.pathsep + os.environ["PATH"],
}


def by_nbconvert(path):
    return subprocess.run(
        [
            "jupyter",
            "nbconvert",
            "--to",
            "notebook",
            "--execute",
            "--inplace",
            "--ExecutePreprocessor.timeout=300",
            path,
        ],
        env=ENV,
        capture_output=True,
    ).returncode


def by_jupyter_execute(path):
    return subprocess.run(
        ["jupyter", "execute", "--inplace", "--timeout=300", path], env=ENV, capture_output=True
    ).returncode


def by_nbclient(path):
    notebook = nbformat.read(path, as_version=4)
    code = 0
    try:
        NotebookClient(notebook, timeout=300, kernel_name="unlearnlab").execute()
    except Exception as problem:
        code = 1 if "CellExecutionError" in type(problem).__name__ else 2
    nbformat.write(notebook, path)
    return code


def by_unlearnlab(path):
    return subprocess.run([COMMAND, "notebook", "run", path], env=ENV, capture_output=True).returncode


RUNNERS = {
    "nbconvert": by_nbconvert,
    "nbclient": by_nbclient,
    "jupyter execute": by_jupyter_execute,
    "unlearnlab": by_unlearnlab,
}


def plain(text):
    text = "".join(text)
    return re.sub(r"[\d.]+", "#", text) if re.search(r"\d\s*(s|ms|/s)\b", text) else text


def outputs(path):
    notebook = json.load(open(path))
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        shown = []
        for o in cell["outputs"]:
            if o["output_type"] == "stream":
                if shown and shown[-1][:2] == ("stream", o["name"]):
                    shown[-1] = ("stream", o["name"], shown[-1][2] + plain(o["text"]))
                else:
                    shown.append(("stream", o["name"], plain(o["text"])))
            elif o["output_type"] == "error":
                shown.append(("error", o["ename"]))
            else:
                shown.append(
                    (
                        o["output_type"],
                        tuple(sorted((k, "".join(v) if k == "image/png" else plain(v)) for k, v in o["data"].items())),
                    )
                )
        cells.append(shown)
    return cells


def main():
    os.environ.update(ENV)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for notebook in sorted(glob.glob(os.path.join(ROOT, "notebooks", "*.ipynb"))):
            name, results = os.path.basename(notebook), {}
            for runner, run in RUNNERS.items():
                copy = os.path.join(folder, runner.replace(" ", "-") + "-" + name)
                shutil.copy(notebook, copy)
                code = run(copy)
                results[runner] = (code, outputs(copy))
            first = results["nbconvert"]
            differing = [r for r, result in results.items() if result != first]
            failed += bool(differing) or first[0] != 0
            print(
                f"{'FAIL' if differing or first[0] else 'ok  '}  {name}: {len(first[1])} cells, codes {[c for c, _ in results.values()]}"
                + (f"; {', '.join(differing)} differ from nbconvert" if differing else ""),
                flush=True,
            )
            for runner in differing:
                for i, (a, b) in enumerate(zip(first[1], results[runner][1])):
                    if a != b:
                        print(f"      {runner}, code cell {i}: {str(b)[:200]} instead of {str(a)[:200]}")
        wrong = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_code_cell("%%\nfmt.Println(undefinedName)"),
                nbformat.v4.new_code_cell('%%\nfmt.Println("after")'),
            ],
            metadata={"kernelspec": {"name": "unlearnlab", "display_name": "Unlearning (Go)", "language": "go"}},
        )
        codes = {}
        for runner, run in RUNNERS.items():
            copy = os.path.join(folder, "wrong.ipynb")
            nbformat.write(wrong, copy)
            codes[runner] = run(copy)
        failed += 0 in codes.values()
        print(f"{'FAIL' if 0 in codes.values() else 'ok  '}  a notebook with a failing cell: {codes}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
