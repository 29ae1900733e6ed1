"""Makes the fixtures of package unlearn's erasing methods with PyTorch and diffusers, from the formulas of the methods'
papers.

    HF_HUB_OFFLINE=1 python gen_erasing.py

writes beside itself the folder unet, a small UNet as diffusers saves it, and erasing.safetensors: the embeddings of a
small encoder of texts, three batches of what the methods draw ("step." + number + "." + column), and for each method
the losses of three steps ("loss." + method), what the steps have added to the tensors that it trains, one after another
in the order of their names ("change." + method), their number ("trained." + method), and for SDD what they have added
to the moving average ("average.sdd"). All is computed in float64, from weights that float32 holds exactly.

Changes that cannot be compared are NaN, as gen_methods.py says, here those of gradients below 2e-3 of the largest of
their tensor.

The counts are those of Stable Diffusion 1.4's UNet, without its weights.
"""

import copy
import math
import os

import diffusers
import torch
from diffusers import DDIMScheduler, UNet2DConditionModel
from safetensors.torch import save_file

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = f"torch {torch.__version__}, diffusers {diffusers.__version__}"
RATE, DECAY, AVERAGE, CLIP, ETA, REGULARISER = 2e-3, 0.5, 0.9, 1.0, 1.25, 0.2
WORDS, LENGTH, WIDTH, SHAPE = 11, 4, 6, (3, 6, 5)
torch.set_num_threads(1)
torch.manual_seed(0)

CONFIG = dict(
    in_channels=3,
    out_channels=3,
    block_out_channels=(4, 6),
    layers_per_block=1,
    norm_num_groups=2,
    attention_head_dim=2,
    cross_attention_dim=WIDTH,
    sample_size=6,
    down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
    up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
)
SCHEDULE = DDIMScheduler(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear").alphas_cumprod.double()


class Model(torch.nn.Module):
    """A UNet behind an embedding of tokens and places."""

    def __init__(self):
        super().__init__()
        self.unet = UNet2DConditionModel(**CONFIG)
        self.text_encoder = torch.nn.Module()
        self.text_encoder.token_embedding = torch.nn.Embedding(WORDS, WIDTH)
        self.text_encoder.position_embedding = torch.nn.Embedding(LENGTH, WIDTH)
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                drawn = torch.randn(parameter.shape)
                if parameter.ndim > 1 and name.startswith("unet"):
                    drawn = drawn / parameter[0].numel() ** 0.5
                elif "norm" in name and name.endswith("weight"):
                    drawn = 1 + 0.3 * drawn
                elif parameter.ndim == 1:
                    drawn = 0.2 * drawn
                parameter.copy_(drawn.half())

    def forward(self, x, t, ids):
        text = self.text_encoder.token_embedding(ids) + self.text_encoder.position_embedding.weight
        return self.unet(x, t, text).sample


def batches():
    """The last batch is the smaller one. The concept is the word 7, its anchor the word 4; 8 stands in some prompts for
    a second word of the concept."""
    all = []
    for count in (4, 4, 2):
        prompt = torch.randint(1, 4, (count, LENGTH))
        prompt[:, 1] = 7
        prompt[::2, 2] = 8
        anchor = prompt.clone()
        anchor[prompt == 7], anchor[prompt == 8] = 4, 5
        all.append(
            dict(
                sample=torch.randn(count, *SHAPE),
                noise=torch.randn(count, *SHAPE),
                timestep=torch.randint(0, 1000, (count,)),
                prompt=prompt,
                anchor=anchor,
                empty=torch.zeros(count, LENGTH, dtype=torch.long),
            )
        )
    return all


def esd(now, then, b):
    with torch.no_grad():
        without, with_prompt = then(b["sample"], b["timestep"], b["empty"]), then(
            b["sample"], b["timestep"], b["prompt"]
        )
    return ((now(b["sample"], b["timestep"], b["prompt"]) - (without - ETA * (with_prompt - without))) ** 2).mean()


def sdd(now, then, b):
    with torch.no_grad():
        without = now(b["sample"], b["timestep"], b["empty"])
    return ((now(b["sample"], b["timestep"], b["prompt"]) - without) ** 2).mean()


def ablating(by_noise, regulariser=0.0):
    def loss(now, then, b):
        a = SCHEDULE[b["timestep"]].view(-1, 1, 1, 1)
        x = a.sqrt() * b["sample"] + (1 - a).sqrt() * b["noise"]
        anchored = now(x, b["timestep"], b["anchor"])
        wanted = b["noise"] if by_noise else anchored.detach()
        return ((now(x, b["timestep"], b["prompt"]) - wanted) ** 2).mean() + regulariser * (
            (b["noise"] - anchored) ** 2
        ).mean()

    return loss


def in_unet(rule):
    return lambda name: name.startswith("unet.") and rule(name.removeprefix("unet."))


def layers(module_of):
    """The newer release's rule: the parameters of linear and convolution layers outside of cross-attention."""

    def rule(name):
        module = module_of(name.rpartition(".")[0])
        return "attn2" not in name and isinstance(module, (torch.nn.Linear, torch.nn.Conv2d))

    return rule


CROSS_ATTENTION = lambda name: "attn2" in name
UNCONDITIONAL = lambda name: not (
    CROSS_ATTENTION(name) or name.startswith(("time_embedding", "conv_norm_out", "conv_out"))
)
KEYS_AND_VALUES = lambda name: "attn2.to_k" in name or "attn2.to_v" in name
EMBEDDING = lambda name: name == "text_encoder.token_embedding.weight"


def methods(first):
    newer = layers(first.unet.get_submodule)
    all = {
        "esd-x": (esd, in_unet(CROSS_ATTENTION)),
        "esd-u": (esd, in_unet(UNCONDITIONAL)),
        "esd-x-newer": (esd, in_unet(CROSS_ATTENTION)),
        "esd-u-newer": (esd, in_unet(newer)),
        "sdd": (sdd, in_unet(CROSS_ATTENTION)),
        "ablating-model regularised": (ablating(False, REGULARISER), in_unet(KEYS_AND_VALUES)),
        "ablating-model held": (ablating(False), in_unet(KEYS_AND_VALUES)),
    }
    for target in ("model", "noise"):
        for suffix, rule in {
            "": in_unet(KEYS_AND_VALUES),
            "-embedding": EMBEDDING,
            "-full": in_unet(lambda name: True),
        }.items():
            all[f"ablating-{target}{suffix}"] = (ablating(target == "noise"), rule)
    return all


def hold_first(model):
    """Stops the gradient through the first token's keys and values, as the code of Ablating Concepts does."""
    for name, module in model.unet.named_modules():
        if KEYS_AND_VALUES(name):
            module.register_forward_hook(
                lambda module, inputs, output: torch.cat([output[:, :1].detach(), output[:, 1:]], dim=1)
            )


def run(name, loss, rule, first, steps, expected):
    now, then = copy.deepcopy(first), copy.deepcopy(first).requires_grad_(False)
    if name.endswith("held"):
        hold_first(now)
    trained = {key: p for key, p in sorted(now.named_parameters()) if rule(key)}
    for key, p in now.named_parameters():
        p.requires_grad_(key in trained)
    esd_like = name.startswith("esd")
    optimizer = (
        torch.optim.Adam(trained.values(), lr=RATE)
        if esd_like
        else torch.optim.AdamW(trained.values(), lr=RATE, weight_decay=DECAY)
    )
    average = {key: p.detach().clone() for key, p in trained.items()}
    unclear = {key: torch.zeros_like(p, dtype=torch.bool) for key, p in trained.items()}
    start = {key: p.detach().clone() for key, p in trained.items()}
    losses = []
    for b in steps:
        optimizer.zero_grad()
        value = loss(now, then, b)
        value.backward()
        losses.append(value.detach())
        for key, p in trained.items():
            size = p.grad.abs()
            unclear[key] |= (size != 0) & (size < 2e-3 * size.max())
        if not esd_like:
            torch.nn.utils.clip_grad_norm_(trained.values(), CLIP)
        optimizer.step()
        with torch.no_grad():
            if name.endswith("embedding"):
                for key, p in trained.items():
                    held = torch.ones(WORDS, dtype=torch.bool)
                    held[[7, 8]] = False
                    p[held] = start[key][held]
            for key, p in trained.items():
                average[key].mul_(AVERAGE).add_(p, alpha=1 - AVERAGE)

    def change(of):
        parts = []
        for key in trained:
            part = (of[key].detach() - start[key]).clone()
            part[unclear[key]] = math.nan
            parts.append(part.flatten())
        return torch.cat(parts).float()

    expected["loss." + name], expected["change." + name] = torch.stack(losses), change(trained)
    expected["trained." + name] = torch.tensor([len(trained)])
    if name == "sdd":
        expected["average.sdd"] = change(average)
    skipped = sum(int(u.sum()) for u in unclear.values()) / sum(u.numel() for u in unclear.values())
    print(
        f"{name}: {len(trained)} tensors, losses {[round(float(v), 6) for v in losses]}, {skipped:.1%} not comparable"
    )


def stable_diffusion():
    with torch.device("meta"):
        unet = UNet2DConditionModel(sample_size=64, cross_attention_dim=768)
    rules = dict(
        zip(
            ["esd-x", "esd-u", "esd-u-newer", "ablating-model", "ablating-model-full"],
            [CROSS_ATTENTION, UNCONDITIONAL, layers(unet.get_submodule), KEYS_AND_VALUES, lambda name: True],
        )
    )
    for name, rule in rules.items():
        chosen = [p.numel() for key, p in unet.named_parameters() if rule(key)]
        print(f"Stable Diffusion 1.4, {name}: {sum(chosen)} parameters in {len(chosen)} tensors")


def main():
    stable_diffusion()
    first = Model()
    first.unet.half().save_pretrained(os.path.join(HERE, "unet"))
    first = first.double().eval()
    steps = [{key: v.double() if v.dtype == torch.float32 else v for key, v in b.items()} for b in batches()]
    expected = {
        "token_embedding": first.text_encoder.token_embedding.weight.detach().float(),
        "position_embedding": first.text_encoder.position_embedding.weight.detach().float(),
    }
    for number, b in enumerate(steps):
        expected |= {f"step.{number}.{key}": v.int() if v.dtype == torch.int64 else v.float() for key, v in b.items()}
    for name, (loss, rule) in methods(first).items():
        run(name, loss, rule, first, steps, expected)
    save_file(
        {k: v.contiguous() for k, v in expected.items()},
        os.path.join(HERE, "erasing.safetensors"),
        {"made with": VERSIONS},
    )


if __name__ == "__main__":
    main()
