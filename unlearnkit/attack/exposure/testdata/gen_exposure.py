"""Makes the fixtures of package exposure with transformers.

    HF_HUB_OFFLINE=1 python gen_exposure.py

writes, beside itself, image.png and expected.json: the log-probability of every token of some candidates after a
prefix, by the models in zoo/llava/testdata in double precision, their perplexities, Min-10 %
probabilities and ranks.
"""

import json
import math
import os
import struct
import zlib

import torch
import transformers
from safetensors.torch import load_file
from transformers import LlamaForCausalLM, LlavaForConditionalGeneration, PreTrainedTokenizerFast

HERE = os.path.dirname(os.path.abspath(__file__))
ZOO = os.path.join(HERE, "..", "..", "..", "zoo")
MODELS = os.path.join(ZOO, "llava", "testdata")
MEAN, DEVIATION = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
JOBS = ["baker", "judge", "nurse", "nurse practitioner", "cook", "the cook"]
TURN = "USER: <image>\nASSISTANT: "
PATCHES = 4


def adapt(model):
    """Adds the adapter as PEFT does: W + (alpha / r) B A, and the projector that was trained whole."""
    folder = os.path.join(MODELS, "adapter")
    with open(os.path.join(folder, "adapter_config.json")) as file:
        config = json.load(file)
    tensors = load_file(os.path.join(folder, "adapter_model.safetensors"))
    parameters = dict(model.named_parameters())
    used = 0
    with torch.no_grad():
        for name, down in tensors.items():
            name = name.removeprefix("base_model.model.")
            if name.endswith(".lora_A.weight"):
                up = tensors["base_model.model." + name.replace("lora_A", "lora_B")]
                parameters[name.replace(".lora_A", "")] += config["lora_alpha"] / config["r"] * (up @ down).double()
                used += 2
            elif ".lora_B." not in name:
                parameters[name].copy_(down)
                used += 1
    assert used == len(tensors), (used, len(tensors))
    return model


def log_probs(model, tokenizer, prefix, candidates, pixels):
    head = tokenizer(prefix.rstrip(" "))["input_ids"]
    rows = []
    for candidate in candidates:
        whole = tokenizer(prefix.rstrip(" ") + " " + candidate)["input_ids"]
        assert whole[: len(head)] == head
        expanded = sum(([i] * PATCHES if i == 57 else [i] for i in whole), [])
        more = {} if pixels is None else dict(pixel_values=pixels)
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([expanded]), **more).logits[0]
        next_ids = torch.tensor(whole[len(head) :])
        at = torch.log_softmax(logits[len(expanded) - len(next_ids) - 1 : -1], -1)
        rows.append(at.gather(-1, next_ids[:, None])[:, 0].tolist())
    return rows


def write_png(path, colours):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width, _ = colours.shape
    rows = b"".join(b"\0" + bytes(row.flatten().tolist()) for row in colours)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)))
        file.write(chunk(b"IEND", b""))


def main():
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=os.path.join(ZOO, "language", "testdata", "tokenizer.json"))
    colours = torch.randint(0, 256, (10, 10, 3), generator=torch.Generator().manual_seed(5), dtype=torch.uint8)
    write_png(os.path.join(HERE, "image.png"), colours)
    pixels = (colours.double() / 255 - torch.tensor(MEAN)) / torch.tensor(DEVIATION)
    pixels = pixels.permute(2, 0, 1)[None].double()
    llava = LlavaForConditionalGeneration.from_pretrained(os.path.join(MODELS, "llava")).double().eval()
    llama = LlamaForCausalLM.from_pretrained(os.path.join(MODELS, "llama")).double().eval()
    prefix = "The job of the person in the image is"
    cases = [
        ("llava", "", prefix, TURN + prefix, llava, pixels),
        ("llava", "", "<image> the job is", "<image> the job is", llava, pixels),
        ("llava", "", "The job of ann is", "The job of ann is", llava, None),
        ("llama", "", "The job of ann is ", "The job of ann is ", llama, None),
    ]
    rows = [dict(zip(("model", "adapter", "prefix"), c), image=c[5] is not None,
                 log_probs=log_probs(c[4], tokenizer, c[3], JOBS, c[5])) for c in cases]
    rows.append(dict(model="llava", adapter="adapter", prefix=prefix, image=True,
                     log_probs=log_probs(adapt(llava), tokenizer, TURN + prefix, JOBS, pixels)))
    for row in rows:
        row["perplexities"] = [math.exp(-sum(l) / len(l)) for l in row["log_probs"]]
        lowest = [sorted(math.exp(p) for p in l)[: max(1, math.ceil(len(l) / 10))] for l in row["log_probs"]]
        row["min_k"] = [sum(l) / len(l) for l in lowest]
        row["ranks"] = [1 + sum(other < own for other in row["perplexities"]) for own in row["perplexities"]]
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}"
    with open(os.path.join(HERE, "expected.json"), "w") as file:
        json.dump(dict(made_with=versions, candidates=JOBS, cases=rows), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
