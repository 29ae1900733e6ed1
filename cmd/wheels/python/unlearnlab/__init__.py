"""The laboratory for machine unlearning: tables with intervals, evaluation of your model, tests, as pandas tables.

Every function runs the command unlearnlab, which this package installs.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

__all__ = ["UnlearnlabError", "certify", "evaluate", "read", "run"]


class UnlearnlabError(RuntimeError):
    """The command failed. The message is its line."""


def run(*arguments: str | os.PathLike[str]) -> str:
    """Run the command with the arguments and return what it prints."""
    program = shutil.which("unlearnlab", path=Path(sys.executable).parent) or "unlearnlab"
    done = subprocess.run([program, *(os.fspath(argument) for argument in arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise UnlearnlabError(done.stderr.strip() or f"unlearnlab ended with {done.returncode}")
    return done.stdout


def _table(*arguments: str | os.PathLike[str]) -> pandas.DataFrame:
    import pandas

    return pandas.read_csv(io.StringIO(run(*arguments, "--format", "csv")))


def read(paper: str, table: str, preset: str | None = None) -> pandas.DataFrame:
    """Return a table of a paper's study with its intervals and verdicts: read("salmu", "5")."""
    return _table("table", paper, table, "--certified", *(["--preset", preset] if preset else []))


def evaluate(
    paper: str,
    name: str,
    models: str | os.PathLike[str] | None,
    table: str,
    *flags: str,
    scores: str | os.PathLike[str] | None = None,
) -> pandas.DataFrame:
    """Judge your models, a folder for each world, as the paper's methods are, and return the table with their row.

    If models is None, scores is a file with the scores of each example, or a folder of such files.
    """
    given = {"--models": models, "--scores": scores}
    paths = [word for flag, path in given.items() if path is not None for word in (flag, path)]
    run("evaluate", paper, "--name", name, *paths, *flags)
    return read(paper, table)


def certify(ours: Sequence[float], theirs: Sequence[float], test: str = "ttest-paired", *flags: str) -> dict[str, Any]:
    """Compare paired scores by a test of "unlearnlab stat" and return its result: p-value, estimate, interval."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "scores.csv")
        rows = [f"{x},{y}" for x, y in zip(ours, theirs, strict=True)]
        file.write_text("\n".join(["ours,theirs", *rows, ""]))
        found = json.loads(run("stat", test, file, "--x", "ours", "--y", "theirs", "--json", *flags))
        result: dict[str, Any] = found["rows"][0]
        return result
