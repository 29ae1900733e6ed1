# /// script
# requires-python = ">=3.11"
# dependencies = ["torch==2.11.0", "torchvision==0.26.0", "transformers==5.24.0", "peft==0.21.2", "pillow==13.0.0"]
# ///
"""Unlearns by Gradient Ascent: a LoRA adapter of a LLaVA climbs the loss on the answers to forget.

Usage: gradient_ascent.py EXPORTED RESULTS, with a folder that unlearnlab data export remem wrote. The method, its
settings and the order of its rows equal those of unlearnlab's own GA at size S. The adapters' first values differ.
"""
import json
import math
import pathlib
import sys

import torch
from peft import LoraConfig, get_peft_model
from PIL import Image
from transformers import AutoProcessor, LlavaForConditionalGeneration, get_cosine_schedule_with_warmup

SIZE, PASSES, BATCH, RATE, WARMUP, DECAY, CLIP = "S", 5, 64, 2.5e-4, 0.06, 0.01, 1.0
ADAPTER = LoraConfig(r=16, lora_alpha=32, target_modules=".*language_model.*_proj",
                     modules_to_save=["multi_modal_projector"])


def unlearn(world, result):
    torch.manual_seed(0)
    process = AutoProcessor.from_pretrained(world / "models/original" / SIZE)
    model = LlavaForConditionalGeneration.from_pretrained(world / "models/original" / SIZE)
    model = get_peft_model(model, ADAPTER)
    rows = [json.loads(line) for line in open(world / "data/forget.jsonl")]
    pictures = [Image.open(world / "data" / row["image"]) for row in rows]
    read = lambda texts: process(images=pictures, text=texts, padding=True, padding_side="right", return_tensors="pt")
    inputs = read([f"{row['prompt']} {row['answer']}{process.tokenizer.eos_token}" for row in rows])
    asked = read([row["prompt"] for row in rows]).attention_mask.sum(1, keepdim=True)
    answer = (torch.arange(inputs.input_ids.shape[1]) >= asked) & inputs.attention_mask.bool()
    inputs["labels"] = inputs.input_ids.where(answer, -100)  # the answer alone counts
    groups = [{"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": DECAY},
              {"params": [p for p in model.parameters() if p.ndim < 2], "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE)
    steps = PASSES * math.ceil(len(rows) / BATCH)
    schedule = get_cosine_schedule_with_warmup(optimizer, math.ceil(WARMUP * steps), steps)
    for order in json.load(open(world / "data/orders.json"))["forget"][:PASSES]:
        for batch in torch.tensor(order).split(BATCH):
            loss = -model(**{name: values[batch] for name, values in inputs.items()}).loss
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)
            optimizer.step()
            schedule.step()
    model.save_pretrained(result)


exported, results = map(pathlib.Path, sys.argv[1:])
for world in sorted(exported.glob("world-*")):
    unlearn(world, results / world.name / SIZE)
    print(results / world.name / SIZE)
