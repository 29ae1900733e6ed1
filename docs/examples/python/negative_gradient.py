# /// script
# requires-python = ">=3.11"
# dependencies = ["torch==2.11.0", "transformers==5.24.0", "soundfile==0.14.0"]
# ///
"""Unlearns by Negative Gradient: a speech model climbs its loss on the clips of the speakers to forget.

Usage: negative_gradient.py EXPORTED RESULTS, with a folder that unlearnlab data export unslu wrote. The method, its
settings and the order of its rows equal those of unlearnlab's own NG on FSC and wav2vec 2.0.
"""
import json
import pathlib
import sys

import soundfile
import torch
from transformers import AutoFeatureExtractor, AutoModelForAudioClassification

PART, SET, SAMPLES = "FSC-wav2vec-2.0", "FSC", 18000
BATCH, RATE, DECAY, CLIP = 8, 5e-5, 0.01, 1.0


def unlearn(world, result):
    model = AutoModelForAudioClassification.from_pretrained(world / "models/original" / PART)  # without dropout
    extract = AutoFeatureExtractor.from_pretrained(world / "models/original" / PART)
    forget = world / "data" / SET / "forget"
    rows = [json.loads(line) for line in open(forget / "metadata.jsonl")]
    clips = extract([soundfile.read(forget / row["file_name"])[0] for row in rows], padding="max_length",
                    max_length=SAMPLES, truncation=True, sampling_rate=extract.sampling_rate, return_tensors="pt")
    labels = torch.tensor([row["label"] for row in rows])
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    order = json.load(open(world / "data" / SET / "orders.json"))["forget"][0]
    for batch in torch.tensor(order).split(BATCH):
        loss = -model(clips.input_values[batch], labels=labels[batch]).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
    model.save_pretrained(result)


exported, results = map(pathlib.Path, sys.argv[1:])
for world in sorted(exported.glob("world-*")):
    unlearn(world, results / world.name / PART)
    print(results / world.name / PART)
