"""Writes one small data set as a folder with metadata.jsonl and, with the library that the hub's data sets are written
with, as Parquet.

pip install datasets pillow
python gen_imagefolder.py            # in this folder
"""

import json
import shutil
import sys
from pathlib import Path

import datasets
import PIL
import pyarrow
from PIL import Image

here = Path(__file__).parent
captions = ["a desert rose", "naïve “tulip”", "", "two roses", "a rosé by the sea"]
names = ["0.png", "more/1.jpg", "2.png", "3.png", "4.png"]
sizes = [(7, 5), (24, 16), (4, 9), (6, 6), (5, 11)]

folder = here / "lines"
shutil.rmtree(folder, ignore_errors=True)
(folder / "more").mkdir(parents=True)
with open(folder / "metadata.jsonl", "w", encoding="utf-8") as lines:
    for number, (caption, name, (width, height)) in enumerate(zip(captions, names, sizes)):
        image = Image.new("RGB", (width, height), (40 * number, 200 - 30 * number, 90))
        for x in range(width):
            image.putpixel((x, number % height), (255, 10 * x, 0))
        image.save(folder / name, quality=95)
        lines.write(json.dumps({"file_name": name, "text": caption, "number": number}, ensure_ascii=number != 1) + "\n")

loaded = datasets.load_dataset("imagefolder", data_dir=str(folder), split="train")
assert sorted(loaded["text"]) == sorted(captions), loaded["text"]
by_number = loaded.sort("number").cast_column("image", datasets.Image(decode=False))
content = [
    {
        "image": {"bytes": (folder / name).read_bytes(), "path": Path(name).name},
        "text": row["text"],
        "caption": f"number {row['number']}",
    }
    for name, row in zip(names, by_number)
]
features = datasets.Features(
    {"image": datasets.Image(), "text": datasets.Value("string"), "caption": datasets.Value("string")}
)
whole = datasets.Dataset.from_list(content, features=features)
shutil.rmtree(here / "parquet", ignore_errors=True)
(here / "parquet" / "data").mkdir(parents=True)
for shard in range(2):
    whole.shard(2, shard, contiguous=True).to_parquet(
        here / "parquet" / "data" / f"train-{shard:05d}-of-00002-0123abcd.parquet"
    )
(here / "generator.txt").write_text(
    f"python {sys.version.split()[0]}, datasets {datasets.__version__}, pyarrow {pyarrow.__version__}, pillow {PIL.__version__}\n"
)
