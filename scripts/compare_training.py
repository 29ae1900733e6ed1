#!/usr/bin/env python3
"""Times training steps of our models and of the same models in PyTorch, in one run, and prints steps per second and
ratios, and on a GPU the memory.

Usage: PYTHON=python with torch, torchvision, transformers and diffusers; run from the repository's root: $PYTHON
scripts/compare_training.py [--models clip,resnet] [--devices go,xla:cpu]

The models are those of zootest.Benchmarked, or with --published those of zootest.Published, at the papers' sizes and for
a GPU. Their twins are the original classes with the same sizes; a twin with another number of parameters is an error.
Both sides train on one batch by AdamW with clipped gradients. The sides take turns in an order that changes from round
to round, and the median of the rounds counts. A device that this machine does not have is left out and reported.
"""

import argparse
import gc
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


def published_clip():
    model = transformers.CLIPModel(
        transformers.CLIPConfig(
            text_config=dict(hidden_act="quick_gelu"),
            vision_config=dict(patch_size=16, hidden_act="quick_gelu"),
            projection_dim=512,
        )
    )
    return (
        model,
        lambda x, ids: model(input_ids=ids, pixel_values=x, return_loss=True).loss,
        (torch.randn(64, 3, 224, 224), torch.randint(49408, (64, 77))),
    )


def published_wav2vec2():
    noise = ("hidden_dropout", "attention_dropout", "activation_dropout", "feat_proj_dropout", "final_dropout")
    model = transformers.Wav2Vec2ForSequenceClassification(
        transformers.Wav2Vec2Config(num_labels=7, layerdrop=0, apply_spec_augment=False, **dict.fromkeys(noise, 0))
    )
    return model, lambda x, y: model(input_values=x, labels=y).loss, (torch.randn(16, 64000), torch.randint(7, (16,)))


def published_unet():
    model = diffusers.UNet2DConditionModel(sample_size=64, cross_attention_dim=768)
    batch = torch.randn(1, 4, 64, 64), torch.randint(1000, (1,)), torch.randn(1, 77, 768), torch.randn(1, 4, 64, 64)
    return model, lambda x, t, context, noise: F.mse_loss(model(x, t, context).sample, noise), batch


def published_llava():
    import peft

    config = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(
            hidden_size=1024,
            intermediate_size=4096,
            num_hidden_layers=24,
            num_attention_heads=16,
            image_size=336,
            patch_size=14,
            projection_dim=768,
        ),
        text_config=transformers.LlamaConfig(vocab_size=32064, rms_norm_eps=1e-5, max_position_embeddings=4096),
        image_token_index=32000,
    )
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        model = transformers.LlavaForConditionalGeneration(config)
    adapter = peft.LoraConfig(
        r=64,
        lora_alpha=128,
        target_modules=r".*language_model.*\.(q|k|v|o|gate|up|down)_proj",
    )
    model = peft.get_peft_model(model, adapter)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_("lora_" in name or "projector" in name)
    ids = torch.randint(32001, 32064, (1, 620))
    ids[:, :576] = 32000
    return (
        model,
        lambda x, ids: model(input_ids=ids, pixel_values=x, labels=ids).loss,
        (torch.randn(1, 3, 336, 336), ids),
    )


TWINS = {twin.__name__: twin for twin in (perceptron, convolutional, transformer, resnet, clip, wav2vec2, llava, unet)}
PUBLISHED = {
    twin.__name__.removeprefix("published_"): twin
    for twin in (published_clip, published_wav2vec2, published_unet, published_llava)
}


class Torch:
    """A twin in training."""

    def __init__(self, twin, device):
        torch.manual_seed(1)
        model, loss, batch = twin()
        self.model, self.loss, self.batch = model.to(device).train(), loss, [t.to(device) for t in batch]
        self.parameters = sum(p.numel() for p in self.model.parameters())
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.trained, lr=1e-3, weight_decay=0.01)

    def step(self):
        self.optimizer.zero_grad()
        loss = self.loss(*self.batch)
        loss.backward()
        nn.utils.clip_grad_norm_(self.trained, 1.0)
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


def go(binary, benchmark, name, device, seconds):
    """Steps per second, number of parameters, and on a GPU the megabytes, of our model."""
    command = [
        binary,
        "-test.run",
        "^$",
        "-test.bench",
        f"^{benchmark}$/^{name}$",
        "-test.benchtime",
        f"{seconds}s",
        "-test.timeout",
        "0",
    ]
    done = subprocess.run(command, env={**os.environ, "UNLEARNLAB_DEVICE": device}, capture_output=True, text=True)
    units = ("steps/s", "parameters", "MB-on-GPU")
    values = [re.search(rf"([\d.e+]+) {unit}\b", done.stdout) for unit in units]
    if done.returncode != 0 or values[0] is None:
        raise RuntimeError((done.stdout + done.stderr).strip())
    return [float(value.group(1)) if value else None for value in values]


def available(binary, devices):
    for device in devices:
        try:
            go(binary, "BenchmarkTraining", "perceptron", device, 0.01)
            yield device
        except RuntimeError as problem:
            line = next((line.strip() for line in str(problem).splitlines() if "device" in line), str(problem))
            print(f"left out: {line}")


def compare(name, binary, devices, options):
    benchmark, twins = ("BenchmarkPublished", PUBLISHED) if options.published else ("BenchmarkTraining", TWINS)
    rates, memory, parameters = {side: [] for side in ["torch", *devices]}, {}, {}
    twin = None
    for round_ in range(options.rounds):
        sides = list(rates)
        for side in sides[round_ % len(sides) :] + sides[: round_ % len(sides)]:
            if side == "torch":
                twin = twin or Torch(twins[name], options.torch)
                rates[side].append(twin.rate(options.seconds))
                parameters[side] = twin.parameters
                if options.torch == "cuda":
                    memory[side] = torch.cuda.max_memory_reserved() / 1e6
                    if options.published:  # both sides do not fit on one card
                        twin = None
                        gc.collect()
                        torch.cuda.empty_cache()
                        torch.cuda.reset_peak_memory_stats()
                continue
            rate, parameters[side], memory[side] = go(binary, benchmark, name, side, options.seconds)
            rates[side].append(rate)
    if len(set(parameters.values())) > 1:
        raise SystemExit(f"{name}: parameters differ: {parameters}")
    middle = {side: statistics.median(values) for side, values in rates.items()}
    columns = "".join(f"{middle[d]:>12.4g}{middle['torch'] / middle[d]:>8.2f}x" for d in devices)
    used = "".join(f"  {side} {size:,.0f} MB" for side, size in memory.items() if size)
    print(f"{name:<16}{parameters['torch']:>14,}{middle['torch']:>12.4g}{columns}{used}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", help="names separated by commas (default all)")
    parser.add_argument("--published", action="store_true", help="the papers' sizes; needs a GPU")
    parser.add_argument("--binary", help="the compiled tests of internal/testkit/zootest; without it, go builds them")
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
    if options.torch == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        print(f"{torch.cuda.get_device_name()}; PyTorch's TF32 is off")
    with tempfile.TemporaryDirectory() as folder:
        binary = options.binary or os.path.join(folder, "zootest.test")
        if not options.binary:
            subprocess.run(
                ["go", "test", "-c", "-o", binary, "./internal/testkit/zootest"], check=True, env={**os.environ, **GO}
            )
        devices = list(available(binary, options.devices.split(",")))
        print("steps per second, and how many times as long as PyTorch's a step takes")
        print(f"{'model':<16}{'parameters':>14}{'torch':>12}" + "".join(f"{device:>12}{'':>9}" for device in devices))
        for name in (options.models or ",".join(PUBLISHED if options.published else TWINS)).split(","):
            try:
                compare(name, binary, devices, options)
            except (RuntimeError, ImportError, torch.OutOfMemoryError) as problem:
                print(f"{name:<16}failed: {' '.join(str(problem).split())[-400:]}", flush=True)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    sys.exit(main())
