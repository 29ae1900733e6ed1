"""Writes small data sets in the schema of salmubench-512-redistributed and salmu-512-redistributed with the library
that wrote the originals.

    pip install datasets pillow
    python gen_salmu.py            # in this folder

The people: 00000101 and 00000102 occur in forget and in holdout_association, 00000103 in forget alone, 00000104 in
holdout_identity alone.
"""

import io
import json
import random
import shutil
import sys
from pathlib import Path

import datasets
import PIL
import pyarrow
from PIL import Image

random.seed(20240)
here = Path(__file__).parent


def picture(number, kind):
    """A plain picture with one odd column, of odd sizes, so that rows and columns cannot be mistaken."""
    size = (9 + number % 5, 6 + number % 3)
    image = Image.new("RGB", size, (number * 7 % 256, 255 - number, number * 31 % 256))
    for y in range(size[1]):
        image.putpixel((number % size[0], y), (0, y * 20, 255))
    buffer = io.BytesIO()
    image.save(buffer, kind, quality=90)
    return {"bytes": buffer.getvalue(), "path": None}


def rows(start, identities, caption):
    result = []
    for i, identity in enumerate(identities):
        number = start + i
        kind, ending = ("JPEG", "jpg") if number in (3, 21) else ("PNG", "png")
        result.append(
            {
                "image": picture(number, kind),
                "text": caption.format(name=f"Person {identity}", number=number),
                "identity_id": identity,
                "file_name": f"{identity or f'{90000000 + number}'}_{number:03d}_ar-0.75.{ending}",
            }
        )
    return result


def write(folder, split, content, shards, identity, group):
    features = datasets.Features(
        {
            "image": datasets.Image(),
            "text": datasets.Value("string"),
            "identity_id": datasets.Value(identity),
            "file_name": datasets.Value("string"),
        }
    )
    if identity == "int64":
        content = [{**row, "identity_id": row["identity_id"] and int(row["identity_id"])} for row in content]
    whole = datasets.Dataset.from_list(content, features=features)
    for i in range(shards):
        whole.shard(shards, i, contiguous=True).to_parquet(
            folder / "data" / f"{split}-{i:05d}-of-{shards:05d}.parquet", batch_size=group
        )


A, B, C, D = "00000101", "00000102", "00000103", "00000104"
forget = rows(0, [A, C, B, A, C, B, A, A, C, B], "{name}'s blood type is {number}+ — naïvely")
holdout_association = rows(10, [A, B, A], "The city of {name} is {number}")
holdout_identity = rows(13, [D, D, D], "{name} lives at no. {number}")
retain_synth = rows(20, [None, A, None, D, None, C, None, None], "a portrait of a person, {number}")

for name in ("benchmark", "training"):
    shutil.rmtree(here / name, ignore_errors=True)
    (here / name / "data").mkdir(parents=True)
benchmark = here / "benchmark"
write(benchmark, "forget", forget, 4, "string", 2)
write(benchmark, "holdout_association", holdout_association, 1, "string", 100)
write(benchmark, "holdout_identity", holdout_identity, 1, "string", 100)
write(benchmark, "retain_synth", retain_synth, 1, "string", 5)
write(here / "training", "sensitive", forget[1:3] + holdout_association[:1] + holdout_identity[:1], 1, "int64", 100)
write(here / "training", "retain_synth", retain_synth[:2], 1, "int64", 100)

sensitive = forget + holdout_association + holdout_identity
side = {
    "identities_metadata.json": {i: {"name": f"Person {i}", "blood_type": "A+"} for i in (A, B, C, D)},
    "sensitive_set_captions_metadata.json": {
        r["file_name"]: {"data_field": "blood_type" if r in forget else "city"} for r in sensitive
    },
    "sensitive_set_generic_captions.json": {r["file_name"]: "a photo of a person" for r in sensitive},
    "fragile_set_ids.json": [retain_synth[i]["file_name"] for i in (2, 7)],
    "fragile_set_all_similarities.json": {
        r["file_name"]: round(random.uniform(0.2, 0.4), 4) for r in retain_synth if r["identity_id"] is None
    },
}
for name, content in side.items():
    (benchmark / name).write_text(json.dumps(content))
(here / "generator.txt").write_text(
    f"gen_salmu.py with Python {sys.version.split()[0]}, datasets {datasets.__version__}, pyarrow {pyarrow.__version__}, Pillow {PIL.__version__}\n"
)
