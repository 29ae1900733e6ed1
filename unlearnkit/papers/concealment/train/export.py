"""Runs the models of the small world with diffusers.

    model = Model("world-0/models/original")
    pictures = model.draw(["red house swirl style"], seed=0)  # [1, 3, 32, 32], from -1 to 1
"""
import json
import pathlib

import torch
from diffusers import DDIMScheduler, UNet2DConditionModel
from diffusers.models.attention import BasicTransformerBlock, FeedForward
from safetensors.torch import load_file


class Model:
    def __init__(self, folder):
        folder = pathlib.Path(folder)
        config = json.loads((folder / "unet/config.json").read_text())
        factor = config.pop("feed_forward_factor", 4)  # diffusers' own blocks have the factor 4
        config.pop("zero_output", None)
        self.unet = UNet2DConditionModel.from_config(config)
        for block in self.unet.modules():
            if isinstance(block, BasicTransformerBlock):
                block.ff = FeedForward(block.dim, mult=factor, activation_fn="geglu")
        self.unet.load_state_dict(load_file(folder / "unet/diffusion_pytorch_model.safetensors"))
        self.scheduler = DDIMScheduler.from_pretrained(folder / "scheduler")
        self.words = load_file(folder / "text_encoder/model.safetensors")
        self.text = json.loads((folder / "text_encoder/config.json").read_text())
        self.bands = json.loads((folder / "latents.json").read_text())

    def hidden(self, prompts):
        """Returns the hidden states [prompts, 8, 64] to which the network attends."""
        ids = torch.zeros(len(prompts), self.text["length"], dtype=torch.long)
        for row, prompt in zip(ids, prompts):
            for at, word in enumerate(["", *prompt.lower().replace(",", " ").split()]):
                row[at] = self.text["vocabulary"].index(word) if at else 1
        return self.words["token_embedding.weight"][ids] + self.words["position_embedding.weight"]

    def encode(self, pictures):
        """Returns the latents of pictures: the bands of a Haar transform."""
        a, b, c, d = (pictures[..., y::2, x::2] for y in (0, 1) for x in (0, 1))
        bands = [a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d]
        return torch.cat([bands[0] * self.bands["low"], *(b * self.bands["detail"] for b in bands[1:])], 1) / 2

    def decode(self, latents):
        """Is the inverse of encode."""
        l, h, v, d = latents.chunk(4, 1)
        l, h, v, d = l / self.bands["low"], *(band / self.bands["detail"] for band in (h, v, d))
        pictures = torch.zeros(len(l), l.shape[1], 2 * l.shape[2], 2 * l.shape[3])
        pictures[..., ::2, ::2], pictures[..., ::2, 1::2] = (l + h + v + d) / 2, (l - h + v - d) / 2
        pictures[..., 1::2, ::2], pictures[..., 1::2, 1::2] = (l + h - v - d) / 2, (l - h - v + d) / 2
        return pictures

    @torch.no_grad()
    def draw(self, prompts, seed, steps=20, guidance=3.0, callback=None):
        """Draws a picture for each prompt by DDIM. Before each step it calls callback with the latents."""
        edge = self.unet.config.sample_size
        latents = torch.randn(len(prompts), self.unet.config.in_channels, edge, edge,
                              generator=torch.Generator().manual_seed(seed))
        states = torch.cat([self.hidden([""] * len(prompts)), self.hidden(prompts)])
        self.scheduler.set_timesteps(steps)
        for t in self.scheduler.timesteps:
            if callback:
                callback(latents)
            empty, full = self.unet(torch.cat([latents, latents]), t, states).sample.chunk(2)
            latents = self.scheduler.step(empty + guidance * (full - empty), t, latents).prev_sample
        return self.decode(latents)
