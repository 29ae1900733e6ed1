#!/usr/bin/env python3
"""Checks wheels as files: size, tag against the program's format, RECORD, kernelspec; twine and check-wheel-contents.

Usage: $PYTHON scripts/check_wheels.py WHEEL...
PYTHON must have twine and check-wheel-contents.
"""

import base64
import csv
import hashlib
import io
import json
import os
import struct
import subprocess
import sys
import zipfile

LIMIT = 100e6  # bytes; PyPI's limit for a file
FORMATS = {  # beginning of a platform tag: format of its programs
    "manylinux_x86_64": "ELF x86-64",
    "manylinux_aarch64": "ELF aarch64",
    "macosx_arm64": "Mach-O arm64",
    "win_amd64": "PE x86-64",
}


def format_of(program):
    """Names the format of a program by its first bytes."""
    if program[:5] == b"\x7fELF\x02":
        machine = struct.unpack_from("<H", program, 18)[0]
        return "ELF " + {62: "x86-64", 183: "aarch64"}.get(machine, str(machine))
    if program[:4] == b"\xcf\xfa\xed\xfe":
        machine = struct.unpack_from("<I", program, 4)[0]
        return "Mach-O " + {0x0100000C: "arm64", 0x01000007: "x86-64"}.get(machine, hex(machine))
    if program[:2] == b"MZ":
        header = struct.unpack_from("<I", program, 60)[0]
        machine = struct.unpack_from("<H", program, header + 4)[0]
        return "PE " + {0x8664: "x86-64", 0xAA64: "arm64"}.get(machine, hex(machine))
    return "unknown"


def problems_of(path):
    """Returns what is wrong with a wheel, and a line about it."""
    archive = zipfile.ZipFile(path)
    files = {name: archive.read(name) for name in archive.namelist()}
    problems = []
    size = os.path.getsize(path)
    if size >= LIMIT:
        problems.append(f"{size / 1e6:.1f} MB")
    problems += record_problems(files)
    tag = path.removesuffix(".whl").rsplit("-", 1)[1]
    programs = {n: f for n, f in files.items() if "/scripts/" in n or "/share/unlearnlab/tools/" in n}
    formats = {format_of(content) for content in programs.values()}
    wanted = {form for key, form in FORMATS.items() if all(part in tag for part in key.split("_", 1))}
    if formats != wanted:
        problems.append(f"programs of {formats or 'no format'} for the tag {tag}")
    for name in programs:
        if not archive.getinfo(name).external_attr >> 16 & 0o100:
            problems.append(f"{name} cannot be executed")
    kernel = next((n for n in files if n.endswith("/kernel.json")), None)
    if kernel:
        problems += kernel_problems(kernel, json.loads(files[kernel]), files)
    elif programs and not tag.startswith("win"):
        problems.append("no kernel.json")
    said = f"{size / 1e6:.1f} MB, {len(files)} files, {len(programs)} programs {' '.join(formats)}"
    return problems, said + (", kernel" if kernel else "")


def record_problems(files):
    """Returns how RECORD differs from the files."""
    name = next(n for n in files if n.endswith(".dist-info/RECORD"))
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(files[name].decode()))}
    problems = [f"not in RECORD: {n}" for n in files.keys() - rows.keys()]
    problems += [f"only in RECORD: {n}" for n in rows.keys() - files.keys()]
    for file, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        if file != name and rows.get(file) != ["sha256=" + digest, str(len(content))]:
            problems.append(f"RECORD's digest of {file}")
    return problems


def kernel_problems(path, specification, files):
    """Returns which paths of a kernelspec lead to no file of the wheel after pip has installed it."""
    data = path[: path.index(".data/data/")] + ".data/"
    installed = {n.removeprefix(data + "data/") for n in files if n.startswith(data + "data/")}
    installed |= {"bin/" + n.removeprefix(data + "scripts/") for n in files if n.startswith(data + "scripts/")}
    folder = os.path.dirname(path.removeprefix(data + "data/"))
    problems = []
    for argument in specification["argv"]:
        if argument.startswith("{resource_dir}"):
            target = os.path.normpath(argument.replace("{resource_dir}", folder))
            if not any(n == target or n.startswith(target + "/") for n in installed):
                problems.append(f"kernel.json names {target}, which is not in the wheel")
    return problems


def main(paths):
    failed = False
    for path in paths:
        problems, said = problems_of(path)
        print(f"{'FAILED' if problems else 'ok    '} {os.path.basename(path)}: {said}")
        for problem in problems:
            print("      ", problem)
        failed |= bool(problems)
    for tool in (["twine", "check", "--strict"], ["check_wheel_contents", "--ignore", "W002,W007"]):
        failed |= subprocess.run([sys.executable, "-m", *tool, *paths]).returncode != 0
    return int(failed)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
