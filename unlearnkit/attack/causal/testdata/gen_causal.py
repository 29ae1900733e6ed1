"""Makes the fixture of package causal with transformers.

    HF_HUB_OFFLINE=1 python gen_causal.py

writes, beside itself, expected.json: causal traces of the models in zoo/llava/testdata in double precision, by forward
hooks that record and overwrite what modules return. Positions are found by the tokenizer's offsets. The image is that
of package exposure.
"""

import json
import os
import struct
import zlib

import torch
import transformers
from transformers import LlamaForCausalLM, LlavaForConditionalGeneration, PreTrainedTokenizerFast

HERE = os.path.dirname(os.path.abspath(__file__))
ZOO = os.path.join(HERE, "..", "..", "..", "zoo")
MODELS = os.path.join(ZOO, "llava", "testdata")
MEAN, DEVIATION = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
PATCHES, IMAGE = 4, 57
ANSWERS = ["baker", "judge", "nurse", "cook", "pilot", "smith", "dentist", "sailor", "king", "is", "the", "the name",
           "name is", "name", "j", "p"]


def read_png(path):
    """Reads what gen_exposure.py of package exposure writes."""
    with open(path, "rb") as file:
        content = file.read()
    width, height = struct.unpack(">II", content[16:24])
    at = content.index(b"IDAT")
    (length,) = struct.unpack(">I", content[at - 4 : at])
    rows = zlib.decompress(content[at + 4 : at + 4 + length])
    rows = [rows[i * (3 * width + 1) + 1 : (i + 1) * (3 * width + 1)] for i in range(height)]
    return torch.tensor([list(row) for row in rows]).reshape(height, width, 3)


def output(value):
    return value[0] if isinstance(value, tuple) else value


def modules(model):
    layers = model.model.language_model.layers if hasattr(model.model, "language_model") else model.model.layers
    return [[layer.mlp for layer in layers], [layer.self_attn for layer in layers], list(layers)]


def run(model, ids, answer, pixels, hooks):
    """The probability of the answer's tokens while hooks stand at modules."""
    handles = [module.register_forward_hook(hook) for module, hook in hooks]
    more = {} if pixels is None else dict(pixel_values=pixels)
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([ids + answer[:-1]]), **more).logits[0]
    for handle in handles:
        handle.remove()
    at = torch.log_softmax(logits[len(ids) - 1 :], -1).gather(-1, torch.tensor(answer)[:, None])
    return at.sum().exp().item()


def overwriting(value, positions):
    def hook(_, __, result):
        changed = output(result).clone()
        changed[:, positions] = value[:, positions]
        return (changed,) + tuple(result[1:]) if isinstance(result, tuple) else changed

    return hook


def expanded(ids):
    return sum(([i] * PATCHES if i == IMAGE else [i] for i in ids), [])


def trace(model, tokenizer, prompt, subject, substitute, pixels, whole, window):
    coded = tokenizer(prompt, return_offsets_mapping=True)
    ids = coded["input_ids"]
    corrupted = tokenizer(prompt.replace(subject, substitute))["input_ids"]
    assert len(ids) == len(corrupted) and ids != corrupted
    at = prompt.index(subject)
    inside = [i for i, (a, b) in enumerate(coded["offset_mapping"]) if a < at + len(subject) and b > at - 1 and b > a]
    rows, parts, shift, image = [], [], 0, ids.index(IMAGE) if IMAGE in ids else -1
    if image >= 0:
        rows, parts, shift = [list(range(image, image + PATCHES))], ["image"], PATCHES - 1
    for i in (i for i in range(inside[0], len(ids)) if i != image):
        rows.append([i + (shift if i > image >= 0 else 0)])
        parts.append("subject" if i <= inside[-1] else "last" if i == len(ids) - 1 else "later")
    ids, corrupted = expanded(ids), expanded(corrupted)

    def tokens(answer):
        after = tokenizer(prompt + " " + answer)["input_ids"][len(coded["input_ids"]) :]
        return after if whole else after[:1]

    def effect(answer):
        return run(model, ids, tokens(answer), pixels, []) - run(model, corrupted, tokens(answer), pixels, [])

    answer = max((a for a in ANSWERS if not whole or len(tokens(a)) > 1), key=effect)
    wanted = tokens(answer)
    kept, sites = {}, modules(model)
    hooks = []
    for site, layers in enumerate(sites):
        for layer, module in enumerate(layers):
            hooks.append((module, lambda _, __, result, key=(site, layer): kept.update({key: output(result).clone()})))
    clean = run(model, ids, wanted, pixels, hooks)
    base = run(model, corrupted, wanted, pixels, [])
    maps = []
    for site, layers in enumerate(sites):
        effects = []
        for positions in rows:
            line = []
            for layer in range(len(layers)):
                among = range(max(0, layer - window // 2), min(len(layers) - 1, layer + (window - 1) // 2) + 1)
                hooks = [(layers[j], overwriting(kept[site, j], positions)) for j in among]
                line.append(run(model, corrupted, wanted, pixels, hooks) - base)
            effects.append(line)
        maps.append(effects)
    return dict(prompt=prompt, subject=subject, substitute=substitute, answer=answer, image=pixels is not None,
                whole=whole, window=window, clean=clean, corrupted=base, parts=parts, positions=rows, maps=maps)


def main():
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=os.path.join(ZOO, "language", "testdata", "tokenizer.json"))
    colours = read_png(os.path.join(HERE, "..", "..", "exposure", "testdata", "image.png"))
    pixels = (colours.double() / 255 - torch.tensor(MEAN)) / torch.tensor(DEVIATION)
    pixels = pixels.permute(2, 0, 1)[None].double()
    llava = LlavaForConditionalGeneration.from_pretrained(os.path.join(MODELS, "llava")).double().eval()
    llama = LlamaForCausalLM.from_pretrained(os.path.join(MODELS, "llama")).double().eval()
    cases = [
        ("llava", llava, "<image> the job of ann is", "ann", "bob", pixels, False, 1),
        ("llava", llava, "<image> the job of ann is", "ann", "bob", pixels, True, 2),
        ("llava", llava, "the job of ann <image> is", "of ann", "of bob", pixels, False, 1),
        ("llava", llava, "the job of ann is the", "ann", "bob", None, False, 2),
        ("llama", llama, "the job of ann is", "ann", "bob", None, False, 1),
    ]
    rows = [dict(model=name) | trace(model, tokenizer, *rest) for name, model, *rest in cases]
    versions = f"torch {torch.__version__}, transformers {transformers.__version__}"
    with open(os.path.join(HERE, "expected.json"), "w") as file:
        json.dump(dict(made_with=versions, cases=rows), file, indent=1)
        file.write("\n")
    for row in rows:
        print(row["model"], row["answer"], row["clean"], row["corrupted"], row["parts"])


if __name__ == "__main__":
    main()
