"""Makes the fixtures of package unlearn with PyTorch, from the formulas of the methods' papers.

    HF_HUB_OFFLINE=1 python gen_methods.py

writes beside itself the folder clip, a small CLIP as transformers saves it, and methods.safetensors: the rows of a
task, which of them each of three steps takes, a permutation for each step, and for each method the losses of the three
steps ("loss." + method) and what the steps have added to the parameters, one after another in the order of their names
("change." + method). Everything but the attention's softmax is computed in float64, from weights that float32 holds
exactly.

AdamW divides each gradient by its own size, so an element whose gradient is nearly nothing moves by what rounding has
made of it. Where a step's gradient is not zero but below 1e-3 of the tensor's largest, and in the biases of keys, on
which no attention depends, the change is NaN: it cannot be compared.
"""

import copy
import math
import os

import torch
import transformers
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy, mse_loss
from transformers import CLIPConfig, CLIPModel

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = f"torch {torch.__version__}, transformers {transformers.__version__}"
RATE, DECAY, ROWS, BATCH = 2e-3, 0.5, 10, 4
torch.set_num_threads(1)
torch.manual_seed(0)

TEXT = dict(
    vocab_size=29,
    hidden_size=12,
    intermediate_size=18,
    num_hidden_layers=2,
    num_attention_heads=3,
    max_position_embeddings=7,
    projection_dim=12,
    bos_token_id=26,
    eos_token_id=27,
    pad_token_id=0,
)
VISION = dict(
    hidden_size=16,
    intermediate_size=20,
    num_hidden_layers=2,
    num_attention_heads=4,
    image_size=8,
    patch_size=4,
    projection_dim=12,
)

# Rows of the two streams and the permutation of each step; the last batch is the smaller one.
STEPS = [
    ([7, 2, 9, 4], [3, 1, 8, 0], [1, 2, 3, 0]),
    ([0, 8, 1, 6], [9, 5, 2, 6], [2, 0, 3, 1]),
    ([5, 3], [7, 4], [1, 0]),
]


def start():
    """A model whose parameters are moved away from their initial values, logit_scale to just above its lower bound."""
    config = CLIPConfig(text_config=TEXT, vision_config=VISION, projection_dim=12)
    config._attn_implementation = "eager"
    model = CLIPModel(config)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim >= 2:
                parameter.copy_(torch.randn(parameter.shape) / parameter[0].numel() ** 0.5)
            elif parameter.ndim == 0:
                parameter.copy_(torch.tensor(0.001))
            else:
                parameter.add_(0.3 * torch.randn(parameter.shape))
    return model.eval()


def texts():
    ids = torch.randint(1, 26, (ROWS, 7))
    for row in ids:
        row[0] = 26
        end = int(torch.randint(2, 7, ()))
        row[end] = 27
        row[end + 1 :] = 0
    return ids


def task():
    columns = {}
    for stream in ["forget", "retain"]:
        columns[stream, "image"] = torch.randn(ROWS, 3, 8, 8)
        columns[stream, "caption"] = texts()
    columns["forget", "generic"] = texts()
    return columns


class Model:
    """A CLIP as the formulas write it: V and T are embeddings of length one, a = exp(logit_scale)."""

    def __init__(self, clip):
        self.clip = clip

    def image(self, pixels):
        pooled = self.clip.vision_model(pixel_values=pixels).pooler_output
        V = self.clip.visual_projection(pooled)
        return V / V.norm(dim=-1, keepdim=True)

    def text(self, ids):
        pooled = self.clip.text_model(input_ids=ids).pooler_output
        T = self.clip.text_projection(pooled)
        return T / T.norm(dim=-1, keepdim=True)

    def contrast(self, pixels, ids):
        """L_con = 0.5 [mean_i CE(a V_i T^T, i) + mean_i CE(a T_i V^T, i)]"""
        V, T, a = self.image(pixels), self.text(ids), self.clip.logit_scale.exp()
        i = torch.arange(len(V))
        return 0.5 * (cross_entropy(a * V @ T.T, i) + cross_entropy(a * T @ V.T, i))


def cosines(V, T):
    return (V * T).sum(-1)


def generic(now, then, b):
    return now.contrast(b["forget", "image"], b["forget", "generic"])


def shuffled(now, then, b):
    return now.contrast(b["forget", "image"], b["forget", "caption"][b["permutation"]])


def direct(now, then, b):
    return cosines(now.image(b["forget", "image"]), now.text(b["forget", "caption"])).mean()


def negative(now, then, b):
    return -now.contrast(b["forget", "image"], b["forget", "caption"])


def finetuning(now, then, b):
    return now.contrast(b["retain", "image"], b["retain", "caption"])


def vlunlearn(now, then, b, retrieval=False):
    xf, cf, xr, cr, perm = (
        b["forget", "image"],
        b["forget", "caption"],
        b["retain", "image"],
        b["retain", "caption"],
        b["permutation"],
    )
    if retrieval:
        similar, other = now.image(xf) @ now.text(cf).T, then.image(xf) @ then.text(cf[perm]).T
        decoupling = mse_loss(similar, other) + mse_loss(similar.T, other.T)
    else:
        decoupling = mse_loss((now.image(xf) + now.text(cf)) / 2, (then.image(xf) + then.text(cf[perm])) / 2)
    multimodal = mse_loss((now.image(xr) + now.text(cr)) / 2, (then.image(xr) + then.text(cr)) / 2)
    unimodal = mse_loss(now.image(xf), then.image(xf)) + mse_loss(now.text(cf), then.text(cf))
    return decoupling + multimodal + unimodal


def delete(now, then, b):
    forgotten = (cosines(now.image(b["forget", "image"]), now.text(b["forget", "caption"])) ** 2).mean()
    kept = cosines(then.image(b["retain", "image"]), then.text(b["retain", "caption"]))
    return forgotten + mse_loss(cosines(now.image(b["retain", "image"]), now.text(b["retain", "caption"])), kept)


def cliperase(now, then, b):
    image, text = b["retain", "image"], b["retain", "caption"]
    consistency = mse_loss(now.image(image), then.image(image)) + mse_loss(now.text(text), then.text(text))
    return delete(now, then, b) + consistency


METHODS = {
    "generic": generic,
    "shuffled": shuffled,
    "direct": direct,
    "negative": negative,
    "finetuning": finetuning,
    "vlunlearn": vlunlearn,
    "vlunlearn-retrieval": lambda now, then, b: vlunlearn(now, then, b, retrieval=True),
    "delete": delete,
    "cliperase": cliperase,
}


def groups(name, clip):
    """VLUnlearn's code does not decay biases and vectors; the others decay everything, as AdamW does."""
    if not name.startswith("vlunlearn"):
        return [dict(params=list(clip.parameters()), weight_decay=DECAY)]
    wide, vectors = [p for p in clip.parameters() if p.ndim >= 2], [p for p in clip.parameters() if p.ndim < 2]
    return [dict(params=wide, weight_decay=DECAY), dict(params=vectors, weight_decay=0.0)]


def run(name, loss, first, columns, expected):
    clip, frozen = copy.deepcopy(first), copy.deepcopy(first).requires_grad_(False)
    now, then = Model(clip), Model(frozen)
    optimizer = torch.optim.AdamW(groups(name, clip), lr=RATE, betas=(0.9, 0.999), eps=1e-8)
    losses, unclear = [], {key: torch.zeros_like(p, dtype=torch.bool) for key, p in clip.named_parameters()}
    clamped = 0
    for forget, retain, permutation in STEPS:
        rows = dict(forget=torch.tensor(forget), retain=torch.tensor(retain))
        batch = {key: values[rows[key[0]]] for key, values in columns.items()}
        batch["permutation"] = torch.tensor(permutation)
        optimizer.zero_grad()
        value = loss(now, then, batch)
        value.backward()
        losses.append(value.detach())
        for key, parameter in clip.named_parameters():
            if parameter.grad is not None:
                size = parameter.grad.abs()
                unclear[key] |= (size != 0) & (size < 1e-3 * size.max())
                if key.endswith("k_proj.bias"):
                    unclear[key] |= True
        optimizer.step()
        with torch.no_grad():
            before = clip.logit_scale.clone()
            clip.logit_scale.clamp_(0, math.log(100))
            clamped += int(before != clip.logit_scale)
    expected["loss." + name] = torch.stack(losses)
    changes, was = [], dict(first.named_parameters())
    for key, parameter in sorted(clip.named_parameters()):
        change = parameter.detach() - was[key].detach()
        change[unclear[key]] = math.nan
        changes.append(change.flatten())
    expected["change." + name] = torch.cat(changes).float()
    skipped = sum(int(u.sum()) for u in unclear.values()) / sum(u.numel() for u in unclear.values())
    print(
        f"{name}: losses {[round(float(v), 6) for v in losses]}, {skipped:.1%} not comparable, clamped {clamped} times"
    )


def main():
    clip = start()
    clip.save_pretrained(os.path.join(HERE, "clip"))
    first, columns = clip.double(), task()
    columns = {key: v.double() if v.dtype == torch.float32 else v for key, v in columns.items()}
    expected = {
        f"{stream}.{column}": v.int() if v.dtype == torch.int64 else v.float()
        for (stream, column), v in columns.items()
    }
    for number, (forget, retain, permutation) in enumerate(STEPS):
        for key, values in dict(forget=forget, retain=retain, permutation=permutation).items():
            expected[f"step.{number}.{key}"] = torch.tensor(values, dtype=torch.int32)
    for name, loss in METHODS.items():
        run(name, loss, first, columns, expected)
    save_file(
        {k: v.contiguous() for k, v in expected.items()},
        os.path.join(HERE, "methods.safetensors"),
        {"made with": VERSIONS},
    )


if __name__ == "__main__":
    main()
