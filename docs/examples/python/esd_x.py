# /// script
# requires-python = ">=3.11"
# dependencies = ["torch==2.11.0", "diffusers==0.42.1"]
# ///
"""Erases a style by ESD-x: cross-attention learns to lead away from "swirl style", which is this world's Van Gogh.

Usage: esd_x.py EXPORTED RESULTS [TRAININGS], with a folder that unlearnlab data export concealment wrote. The method and
its settings equal those of unlearnlab's own ESD-x. The noise of the trainings differs; there are five by default.
"""
import pathlib
import sys

import torch
from safetensors.torch import save_file

exported, results = map(pathlib.Path, sys.argv[1:3])
trainings = int(sys.argv[3]) if len(sys.argv) > 3 else 5
sys.path.append(str(exported))
from small_diffusion import Model

CONCEPT, PROMPT, RATE, BATCH, ETA = "Van-Gogh", "swirl style", 1e-3, 8, 1.0
PASSES, TRAJECTORIES, STOPS, STEPS, GUIDANCE = 12, 8, 10, 25, 3.0


def erase(seed, result):
    torch.manual_seed(seed)
    model, frozen = Model(exported / "world-0/models/original"), Model(exported / "world-0/models/original")
    trained = {name: p for name, p in model.unet.named_parameters() if "attn2" in name}
    optimizer = torch.optim.Adam(trained.values(), lr=RATE)
    prompt, empty = model.hidden([PROMPT] * BATCH), model.hidden([""] * BATCH)
    for number in range(PASSES):
        path = []  # latents after 0, 1, ... steps of each trajectory
        model.draw([PROMPT] * TRAJECTORIES, 1000 * seed + number, STEPS, GUIDANCE, path.append)
        stops, width = torch.randint(STEPS, (STOPS, TRAJECTORIES)), 1000 // STEPS
        samples = torch.stack(path)[stops, torch.arange(TRAJECTORIES)].flatten(0, 1)
        times = ((STEPS - 1 - stops) * width + torch.randint(width, stops.shape)).flatten()
        for batch in torch.randperm(len(samples)).split(BATCH):
            x, t = samples[batch], times[batch]
            with torch.no_grad():
                away = (1 + ETA) * frozen.unet(x, t, empty).sample - ETA * frozen.unet(x, t, prompt).sample
            squares = (model.unet(x, t, prompt).sample - away) ** 2  # of predicted pictures
            signal = model.scheduler.alphas_cumprod[t]
            weight = (signal / (1 - signal)).clamp(max=1)  # makes them squares of noise, bounded where there is little
            loss = (weight[:, None, None, None] * squares).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    result.mkdir(parents=True, exist_ok=True)
    save_file({name: p.detach() for name, p in trained.items()}, result / "changed.safetensors")


for seed in range(trainings):
    erase(seed, results / f"seed-{seed}" / CONCEPT)
    print(results / f"seed-{seed}" / CONCEPT, flush=True)
