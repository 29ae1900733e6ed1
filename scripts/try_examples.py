#!/usr/bin/env python3
"""Runs the examples in docs/examples/python and compares each with unlearnlab's own run of the same method.

Usage: scripts/try_examples.py FOLDER [PAPER...] [--python PYTHON] [--train PAPER...] [--trainings N], in the repository's
root after make build

For each example it exports the worlds, runs the example, evaluates its models, and writes the page. It prints minutes,
lines, the row in the table, and the differences from our own row. FOLDER keeps what is done, so that a second call goes
on where the first one stopped; remove FOLDER/PAPER to repeat an example. Processor minutes are those of all cores, and
do not depend on what else the machine does. Without --python it makes the environment
FOLDER/venv from the headers of the examples, with nothing else in it.

The originals of all worlds ship for SALMUBench alone. The others have one world, or all with --train, which trains the
missing originals: about 4 minutes for UnSLU-BENCH, 15 for ReMem. The erasures of concealment have one original. Most of
its time goes into attacks on each training; with --trainings it trains and attacks fewer than five, its row says how
many, and FOLDER/concealment-N keeps them.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import venv

# In the worlds "same", the originals that our own methods started from ship, and the rows have the same order.
EXAMPLES = {
    "salmu": dict(script="generic_captions", name="Generic in PyTorch", table="5", row="{guest}",
                  own="Generic Captions/5x", columns=["AssocStr", "RetFail", "CoreAssoc", "IdZSC"], same=range(5)),
    "unslu": dict(script="negative_gradient", name="NG in PyTorch", table="1", part="FSC/wav2vec 2.0",
                  row="FSC/wav2vec 2.0/{guest}", own="FSC/wav2vec 2.0/NG", columns=["F1_F", "F1_T", "MIA"], same=[0]),
    "remem": dict(script="gradient_ascent", name="GA with PEFT", table="2", part="S", row="S/{guest}", own="S/GA",
                  questions=["Single-hop/EM_f", "Multi-hop/EM_f", "Single-hop/EM_r"]),
    "concealment": dict(script="esd_x", name="ESD-x in diffusers", table="1", part="Van Gogh",
                        row="Starry Night by Van Gogh/{guest}", own="Starry Night by Van Gogh"),
}
SOURCES = pathlib.Path("docs/examples/python")


class Failure(Exception):
    """A step that failed, in one line."""


class Steps:
    """Runs the steps of an example once, and keeps their minutes and outputs."""

    def __init__(self, folder):
        self.file = folder / "steps.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.done = json.loads(self.file.read_text()) if self.file.exists() else {}

    def run(self, step, command):
        if step not in self.done:
            print(f"{step}: {' '.join(map(str, command))}", flush=True)
            begin, used = time.time(), processor()
            output = called(step, command)
            self.done[step] = {"minutes": (time.time() - begin) / 60, "processor": (processor() - used) / 60,
                               "output": output}
            self.file.write_text(json.dumps(self.done, indent=1))
        return self.done[step]


def processor():
    """Returns the processor seconds of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def called(step, command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise Failure(f"{step} failed with exit code {done.returncode}: {lines[-1]}")
    return done.stdout


def environment(folder):
    """Makes an environment with what the headers of all examples pin, and returns its interpreter."""
    place = folder / "venv"
    python = place / "bin/python"
    if not (place / "ready").exists():
        pinned = set()
        for example in SOURCES.glob("*.py"):
            header = re.search(r"^# dependencies = (\[.*\])$", example.read_text(), re.MULTILINE)
            pinned |= set(json.loads(header[1]))
        print("venv:", *sorted(pinned), flush=True)
        venv.create(place, with_pip=True)
        called("venv", [python, "-m", "pip", "install", "--quiet", *sorted(pinned)])
        (place / "ready").touch()
    return python


def raw(lab, paper, table, row, column):
    """Returns the raw values behind a cell, by world and id."""
    shown = called("trace", [*lab, "trace", paper, table, "--preset", "mini", "--row", row, "--column", column,
                             "--rows", "1000", "--json"])
    values = {}
    for opened in json.loads(shown)["opened"]:
        for run in opened["runs"] if opened["for"] == "value" else []:
            for first in run["first"]:
                values[run["repetition"], first["values"]["id"]] = first["values"]
    return values


def largest_differences(lab, paper, example, row):
    """Prints the largest differences between raw scores of our method's model and of the example's, by world. They are
    relative for values above 1."""
    for column in example["columns"]:
        own, theirs = (raw(lab, paper, example["table"], name, column) for name in (example["own"], row))
        for world in example["same"]:
            ids = [key for key in theirs if key[0] == world]
            numbers = [name for name, value in theirs[ids[0]].items() if isinstance(value, (int, float))]
            off = lambda key, name: abs(theirs[key][name] - own[key][name]) / max(1, abs(own[key][name]))
            worst = {name: max(off(key, name) for key in ids) for name in numbers}
            print(f"  raw scores of {column}, world {world}, {len(ids)} rows:",
                  ", ".join(f"{name} {value:.1e}" for name, value in worst.items()))


def differences(lab, paper, example, row):
    """Prints the differences of the cells from our own row, with intervals and p."""
    shown = called("compare", [*lab, "table", paper, example["table"], "--preset", "mini", "--against", example["own"],
                               "--format", "json"])
    number = lambda value, form: "–" if value is None else format(value, form)
    for c in json.loads(shown)["rows"]:
        if c["row"] == row and c["against"] == example["own"]:
            print(f"  {c['column']:<24} {number(c['estimate'], '+.4f'):>9} [{number(c['lo'], '+.4f')}, "
                  f"{number(c['hi'], '+.4f')}]  p {number(c['p'], '.3f')}, corrected {number(c['p_adjusted'], '.3f')}")


def question_by_question(lab, paper, example, row, folder):
    """Prints what unlearnlab compare says of the answers to the same questions. People are the sample."""
    files = {"example": folder / "example.csv", "own": folder / "own.csv"}
    lines = {name: ["id,metric,value,group"] for name in files}
    for column in example["questions"]:
        theirs, own = (raw(lab, paper, example["table"], name, column) for name in (row, example["own"]))
        for world, question in theirs:
            for name, values in (("example", theirs), ("own", own)):
                of = values[world, question]
                lines[name].append(f"{world} {question},{column},{int(of['right'])},{world} {of['identity']}")
    for name, file in files.items():
        file.write_text("\n".join(lines[name]) + "\n")
    print(called("compare", [*lab, "compare", files["example"], files["own"], "--retained", "*EM_r"]))


def attempt(paper, asked):
    fewer = asked.trainings if paper == "concealment" else None
    example, folder = EXAMPLES[paper], asked.folder / (f"{paper}-{fewer}" if fewer else paper)
    lab = [asked.lab]
    os.environ["UNLEARNLAB_HOME"] = str(asked.folder / "home")
    python = asked.python or environment(asked.folder)
    source = SOURCES / (example["script"] + ".py")
    code = source.read_text().split('"""', 2)[2]
    lines = sum(1 for line in code.splitlines() if line.strip() and not line.strip().startswith("#"))
    print(f"\n== {paper}: {source}, {lines} lines of code", f"{fewer} of 5 trainings" if fewer else "", flush=True)
    steps = Steps(folder)
    part = ["--part", example["part"]] if "part" in example else []
    every = paper == "salmu" or paper in asked.train
    export = ["--world", "all", "--train"] if every else ["--world", "0"]
    steps.run("export", [*lab, "data", "export", paper, folder / "worlds", "--preset", "mini", "--only", "original",
                         *part, *export])
    steps.run("train", [python, source, folder / "worlds", folder / "models", *([str(fewer)] if fewer else [])])
    steps.run("evaluate", [*lab, "evaluate", paper, "--preset", "mini", "--name", example["name"], "--models",
                           folder / "models", "--compute", *part])
    steps.run("page", [*lab, "report", paper, "--out", folder / "page"])
    for kind in ("minutes", "processor"):
        spent = {step: done[kind] for step, done in steps.done.items()}
        print(f"{'processor minutes' if kind == 'processor' else kind}:",
              ", ".join(f"{step} {value:.1f}" for step, value in spent.items()) + f", in all {sum(spent.values()):.1f}")
    pages = [page.name for page in (folder / "page").glob("*.html") if example["name"] in page.read_text()]
    if not pages:
        raise Failure("page: no page has the row " + example["name"])
    print("pages with the row:", ", ".join(sorted(pages)))
    table = [*lab, "table", paper, example["table"], "--preset", "mini"]
    print(called("table", [*table, "--wide", "--rows", example["name"]]))
    names = {cell["row"] for cell in json.loads(called("table", [*table, "--format", "json"]))["rows"]
             if example["name"] in cell["row"]}
    guest = next(name for name in sorted(names) if name.startswith(example["row"].split("{")[0]))
    print(f"{guest} less {example['own']}:")
    if example.get("same"):
        largest_differences(lab, paper, example, guest)
    differences(lab, paper, example, guest)
    if "questions" in example:
        question_by_question(lab, paper, example, guest, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("papers", nargs="*", help="of " + ", ".join(EXAMPLES))
    parser.add_argument("--python", help="interpreter that has the libraries")
    parser.add_argument("--train", nargs="*", default=[], choices=EXAMPLES, help="train the originals of all worlds")
    parser.add_argument("--trainings", type=int, choices=range(1, 6), metavar="N", help="fewer trainings of concealment")
    parser.add_argument("--lab", default="bin/unlearnlab", help="the command")
    asked = parser.parse_args()
    asked.folder = asked.folder.absolute()
    if unknown := set(asked.papers) - set(EXAMPLES):
        parser.error(f"no example for {', '.join(unknown)}; there are {', '.join(EXAMPLES)}")
    # Threads of PyTorch that spin while they wait take four times the time on a machine that does other work, too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    print(datetime.date.today(), f"{os.cpu_count()} cores", flush=True)
    failed = False
    for paper in asked.papers or EXAMPLES:
        try:
            attempt(paper, asked)
        except Failure as failure:
            failed = True
            print(f"{paper}: {failure}", file=sys.stderr, flush=True)
    sys.exit(failed)


main()
