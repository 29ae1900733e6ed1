#!/usr/bin/env python3
"""Gives unlearnlab evaluate wrong models and scores for all four papers, and prints what it says of each.

Usage: $PYTHON scripts/wrong_inputs.py FOLDER [PAPER...] [--lab COMMAND], in the repository's root after make build
PYTHON must have torch, safetensors and pandas with pyarrow.

FOLDER keeps the exported world 0 of each paper. Each wrong input must end with exit code 2 and one line on the standard
error, and must leave the laboratory's folder as it was; the table marks what does not. Scores without a fault must be
accepted; they have no line in the table.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pandas
import torch
from safetensors.torch import load_file, save_file

PARTS = {"unslu": "FSC/wav2vec 2.0", "remem": "S", "concealment": "Van Gogh"}
UNITS = {"concealment": "seed"}
COLUMNS = {"unslu": "part", "remem": "size", "concealment": "concept"}
NO_FAULT = "no fault"
OTHER = {"salmu": "unslu", "unslu": "remem", "remem": "salmu", "concealment": "salmu"}


def exported(lab, folder, paper):
    """Exports world 0 once, and returns the folder of the world."""
    if not (folder / paper).exists():
        part = ["--part", PARTS[paper]] if paper in PARTS else []
        subprocess.run([*lab, "data", "export", paper, folder / paper, "--preset", "mini", "--world", "0", "--only",
                        "original", *part], check=True)
    return folder / paper / "world-0"


def model_of(folder, paper):
    world = exported(lab_of(), folder, paper)
    name = {"unslu": "original/FSC-wav2vec-2.0", "remem": "original/S", "concealment": "original/unet"}
    return world / "models" / name.get(paper, "original")


def lab_of():
    return [ASKED.lab]


def weights(model):
    return next(path for path in sorted(model.glob("*.safetensors")))


def models(folder, paper, into):
    """Yields the faults of models with the arguments that have them."""
    unit = UNITS.get(paper, "world")
    own = model_of(folder, paper)
    part = ["--part", PARTS[paper]] if paper in PARTS else []

    def changed(name, change):
        copy = into / name.replace(" ", "-")
        shutil.copytree(own, copy)
        path = weights(copy)
        tensors = load_file(path)
        change(tensors)
        save_file(tensors, path)
        return ["--models", copy, "--world", "0", *part]

    matrix = [name for name, tensor in load_file(weights(own)).items() if tensor.dim() == 2][0]

    def missing(tensors):
        del tensors[matrix]

    def bad(value):
        def put(tensors):
            tensors[matrix][0, 0] = value
        return put

    def shape(tensors):
        tensors[matrix] = tensors[matrix][:-1].clone()

    yield f"other architecture ({OTHER[paper]}'s)", ["--models", model_of(folder, OTHER[paper]), "--world", "0", *part]
    yield "missing tensor", changed("missing tensor", missing)
    yield "unknown tensor", changed("unknown tensor", lambda tensors: tensors.update(surprise=torch.zeros(2)))
    yield "other shape", changed("other shape", shape)
    yield "NaN weight", changed("NaN weight", bad(float("nan")))
    yield "infinite weight", changed("infinite weight", bad(float("inf")))
    broken = into / "cut"
    shutil.copytree(own, broken)
    content = weights(broken).read_bytes()
    weights(broken).write_bytes(content[: len(content) // 2])
    yield "file cut in half", ["--models", broken, "--world", "0", *part]
    pickle = into / "pickle"
    shutil.copytree(own, pickle, ignore=shutil.ignore_patterns("*.safetensors"))
    torch.save(load_file(weights(own)), pickle / "pytorch_model.bin")
    yield "pickle", ["--models", pickle, "--world", "0", *part]
    places = into / "places"
    (places / f"{unit}-7").mkdir(parents=True)
    yield f"{unit} that is not in the preset", ["--models", places, *part]
    yield f"no folder of a {unit}", ["--models", into / "pickle", *part]


def faults(frame, key, score, other):
    """Yields the faults of a table of scores. frame is right, but for scores that are missing on purpose."""
    yield "scores of other rows", frame.assign(**{key: frame[key] + "-x"})
    yield "a row twice", pandas.concat([frame, frame.iloc[:1]])
    yield "a row missing", frame.iloc[:-1]
    yield "a score that is text", frame.astype({score: object}).assign(
        **{score: ["much", *frame[score].iloc[1:]]})
    yield "an infinite score", frame.astype({score: object}).assign(**{score: ["inf", *frame[score].iloc[1:]]})
    yield "a column missing", frame.drop(columns=score)
    yield f"a {other} that is not in the preset", frame.assign(**{other: 9})


def right_tables(folder, paper, lab):
    """Returns the tables of scores of world 0, the key column and a score of the first one. Scores are made up, but for
    SALMUBench, whose rows do not have all scores."""
    template = folder / f"{paper}-template"
    if not template.exists():
        subprocess.run([*lab, "evaluate", paper, "--preset", "mini", "--world", "0", "--template", template], check=True)
    tables = {path.stem: pandas.read_csv(path) for path in template.glob("*.csv")}
    unit = UNITS.get(paper, "world")
    main, key, score = {"remem": ("answers", "id", "log_prob"), "unslu": ("scores", "id", "loss"),
                        "concealment": ("views", "prompt", "style")}.get(paper, ("scores", "id", "cosine"))
    if paper == "salmu":
        tables[main] = pandas.read_parquet(exported(lab, folder, paper) / "scores/original.parquet")
    if paper != "salmu":
        tables = {name: frame.fillna({"rank": 1}).fillna(0.0) for name, frame in tables.items()}
    if paper == "concealment":  # the published protocol has no error of a distance
        distances = tables["distances"]
        distances["error"] = distances["error"].where(distances["protocol"] != "published")
    for frame in tables.values():
        frame.insert(0, unit, 0)
    if paper in PARTS:
        tables = {name: frame[frame[COLUMNS[paper]] == PARTS[paper]] for name, frame in tables.items()}
    return tables, main, key, score, unit


def scores(folder, paper, into, lab):
    """Yields the faults of scores with the arguments that have them, and first of all scores without a fault."""
    tables, main, key, score, unit = right_tables(folder, paper, lab)
    for fault, frame in [(NO_FAULT, tables[main]), *faults(tables[main], key, score, unit)]:
        place = into / fault.replace(" ", "-")
        place.mkdir()
        for name, table in tables.items():
            (frame if name == main else table).to_csv(place / f"{name}.csv", index=False)
        yield fault, ["--scores", place if len(tables) > 1 else place / f"{main}.csv"]
    pickle = into / "scores.pkl"
    tables[main].to_pickle(pickle)
    yield "a pickle of scores", ["--scores", pickle]


def kept(home):
    return sorted(path for folder in ("artifacts", "guests") for path in (home / folder).rglob("*"))


def main():
    lab, failed = lab_of(), 0
    home = ASKED.folder / "home"
    os.environ["UNLEARNLAB_HOME"] = str(home)
    print("| paper | fault | exit | what it says |\n|---|---|--:|---|")
    for paper in ASKED.papers or OTHER:
        with tempfile.TemporaryDirectory(prefix="wrong-inputs-") as place:
            into = pathlib.Path(place)
            (into / "models").mkdir()
            (into / "scores").mkdir()
            given = [*models(ASKED.folder, paper, into / "models"), *scores(ASKED.folder, paper, into / "scores", lab)]
            for fault, arguments in given:
                before = kept(home)
                done = subprocess.run([*lab, "evaluate", paper, "--preset", "mini", "--name", "wrong", *arguments],
                                      capture_output=True, text=True)
                lines = [line for line in done.stderr.strip().splitlines() if not line.startswith("computing on")]
                bad = []
                if fault == NO_FAULT:  # otherwise a wrong input could be refused for a fault of this script
                    removed = subprocess.run([*lab, "evaluate", paper, "--remove", "wrong"], capture_output=True)
                    if done.returncode or removed.returncode:
                        failed += 1
                        print(f"| {paper} | {fault} | {done.returncode} | REFUSED {' / '.join(lines)} |", flush=True)
                    continue
                if done.returncode != 2:
                    bad.append("EXIT")
                if len(lines) != 1:
                    bad.append(f"{len(lines)} LINES")
                if done.stdout:
                    bad.append("OUTPUT")
                if kept(home) != before:
                    bad.append("WRITTEN")
                failed += bool(bad)
                said = " / ".join(lines).replace(place, "DIR").replace(str(ASKED.folder), "FOLDER").replace("|", "\\|")
                print(f"| {paper} | {fault} | {done.returncode} | {' '.join([*bad, said])} |", flush=True)
    sys.exit(f"{failed} inputs were not refused as they should be" if failed else 0)


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("papers", nargs="*", help="of " + ", ".join(OTHER))
parser.add_argument("--lab", default="bin/unlearnlab", help="the command")
ASKED = parser.parse_args()
main()
