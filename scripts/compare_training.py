#!/usr/bin/env python3
"""Times training steps of the small models beside the same models in PyTorch, in one run, and prints steps per second
and ratios.

Usage: PYTHON=python with torch, torchvision, transformers and diffusers; run from the repository's root: $PYTHON
scripts/compare_training.py [--models clip,resnet] [--devices go,xla:cpu]

The models are those of zootest.Benchmarked, their twins the originals' classes with the same sizes; a twin with another
number of parameters is refused. Both sides train on one batch by AdamW with the gradients' norm clipped. The sides take
turns in an order that changes from round to round, and the median of the rounds counts. A device that this machine does
not have is left out with a word.
"""

import argparse
import importlib.metadata
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import diffusers
import torch
import transformers
from torch import nn
from torchvision.models.resnet import BasicBlock

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
F = nn.functional
# As the Makefile has it.
GO = {"GOEXPERIMENT": "simd", "GOTOOLCHAIN": re.search(r"^toolchain (\S+)", open("go.mod").read(), re.M)[1]}


def perceptron():
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))
    return model, lambda x, y: F.cross_entropy(model(x), y), (torch.randn(64, 64), torch.randint(10, (64,)))


def convolutional():
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1, bias=False),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.Conv2d(16, 32, 4, stride=2, padding=1),
        nn.GroupNorm(4, 32),
        nn.SiLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(32, 32, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 10),
    )
    return model, lambda x, y: F.cross_entropy(model(x), y), (torch.randn(8, 3, 16, 16), torch.randint(10, (8,)))


def transformer():
    model = transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            vocab_size=512,
            hidden_size=256,
            intermediate_size=1024,
            num_hidden_layers=4,
            num_attention_heads=8,
            max_position_embeddings=77,
            eos_token_id=2,
            bos_token_id=1,
            pad_token_id=0,
        )
    )
    return model, lambda ids: model(input_ids=ids).pooler_output.square().mean(), (torch.randint(512, (32, 77)),)


def resnet():
    """torchvision's blocks in the arrangement of its ResNet, which has fixed widths."""
    layers, width = [nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU()], 16
    for i, out in enumerate((16, 32, 64, 128)):
        for j in range(2):
            stride = 2 if i > 0 and j == 0 else 1
            shorten = (
                None
                if stride == 1 and width == out
                else nn.Sequential(nn.Conv2d(width, out, 1, stride, bias=False), nn.BatchNorm2d(out))
            )
            layers.append(BasicBlock(width, out, stride, shorten))
            width = out
    model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))
    return model, lambda x, y: F.cross_entropy(model(x), y), (torch.randn(64, 3, 32, 32), torch.randint(10, (64,)))


SMALL_TOWER = dict(hidden_size=64, intermediate_size=256, num_hidden_layers=3, num_attention_heads=4)


def clip():
    model = transformers.CLIPModel(
        transformers.CLIPConfig(
            text_config=dict(
                SMALL_TOWER,
                vocab_size=1024,
                max_position_embeddings=24,
                hidden_act="gelu",
                eos_token_id=2,
                bos_token_id=1,
                pad_token_id=0,
            ),
            vision_config=dict(SMALL_TOWER, image_size=32, patch_size=8, hidden_act="gelu"),
            projection_dim=64,
        )
    )
    return (
        model,
        lambda x, ids: model(input_ids=ids, pixel_values=x, return_loss=True).loss,
        (torch.randn(64, 3, 32, 32), torch.randint(1024, (64, 24))),
    )


def wav2vec2():
    model = transformers.Wav2Vec2ForSequenceClassification(
        transformers.Wav2Vec2Config(
            conv_dim=[16] * 3,
            conv_kernel=[10, 8, 4],
            conv_stride=[5, 4, 2],
            hidden_size=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=96,
            num_conv_pos_embeddings=16,
            num_conv_pos_embedding_groups=4,
            classifier_proj_size=32,
            num_labels=7,
            hidden_dropout=0,
            attention_dropout=0,
            activation_dropout=0,
            feat_proj_dropout=0,
            final_dropout=0,
            layerdrop=0,
            apply_spec_augment=False,
        )
    )
    return model, lambda x, y: model(input_values=x, labels=y).loss, (torch.randn(16, 4000), torch.randint(7, (16,)))


def llava():
    model = transformers.LlavaForConditionalGeneration(
        transformers.LlavaConfig(
            vision_config=transformers.CLIPVisionConfig(
                **SMALL_TOWER, image_size=32, patch_size=8, hidden_act="quick_gelu"
            ),
            text_config=transformers.LlamaConfig(
                vocab_size=2048,
                hidden_size=96,
                intermediate_size=256,
                num_hidden_layers=4,
                num_attention_heads=4,
                max_position_embeddings=256,
                rms_norm_eps=1e-5,
            ),
            image_token_index=3,
        )
    )
    ids = torch.randint(4, 2048, (16, 48))
    ids[:, :16] = 3
    return (
        model,
        lambda x, ids: model(input_ids=ids, pixel_values=x, labels=ids).loss,
        (torch.randn(16, 3, 32, 32), ids),
    )


def unet():
    model = diffusers.UNet2DConditionModel(
        sample_size=16,
        in_channels=12,
        out_channels=12,
        block_out_channels=(32, 64, 96),
        layers_per_block=1,
        cross_attention_dim=64,
        attention_head_dim=4,
        norm_num_groups=8,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
    )
    batch = torch.randn(16, 12, 16, 16), torch.randint(1000, (16,)), torch.randn(16, 8, 64), torch.randn(16, 12, 16, 16)
    return model, lambda x, t, context, noise: F.mse_loss(model(x, t, context).sample, noise), batch


TWINS = {twin.__name__: twin for twin in (perceptron, convolutional, transformer, resnet, clip, wav2vec2, llava, unet)}


class Torch:
    """A twin in training."""

    def __init__(self, name, device):
        torch.manual_seed(1)
        model, loss, batch = TWINS[name]()
        self.model, self.loss, self.batch = model.to(device).train(), loss, [t.to(device) for t in batch]
        self.parameters = sum(p.numel() for p in self.model.parameters())
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=0.01)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss(*self.batch)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def rate(self, seconds):
        for _ in range(2):
            self.step()
        start, steps = time.perf_counter(), 0
        while steps < 2 or time.perf_counter() - start < seconds:
            self.step()
            steps += 1
        return steps / (time.perf_counter() - start)


def go(binary, name, device, seconds):
    """Steps per second and number of parameters of our model."""
    command = [
        binary,
        "-test.run",
        "^$",
        "-test.bench",
        f"^BenchmarkTraining$/^{name}$",
        "-test.benchtime",
        f"{seconds}s",
        "-test.timeout",
        "0",
    ]
    done = subprocess.run(command, env={**os.environ, "UNLEARNLAB_DEVICE": device}, capture_output=True, text=True)
    rate, parameters = (re.search(rf"([\d.e+]+) {unit}\b", done.stdout) for unit in ("steps/s", "parameters"))
    if done.returncode != 0 or rate is None:
        raise RuntimeError((done.stdout + done.stderr).strip())
    return float(rate.group(1)), float(parameters.group(1))


def available(binary, devices):
    for device in devices:
        try:
            go(binary, "perceptron", device, 0.01)
            yield device
        except RuntimeError as problem:
            line = next((line.strip() for line in str(problem).splitlines() if "device" in line), str(problem))
            print(f"left out: {line}")


def compare(name, binary, devices, options):
    twin = Torch(name, options.torch)
    rates = {side: [] for side in ["torch", *devices]}
    for round_ in range(options.rounds):
        sides = list(rates)
        for side in sides[round_ % len(sides) :] + sides[: round_ % len(sides)]:
            if side == "torch":
                rates[side].append(twin.rate(options.seconds))
                continue
            rate, parameters = go(binary, name, side, options.seconds)
            if parameters != twin.parameters:
                raise SystemExit(f"{name}: {parameters:.0f} parameters here, {twin.parameters} in the twin")
            rates[side].append(rate)
    middle = {side: statistics.median(values) for side, values in rates.items()}
    columns = "".join(f"{middle[d]:>12.4g}{middle['torch'] / middle[d]:>8.2f}x" for d in devices)
    print(f"{name:<16}{twin.parameters:>12,}{middle['torch']:>12.4g}{columns}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(TWINS), help="of those there are, by commas")
    parser.add_argument("--devices", default="go,xla:cpu", help="ours, by commas; xla:cuda is one more")
    parser.add_argument("--torch", default="cpu", help="PyTorch's device")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement")
    options = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    torch.set_num_threads(threads)
    versions = ", ".join(
        f"{package} {importlib.metadata.version(package)}"
        for package in ("torch", "torchvision", "transformers", "diffusers")
    )
    print(f"{versions}; {threads} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "zootest.test")
        subprocess.run(
            ["go", "test", "-c", "-o", binary, "./unlearnkit/zoo/zootest"], check=True, env={**os.environ, **GO}
        )
        devices = list(available(binary, options.devices.split(",")))
        print("steps per second, and how many times as long as PyTorch's a step takes")
        print(f"{'model':<16}{'parameters':>12}{'torch':>12}" + "".join(f"{device:>12}{'':>9}" for device in devices))
        for name in options.models.split(","):
            compare(name, binary, devices, options)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    sys.exit(main())
