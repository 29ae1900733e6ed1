#!/usr/bin/env python3
"""Pixels, planes and samples of the original libraries.

    HF_HUB_OFFLINE=1 python3 unlearnkit/preprocess/testdata/gen_preprocess.py

needs Pillow, torchvision, transformers, diffusers, open_clip_torch and torchaudio; it writes expected.json beside
itself, with their versions. The images and sounds are made by a rule that the test repeats.
"""

import base64, hashlib, importlib.metadata, json, math, os, struct

import numpy as np
import torch

torch.version.cuda = None  # torchaudio refuses builds of torch for another CUDA; nothing here runs on one
import torchaudio
import torchvision.transforms as T
from diffusers.image_processor import VaeImageProcessor
from open_clip.transform import image_transform
from PIL import Image
from transformers import CLIPImageProcessor, Wav2Vec2FeatureExtractor
from transformers.image_transforms import center_crop
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

torch.set_num_threads(1)
HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(37, 53), (53, 37), (5, 400), (1, 1), (640, 3), (64, 48), (2, 2), (31, 31), (300, 1)]
TARGETS = [(24, 24), (1, 1), (7, 90), (111, 13), (64, 48), (37, 20), (20, 53), (3, 400)]
FILTERS = {
    "nearest": Image.NEAREST,
    "box": Image.BOX,
    "bilinear": Image.BILINEAR,
    "hamming": Image.HAMMING,
    "bicubic": Image.BICUBIC,
    "lanczos": Image.LANCZOS,
}
RATES = [
    (44100, 16000, 1000),
    (8000, 16000, 333),
    (48000, 16000, 1001),
    (22050, 16000, 500),
    (16000, 8000, 400),
    (11025, 16000, 300),
    (16000, 44100, 200),
    (44100, 16000, 1),
    (32000, 16000, 5),
    (16000, 16000, 50),
    (96000, 16000, 700),
]


def noise(seed, count):
    state, out = seed, []
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        out.append(state >> 16)
    return out


def picture(width, height):
    """Noise, with blocks of black and white that make filters overshoot."""
    values = noise(1000 * width + height, 3 * width * height)
    pixels = bytearray(v >> 8 for v in values)
    for y in range(height):
        for x in range(width):
            block = (x // 5 + 2 * (y // 4)) % 4
            if block < 2:
                pixels[3 * (y * width + x) : 3 * (y * width + x) + 3] = bytes([255 * block] * 3)
    return Image.frombytes("RGB", (width, height), bytes(pixels))


def sound(seed, count):
    return np.array([v / 32768 - 1 for v in noise(seed, count)], np.float32)


def pixels(image):
    data = image.tobytes()
    row = {"width": image.width, "height": image.height, "sha256": hashlib.sha256(data).hexdigest()}
    if len(data) <= 150:
        row["pixels"] = base64.b64encode(data).decode()
    return row


def floats(array):
    array = np.asarray(array, np.float32)
    flat = array.ravel()
    stride = max(1, len(flat) // 101)
    return {
        "shape": list(array.shape),
        "stride": stride,
        "values": base64.b64encode(struct.pack(f"<{len(flat[::stride])}f", *flat[::stride])).decode(),
    }


def expand2square(image, color):
    """LLaVA's own, llava/mm_utils.py."""
    width, height = image.size
    if width == height:
        return image
    side = max(width, height)
    result = Image.new(image.mode, (side, side), color)
    result.paste(image, (0, (side - height) // 2) if width > height else ((side - width) // 2, 0))
    return result


def processor(cls, size):
    return cls(size={"shortest_edge": size}, crop_size={"height": size, "width": size})


def main():
    out = {
        "versions": {
            p: importlib.metadata.version(p)
            for p in ("pillow", "torchvision", "transformers", "diffusers", "open_clip_torch", "torch")
        }
        | {"torchaudio": torchaudio.__version__}
    }
    images = [(s, picture(*s)) for s in SIZES]
    out["resize"] = [
        {"from": s, "filter": name, **pixels(m.resize(target, f))}
        for s, m in images
        for target in TARGETS
        for name, f in FILTERS.items()
    ]
    out["resize"] += [
        {"from": (64, 48), "filter": "bicubic", **pixels(picture(64, 48).resize((1000, 701), Image.BICUBIC))}
    ]
    # Up to version 12 Pillow resized rows first, whatever the size; a pass over one side alone is the same in all
    # versions.
    out["resize"] += [
        {"from": s, "filter": "rows first " + name, **pixels(m.resize((target[0], s[1]), f).resize(target, f))}
        for s, m in images[:3]
        for target in TARGETS[:5]
        for name, f in FILTERS.items()
        if name != "nearest"
    ]
    crops = [(24, 24), (3, 50), (60, 1), (38, 54), (2, 3)]
    out["crop"] = []
    for s, m in images[:2] + images[5:7]:
        for w, h in crops:
            out["crop"].append({"from": s, "rule": "torchvision", **pixels(T.CenterCrop((h, w))(m))})
            out["crop"].append(
                {"from": s, "rule": "huggingface", **pixels(Image.fromarray(center_crop(np.array(m), (h, w))))}
            )
    mean = processor(CLIPImageProcessorPil, 24).image_mean
    background = tuple(int(x * 255) for x in mean)
    out["background"] = background
    transforms = {
        "open_clip 24": image_transform(24, False),
        "open_clip 35": image_transform(35, False),
        "huggingface 24": lambda m: processor(CLIPImageProcessorPil, 24)(m, return_tensors="np")["pixel_values"][0],
        "huggingface 35": lambda m: processor(CLIPImageProcessorPil, 35)(m, return_tensors="np")["pixel_values"][0],
        "llava 24": lambda m: processor(CLIPImageProcessorPil, 24)(expand2square(m, background), return_tensors="np")[
            "pixel_values"
        ][0],
        "imagenet 32 28": T.Compose(
            [T.Resize(32), T.CenterCrop(28), T.ToTensor(), T.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])]
        ),
        "diffusion 40 24": lambda m: VaeImageProcessor().preprocess(m, height=24, width=40)[0],
    }
    out["transform"] = [{"from": s, "name": name, **floats(f(m))} for s, m in images for name, f in transforms.items()]
    full = {
        "open_clip 224": image_transform(224, False),
        "huggingface 336": lambda m: processor(CLIPImageProcessorPil, 336)(m, return_tensors="np")["pixel_values"][0],
    }
    out["transform"] += [{"from": (64, 48), "name": name, **floats(f(picture(64, 48)))} for name, f in full.items()]
    out["faster_processor_differs_by_at_most"] = max(
        float(
            (
                np.abs(
                    np.asarray(processor(CLIPImageProcessor, n)(m, return_tensors="np")["pixel_values"][0])
                    - processor(CLIPImageProcessorPil, n)(m, return_tensors="np")["pixel_values"][0]
                )
                * 255
                * 0.27
            ).max()
        )
        for _, m in images
        for n in (24, 35)
    )
    out["resample"] = [
        {
            "from": a,
            "to": b,
            "count": n,
            **floats(torchaudio.functional.resample(torch.from_numpy(sound(n, n)).double(), a, b).numpy()),
        }
        for a, b, n in RATES
    ]
    out["float32_resample_differs_by_at_most"] = max(
        float(
            (
                torchaudio.functional.resample(torch.from_numpy(sound(n, n)), a, b)
                - torchaudio.functional.resample(torch.from_numpy(sound(n, n)).double(), a, b)
            )
            .abs()
            .max()
        )
        for a, b, n in RATES
    )
    out["standardize"] = []
    for masked in (False, True):
        extractor = Wav2Vec2FeatureExtractor(
            feature_size=1, sampling_rate=16000, padding_value=0.0, do_normalize=True, return_attention_mask=masked
        )
        for count, length in ((100, 150), (100, 100), (130, 77), (1, 5), (100, 0)):
            raw = sound(count + 7, count) * np.float32(0.25) + np.float32(0.125)
            options = dict(padding="max_length", max_length=length, truncation=True) if length else {}
            values = extractor(raw, sampling_rate=16000, return_tensors="np", **options)["input_values"][0]
            out["standardize"].append({"count": count, "length": length, "masked": masked, **floats(values)})
    with open(os.path.join(HERE, "expected.json"), "w") as f:
        f.write(
            "{\n"
            + ",\n".join(
                json.dumps(k)
                + ": "
                + (
                    "[\n" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in v) + "]"
                    if isinstance(v, list)
                    else json.dumps(v)
                )
                for k, v in out.items()
            )
            + "\n}\n"
        )


main()
