#!/usr/bin/env python3
"""Writes two Stable Diffusion pipelines with random weights: DIR/original and DIR/unlearned, which differ in the UNet.

Usage: scripts/random_pipeline.py sd|small DIR

sd has the sizes of Stable Diffusion 1.4 in half precision (two times 2.1 GB), small those of a toy. Needs torch,
transformers and diffusers.
"""

import json
import os
import sys
import tempfile

import torch
from diffusers import AutoencoderKL, DDIMScheduler, StableDiffusionPipeline, UNet2DConditionModel
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

SIZES = {
    # the UNet's widths, text width, layers and heads, the decoder's widths, pixels of a latent's edge
    "sd": dict(unet=(320, 640, 1280, 1280), text=768, layers=12, heads=12, vae=(128, 256, 512, 512), latent=64),
    "small": dict(unet=(32, 64, 64, 64), text=32, layers=2, heads=2, vae=(32, 32, 32, 32), latent=16),
}


def tokenizer():
    """Returns a tokenizer of single letters."""
    letters = [chr(ord("a") + i) for i in range(26)]
    words = letters + [letter + "</w>" for letter in letters] + ["<|startoftext|>", "<|endoftext|>"]
    with tempfile.TemporaryDirectory() as folder:
        vocabulary, merges = os.path.join(folder, "vocab.json"), os.path.join(folder, "merges.txt")
        with open(vocabulary, "w") as file:
            json.dump({word: i for i, word in enumerate(words)}, file)
        with open(merges, "w") as file:
            file.write("#version: 0.2\n")
        return CLIPTokenizer(vocabulary, merges, model_max_length=77)


def pipeline(size):
    words = tokenizer()
    return StableDiffusionPipeline(
        unet=UNet2DConditionModel(
            sample_size=size["latent"], block_out_channels=size["unet"], cross_attention_dim=size["text"]
        ),
        vae=AutoencoderKL(
            block_out_channels=size["vae"],
            down_block_types=("DownEncoderBlock2D",) * 4,
            up_block_types=("UpDecoderBlock2D",) * 4,
            layers_per_block=2,
            latent_channels=4,
        ),
        text_encoder=CLIPTextModel(
            CLIPTextConfig(
                vocab_size=len(words),
                hidden_size=size["text"],
                intermediate_size=4 * size["text"],
                num_hidden_layers=size["layers"],
                num_attention_heads=size["heads"],
                bos_token_id=words.bos_token_id,
                eos_token_id=words.eos_token_id,
            )
        ),
        tokenizer=words,
        scheduler=DDIMScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", clip_sample=False),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    ).to(torch.float16)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in SIZES:
        sys.exit(__doc__)
    torch.manual_seed(0)
    model = pipeline(SIZES[sys.argv[1]])
    model.save_pretrained(os.path.join(sys.argv[2], "original"))
    with torch.no_grad():
        model.unet.conv_out.weight.neg_()
    model.save_pretrained(os.path.join(sys.argv[2], "unlearned"))


main()
