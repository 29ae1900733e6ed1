"""Makes flac/*.flac with the command flac (1.4.2), each for one way of writing samples. The header of each holds the
MD5 of the samples that were encoded, which a reader has to find again.

    python3 gen_flac.py
"""

import math
import pathlib
import random
import subprocess

random.seed(7)
here = pathlib.Path(__file__).parent
(here / "flac").mkdir(exist_ok=True)


def write(name, channels, *options, bits=16):
    """Encodes channels of integers."""
    width = bits // 8
    raw = b"".join(v.to_bytes(width, "little", signed=True) for sample in zip(*channels) for v in sample)
    command = [
        "flac",
        "--silent",
        "--force",
        "--no-padding",
        "--no-seektable",
        "--force-raw-format",
        "--endian=little",
        "--sign=signed",
        f"--channels={len(channels)}",
        f"--bps={bits}",
        "--sample-rate=24000",
        *options,
        "-o",
        str(here / "flac" / name),
        "-",
    ]
    subprocess.run(command, input=raw, check=True)
    return (here / "flac" / name).read_bytes()


def pairing(content):
    """How the first frame writes two channels: 8 left and side, 9 side and right, 10 middle and side."""
    at, last = 4, False
    while not last:
        last = content[at] >> 7
        at += 4 + int.from_bytes(content[at + 1 : at + 4], "big")
    return content[at + 3] >> 4


def smooth(size, step):
    return [round(size * math.sin(step * i)) for i in range(200)]


def noise(size):
    return [random.randint(-size, size) for _ in range(200)]


write("verbatim.flac", [noise(32767)])
write("constant.flac", [[77] * 200])
write("wasted.flac", [[v * 64 for v in noise(20)]])
write("frames.flac", [smooth(900, 0.01) * 12], "--blocksize=16", "--lax")
write("fixed.flac", [smooth(9000, 0.02)], "-0", bits=24)
write("order32.flac", [smooth(9000, 0.7)], "--lax", "--max-lpc-order=32", "--exhaustive-model-search")
write("channels.flac", [noise(100 * c + 1) for c in range(8)])
missing = {8: "leftside.flac", 9: "sideright.flac", 10: "midside.flac"}
while missing:
    one, two = noise(3000), noise(random.choice([30, 300]))
    left, right = random.choice([(one, [a + b for a, b in zip(one, two)]), ([a + b for a, b in zip(one, two)], one)])
    name = missing.pop(pairing(write("try.flac", [left, right], "-8")), None)
    if name:
        (here / "flac" / "try.flac").rename(here / "flac" / name)
(here / "flac" / "try.flac").unlink(missing_ok=True)
