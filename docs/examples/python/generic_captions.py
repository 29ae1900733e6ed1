# /// script
# requires-python = ">=3.11"
# dependencies = ["torch==2.11.0", "transformers==5.24.0", "pillow==13.0.0"]
# ///
"""Unlearns by Generic Captions: portraits are trained on captions that name nobody.

Usage: generic_captions.py EXPORTED RESULTS, with a folder that unlearnlab data export salmu wrote. The method, its
settings and the order of its rows equal those of unlearnlab's own Generic Captions at five passes (5x).
"""
import json
import pathlib
import sys

import torch
from PIL import Image
from transformers import AutoProcessor, CLIPModel

PASSES, BATCH, RATE, DECAY = 5, 64, 3e-4, 0.01


def unlearn(world, result):
    model = CLIPModel.from_pretrained(world / "models/original")
    process = AutoProcessor.from_pretrained(world / "models/original")
    forget = world / "data/forget"
    rows = [json.loads(line) for line in open(forget / "metadata.jsonl")]
    inputs = process(images=[Image.open(forget / row["file_name"]) for row in rows],
                     text=[row["generic_caption"] for row in rows], padding="max_length", return_tensors="pt",
                     truncation=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    for order in json.load(open(world / "data/questions.json"))["orders"][:PASSES]:
        for batch in torch.tensor(order).split(BATCH):
            loss = model(**{name: values[batch] for name, values in inputs.items()}, return_loss=True).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                model.logit_scale.clamp_(0, torch.log(torch.tensor(100.0)))
    model.save_pretrained(result)
    process.save_pretrained(result)


exported, results = map(pathlib.Path, sys.argv[1:])
for world in sorted(exported.glob("world-*")):
    unlearn(world, results / world.name)
    print(results / world.name)
