"""Makes the fixtures of package answering with PyTorch, transformers and PEFT, from the description of the methods in
their papers and of the losses in the codes that these released.

    HF_HUB_OFFLINE=1 python gen_methods.py

writes beside itself the folder adapter, a new adapter of PEFT's on the small LLaVA of package llava's fixture, and
methods.safetensors: the tokens and pictures of a task, which rows each of three steps takes and draws, and for each form
of a method the losses of the steps ("loss." + form), the norms of their gradients before clipping ("norm."), the
gradients of the first step ("gradient.") and what the three steps have added to the parameters ("change."), one trained
parameter after another in the order of their paths in this module's models. The metadata names the versions.

Everything is computed in float64, from weights that float32 holds exactly. For that, the three places where transformers
computes in float32 whatever the weights are (norms, rotary positions, attention's softmax) are replaced by torch's own
functions; in float32 the replaced model is checked against the original.

AdamW divides each gradient by its own size, so an element whose gradient is nearly nothing moves by what rounding has
made of it. Where a step's gradient is not zero but below 1e-3 of the tensor's largest, and in the biases of keys, on
which no attention depends, the change is NaN: it cannot be compared.
"""

import copy
import math
import os

import peft
import torch
import transformers
from peft import LoraConfig, get_peft_model
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy, kl_div, logsigmoid, log_softmax
from transformers import LlavaForConditionalGeneration
from transformers.models.llama import modeling_llama
from transformers.optimization import _get_cosine_schedule_with_warmup_lr_lambda as cosine

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = os.path.join(HERE, "../../../zoo/llava/testdata/llava")
VERSIONS = f"torch {torch.__version__}, transformers {transformers.__version__}, peft {peft.__version__}"
RATE, DECAY, CLIP, PAD, EOS, IMAGE, SEEN = 2e-3, 0.5, 1.0, 0, 2, 57, 4
torch.set_num_threads(1)
torch.manual_seed(0)

# Of each step the rows of the forget set, of the retain set (or the partners that are drawn), and the refusals.
STEPS = [([1, 3], [4, 0], [2, 1]), ([0, 4], [2, 5], [0, 2]), ([2, 3], [5, 1], [1, 0])]
FORGET, RETAIN, REFUSALS = 5, 6, 3
TARGETS = r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)"


def wide():
    """Lets transformers' LLaMA compute in the type of its weights."""

    def norm(self, x):
        return torch.nn.functional.rms_norm(x, self.weight.shape, self.weight, self.variance_epsilon)

    def rotary(self, x, position_ids):
        angles = position_ids[..., None].to(x.dtype) * self.inv_freq.to(x.dtype)
        angles = torch.cat([angles, angles], dim=-1)
        return angles.cos(), angles.sin()

    modeling_llama.LlamaRMSNorm.forward = norm
    modeling_llama.LlamaRotaryEmbedding.forward = rotary


def tokens(generator, count):
    return torch.randint(3, IMAGE - 1, (count,), generator=generator).tolist()


def data():
    """Questions with a picture's placeholder somewhere but in one of the retain set, which is about a text alone."""
    generator = torch.Generator().manual_seed(5)
    records = {}
    for name, count in (("forget", FORGET), ("retain", RETAIN)):
        for i in range(count):
            question = [1] + tokens(generator, 1 + i % 3) + [IMAGE] + tokens(generator, 2 + i % 4)
            if (name, i) == ("retain", 5):
                question.remove(IMAGE)
            records[name, i] = question, tokens(generator, 2 + (i * 2) % 5) + [EOS]
    refusals = [tokens(generator, 1 + 2 * i) + [EOS] for i in range(REFUSALS)]
    pictures = {
        key: None if IMAGE not in records[key][0] else torch.randn(3, 10, 10, generator=generator) for key in records
    }
    return records, refusals, pictures


RECORDS, ANSWERS, PICTURES = data()


def length(name):
    """All texts of a stream are filled up to a multiple of eight; those to be forgotten have room for any refusal."""
    longest = 0
    for (of, _), (question, answer) in RECORDS.items():
        if of == name:
            room = max(map(len, ANSWERS)) if name == "forget" else 0
            longest = max(longest, len(question) + (SEEN - 1) * (IMAGE in question) + max(len(answer), room))
    return -(-longest // 8) * 8


def batch(name, rows, answers=None, dtype=torch.float64):
    """input_ids, attention_mask, labels and pixel_values as transformers takes them."""
    ids, masks, labels, pixels = [], [], [], []
    for place, row in enumerate(rows):
        question, answer = RECORDS[name, row]
        answer = answer if answers is None else ANSWERS[answers[place]]
        question = sum(([IMAGE] * SEEN if i == IMAGE else [i] for i in question), [])
        fill = length(name) - len(question) - len(answer)
        ids.append(question + answer + [PAD] * fill)
        masks.append([1] * (len(question) + len(answer)) + [0] * fill)
        labels.append([-100] * len(question) + answer + [-100] * fill)
        if PICTURES[name, row] is not None:
            pixels.append(PICTURES[name, row])
    inputs = dict(input_ids=torch.tensor(ids), attention_mask=torch.tensor(masks))
    if pixels:
        inputs["pixel_values"] = torch.stack(pixels).to(dtype)
    return inputs, torch.tensor(labels)


def losses(model, inputs, labels):
    """-log p of each token after the first, 0 where it is no answer's: [B, T - 1]."""
    logits = model(**inputs).logits
    return cross_entropy(logits[:, :-1].transpose(-1, -2), labels[:, 1:], ignore_index=-100, reduction="none")


def token_mean(model, *batches):
    sums = [losses(model, *of).sum() for of in batches]
    return sum(sums) / sum((labels[:, 1:] != -100).sum() for _, labels in batches)


def likelihood(model, of):
    return -losses(model, *of).sum(-1)


class World:
    def __init__(self, f):
        self.f, self.reference, self.step = f, copy.deepcopy(f).requires_grad_(False), 0

    def forget(self):
        return batch("forget", STEPS[self.step][0])

    def refused(self):
        return batch("forget", STEPS[self.step][0], STEPS[self.step][2])

    def retain(self):
        return batch("retain", STEPS[self.step][1])

    def gain(self, of):
        with torch.no_grad():
            was = likelihood(self.reference, of)
        return likelihood(self.f, of) - was


def ga(w):
    return -token_mean(w.f, w.forget())


def gd(w, weight=1.0):
    return ga(w) + weight * token_mean(w.f, w.retain())


def kl(w, answers=False):
    inputs, labels = w.retain()
    p = log_softmax(w.f(**inputs).logits, -1)
    with torch.no_grad():
        q = log_softmax(w.reference(**inputs).logits, -1)
    if answers:
        kept = labels[:, 1:] != -100
        p, q = p[:, :-1][kept], q[:, :-1][kept]
    rows = (p.reshape(-1, p.shape[-1]), q.reshape(-1, q.shape[-1]))
    return ga(w) + kl_div(*rows, reduction="batchmean", log_target=True)


def dpo(w, beta=0.1, plain=False):
    scale = 1 if plain else 2 / beta
    return -logsigmoid(beta * (w.gain(w.refused()) - w.gain(w.forget()))).mean() * scale


def npo(w, beta=0.1, mean=False):
    if mean:
        with torch.no_grad():
            was = token_mean(w.reference, w.forget())
        return -logsigmoid(beta * (token_mean(w.f, w.forget()) - was)).mean() * 2 / beta
    return -logsigmoid(-beta * w.gain(w.forget())).mean() * 2 / beta


def po(w):
    return token_mean(w.f, w.refused(), w.retain())


def finetuning(w):
    return token_mean(w.f, w.retain())


# Form: loss, and where they differ from the common ones what is trained, and of each step the rate.
THREE = [cosine(step, num_warmup_steps=0, num_training_steps=3, num_cycles=0.5) for step in range(3)]
FORMS = {
    "gradient-ascent": dict(loss=ga),
    "gradient-ascent-whole": dict(loss=ga, whole=True),
    "gradient-difference": dict(loss=gd),
    "gradient-difference-weighted": dict(loss=lambda w: gd(w, 0.3)),
    "kl": dict(loss=kl),
    "kl-answers": dict(loss=lambda w: kl(w, True)),
    "dpo": dict(loss=dpo),
    "dpo-plain": dict(loss=lambda w: dpo(w, 0.4, True)),
    "npo": dict(loss=npo),
    "npo-mean": dict(loss=lambda w: npo(w, 0.4, True)),
    "po": dict(loss=po),
    # Two passes of three steps over either set are to be made; these are the first two and the fourth step.
    "alternating": dict(
        loss=lambda w: ga(w) if w.step < 2 else finetuning(w),
        rates=[cosine(step, num_warmup_steps=1, num_training_steps=12, num_cycles=0.5) for step in (0, 1, 3)],
    ),
    "finetuning": dict(loss=finetuning),
    "finetuning-frozen": dict(loss=finetuning, projector=False),
    "finetuning-warm": dict(
        loss=finetuning,
        rates=[cosine(step, num_warmup_steps=2, num_training_steps=3, num_cycles=0.5) for step in range(3)],
    ),
}


def own(name):
    """The path of a parameter in this module's models."""
    name = name.removeprefix("base_model.model.").replace(".base_layer", "").replace(".default", "")
    name = name.removeprefix("model.")
    if name.startswith("language_model."):
        name = name.replace("language_model.", "language_model.model.", 1)
    if name.startswith("lm_head."):
        name = "language_model." + name
    if name.startswith("vision_tower.") and not name.startswith("vision_tower.vision_model."):
        name = name.replace("vision_tower.", "vision_tower.vision_model.", 1)
    return name.replace(".", "/")


def run(form, start, expected, loss, whole=False, projector=True, rates=THREE):
    f = copy.deepcopy(start)
    for name, parameter in f.named_parameters():
        in_projector = "multi_modal_projector" in name
        parameter.requires_grad_(projector if in_projector else whole or "lora_" in name)
    world = World(f)
    trained = sorted((own(n), p) for n, p in f.named_parameters() if p.requires_grad)
    was = {name: p.detach().clone() for name, p in trained}
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for _, p in trained if p.ndim >= 2], "weight_decay": DECAY},
            {"params": [p for _, p in trained if p.ndim < 2], "weight_decay": 0.0},
        ]
    )
    values, norms, unclear = [], [], {n: torch.zeros_like(p, dtype=torch.bool) for n, p in trained}
    for world.step, share in enumerate(rates):
        optimizer.zero_grad()
        value = loss(world)
        value.backward()
        values.append(value.detach())
        if world.step == 0:
            first = [torch.zeros_like(p) if p.grad is None else p.grad for _, p in trained]
            expected["gradient." + form] = torch.cat([g.flatten() for g in first]).float()
        for name, p in trained:
            if p.grad is not None:
                size = p.grad.abs()
                unclear[name] |= (size != 0) & (size < 1e-3 * size.max())
                unclear[name] |= name.endswith("k_proj/bias")
        norms.append(torch.nn.utils.clip_grad_norm_([p for _, p in trained], CLIP))
        for group in optimizer.param_groups:
            group["lr"] = RATE * share
        optimizer.step()
    changes = []
    for name, p in trained:
        change = p.detach() - was[name]
        change[unclear[name]] = math.nan
        changes.append(change.flatten())
    expected["loss." + form], expected["norm." + form] = torch.stack(values), torch.stack(norms)
    expected["change." + form] = torch.cat(changes).float()
    skipped = sum(int(u.sum()) for u in unclear.values()) / sum(u.numel() for u in unclear.values())
    print(f"{form}: {[round(float(v), 6) for v in values]}, {[round(float(v), 3) for v in norms]}, {skipped:.1%} unclear")


def small():
    return LlavaForConditionalGeneration.from_pretrained(SMALL, attn_implementation="sdpa").eval()


def main():
    original = small()
    inputs, labels = batch("forget", [0, 1], dtype=torch.float32)
    with torch.no_grad():
        theirs = original(**inputs, labels=labels)
        wide()
        replaced = original(**inputs)
        assert torch.allclose(theirs.logits, replaced.logits, atol=1e-4), "the replaced model computes something else"
        assert torch.allclose(theirs.loss, token_mean(original, (inputs, labels)), atol=1e-5)
    adapted = get_peft_model(small(), LoraConfig(r=3, lora_alpha=6, target_modules=TARGETS))
    folder = os.path.join(HERE, "adapter")
    adapted.save_pretrained(folder)
    os.remove(os.path.join(folder, "README.md"))
    with open(os.path.join(folder, "adapter_config.json")) as file:
        text = file.read().replace(SMALL, "llava")
    with open(os.path.join(folder, "adapter_config.json"), "w") as file:
        file.write(text)
    expected = {}
    for (name, row), (question, answer) in RECORDS.items():
        expected[f"{name}.{row}.question"], expected[f"{name}.{row}.answer"] = map(torch.tensor, (question, answer))
        if PICTURES[name, row] is not None:
            expected[f"{name}.{row}.pixels"] = PICTURES[name, row]
    for i, answer in enumerate(ANSWERS):
        expected[f"refusal.{i}"] = torch.tensor(answer)
    for number, rows in enumerate(STEPS):
        for name, of in zip(("forget", "retain", "refusals"), rows):
            expected[f"step.{number}.{name}"] = torch.tensor(of)
    starts = {True: small().double(), False: adapted.double().eval()}
    for form, how in FORMS.items():
        run(form, starts[how.get("whole", False)], expected, **how)
    save_file(
        {k: (v.int() if v.dtype == torch.int64 else v).contiguous() for k, v in expected.items()},
        os.path.join(HERE, "methods.safetensors"),
        {"made with": VERSIONS},
    )


if __name__ == "__main__":
    main()
