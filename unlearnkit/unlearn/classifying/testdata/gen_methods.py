"""Makes the fixtures of package classifying with PyTorch and transformers, from the description of the methods in the
paper and in its code's and the original papers' losses.

    HF_HUB_OFFLINE=1 python gen_methods.py

writes beside itself the folders model and incompetent, two small wav2vec2 classifiers as transformers saves them, and
methods.safetensors: the rows of a task, which of them each of three steps takes, what is drawn at random for it, and
for each method the losses of the steps ("loss." + method) and what the steps have added to the parameters, one after
another in the order of their names ("change." + method). Everything is computed in float64, from weights that float32
holds exactly. The file's metadata names the versions.

Methods of two phases begin with the second where their name says so, but SCRUB, whose phases share an optimizer, makes
two steps of its first phase and one of its second (the original's order is another; its first steps away from the
teacher, from where the student still equals it, would be those of rounding). In "scrub-training" the student is
disturbed by dropout, LayerDrop and SpecAugment, whose numbers a congruence gives that the test makes again.

AdamW divides each gradient by its own size, so an element whose gradient is nearly nothing moves by what rounding has
made of it. Where a step's gradient is not zero but below 1e-3 of the tensor's largest, and in the biases of keys, on
which no attention depends, the change is NaN: it cannot be compared.
"""

import copy
import math
import os

import numpy
import torch
import transformers
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy, kl_div, log_softmax, mse_loss, softmax
from transformers import Wav2Vec2Config, Wav2Vec2ForSequenceClassification

HERE = os.path.dirname(os.path.abspath(__file__))
VERSIONS = f"torch {torch.__version__}, transformers {transformers.__version__}"
RATE, DECAY, ROWS, SAMPLES, CLASSES = 2e-3, 0.5, 10, 203, 5
torch.set_num_threads(1)
torch.manual_seed(0)

SIZES = dict(
    hidden_size=12,
    num_hidden_layers=2,
    num_attention_heads=3,
    intermediate_size=18,
    conv_dim=(10, 8),
    conv_kernel=(10, 4),
    conv_stride=(5, 4),
    num_conv_pos_embeddings=6,
    num_conv_pos_embedding_groups=3,
    classifier_proj_size=9,
    num_labels=CLASSES,
    mask_time_length=2,
    attn_implementation="eager",
)

# Rows of the streams in each step, as many of the one as of the other; the last batch is the smaller one. Those of
# "both" are the forget set's ten and then the retain set's.
STEPS = [
    ([7, 2, 9, 4], [3, 1, 8, 0], [17, 2, 5, 11]),
    ([0, 8, 1, 6], [9, 5, 2, 6], [12, 19, 14, 8]),
    ([5, 3], [7, 4], [3, 16]),
]


def start(seed):
    """A model whose parameters are away from their initial values: norms' weights not 1, biases not 0."""
    model = Wav2Vec2ForSequenceClassification(Wav2Vec2Config(**SIZES)).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            random = torch.randn(tensor.shape, generator=generator)
            if name.endswith("layer_norm.weight") or name.endswith("original0"):
                tensor.copy_(1 + 0.3 * random)
            elif tensor.ndim <= 1:
                tensor.copy_(0.2 * random)
            else:
                tensor.copy_(random / (tensor[0].numel() ** 0.5))
    return model


def divergence(student, teacher, temperature=1.0):
    """(1/B) sum_i sum_c q log(q / p)"""
    return kl_div(
        log_softmax(student / temperature, dim=1), softmax(teacher / temperature, dim=1), reduction="batchmean"
    )


class World:
    """What a loss may read: the model f that is changed, f_o, the incompetent model, and the rows of a step."""

    def __init__(self, f, original, incompetent, columns):
        self.f, self.original, self.incompetent, self.columns = f, original, incompetent, columns
        self.step = 0

    def rows(self, stream):
        forget, retain, both = STEPS[self.step]
        if stream != "both":
            at = torch.tensor(forget if stream == "forget" else retain)
            return self.columns[stream, "input"][at], self.columns[stream, "label"][at]
        x = torch.cat([self.columns["forget", "input"], self.columns["retain", "input"]])
        return x[torch.tensor(both)], torch.tensor(both) < ROWS

    def noise(self, name):
        return self.columns[name][self.step, : len(STEPS[self.step][0])]

    def ce(self, stream):
        x, y = self.rows(stream)
        return cross_entropy(self.f(x).logits, y)


def negative_plus(w, retain=1.0, forget=1.0):
    return retain * w.ce("retain") - forget * w.ce("forget")


def unsir_impair(w):
    x_f, _ = w.rows("forget")
    x_r, y_r = w.rows("retain")
    z = w.noise("noise").clone().requires_grad_(True)
    adam = torch.optim.Adam([z], lr=0.01)
    for _ in range(5):
        adam.zero_grad()
        with torch.no_grad():
            target = w.f(x_f).logits
        (-mse_loss(w.f(z).logits, target)).backward()
        adam.step()
    w.f.zero_grad()
    z = z.detach().clamp(0, 1)
    return cross_entropy(w.f(z).logits, y_r) + cross_entropy(w.f(x_r).logits, y_r)


def bad_teaching(w, light=False, class_mean=False, temperature=1.0):
    x, forgotten = w.rows("both")
    with torch.no_grad():
        bad = w.noise("logits") if light else w.incompetent(x).logits
        teacher = torch.where(forgotten[:, None], bad, w.original(x).logits)
    if class_mean:  # as torch's kl_div does unless it is told otherwise
        return kl_div(
            log_softmax(w.f(x).logits / temperature, dim=1), softmax(teacher / temperature, dim=1), reduction="mean"
        )
    return divergence(w.f(x).logits, teacher, temperature)


def scrub(w, gamma=1.0, alpha=1.0, T=4.0, training=False):
    minimise = w.step < 2
    x, y = w.rows("retain" if minimise else "forget")
    with torch.no_grad():
        teacher = w.original(x).logits
    student = disturbed(w.f, x, w.step) if training else w.f(x).logits
    distance = T**2 * divergence(student, teacher, T)
    return gamma * cross_entropy(student, y) + alpha * distance if minimise else -distance


def uniform(step, site, shape):
    """Uniform numbers that the test can make again: a linear congruence of the place, offset by the numbers of the step
    and the site."""
    place = numpy.arange(int(numpy.prod(shape)), dtype=numpy.uint64)
    return torch.from_numpy(
        (((place + 1) * 2654435761 + (step * 64 + site) * 40503) % 2**32 // 256 / 2.0**24).reshape(shape)
    )


def disturbed(f, x, step):
    """The logits of f in training mode, its random numbers replaced by uniform's in the order of dropout's calls;
    masked are two frames of each row."""
    site = 0

    def dropout(values, p=0.5, training=True, inplace=False):
        nonlocal site
        if not training or p == 0:
            return values
        site += 1
        return torch.where(uniform(step, site, values.shape) >= p, values / (1 - p), 0.0)

    layers = iter(uniform(step, 50, (f.config.num_hidden_layers,)))
    frames = int(f._get_feat_extract_output_lengths(x.shape[1]))
    time = torch.zeros(len(x), frames, dtype=torch.bool)
    for row in range(len(x)):
        time[row, row : row + 2] = True
    original = torch.nn.functional.dropout, torch.rand
    masked = f.wav2vec2._mask_hidden_states
    torch.nn.functional.dropout, torch.rand = dropout, lambda *shape: next(layers)
    f.wav2vec2._mask_hidden_states = lambda hidden, mask_time_indices=None, attention_mask=None: masked(
        hidden, mask_time_indices=time
    )
    try:
        return f.train()(x).logits
    finally:
        torch.nn.functional.dropout, torch.rand = original
        del f.wav2vec2._mask_hidden_states
        f.eval()


def adamw(parameters, decay=DECAY):
    return torch.optim.AdamW(parameters, lr=RATE, betas=(0.9, 0.999), eps=1e-8, weight_decay=decay)


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=RATE, momentum=0.9, weight_decay=DECAY)


def last(*names):
    return lambda key: key.split(".")[0] in names


METHODS = (
    {  # loss, and where they differ from the common ones the optimizer, what is trained, and the bound on the gradient
        "finetuning": dict(loss=lambda w: w.ce("retain")),
        "negative": dict(loss=lambda w: -w.ce("forget"), clip=1.0),
        "negative-plus": dict(loss=negative_plus),
        "negative-plus-weighted": dict(loss=lambda w: negative_plus(w, 0.95, 0.05)),
        "cf-k": dict(loss=lambda w: w.ce("retain"), trained=last("classifier")),
        "cf-k-2": dict(loss=lambda w: w.ce("retain"), trained=last("classifier", "projector")),
        "unsir": dict(loss=unsir_impair),
        "unsir-repair": dict(loss=lambda w: w.ce("retain"), optimizer=lambda p: torch.optim.SGD(p, lr=RATE)),
        "unsir-repair-adam": dict(loss=lambda w: w.ce("retain"), optimizer=lambda p: torch.optim.Adam(p, lr=RATE)),
        "bad-teaching": dict(loss=bad_teaching),
        "bad-teaching-original": dict(
            loss=lambda w: bad_teaching(w, class_mean=True, temperature=2.0),
            optimizer=lambda p: torch.optim.Adam(p, lr=RATE),
        ),
        "bad-teaching-light": dict(loss=lambda w: bad_teaching(w, light=True)),
        "scrub": dict(loss=scrub),
        "scrub-original-sgd": dict(loss=lambda w: scrub(w, gamma=0.99, alpha=0.001), optimizer=sgd),
        "scrub-original-adam": dict(
            loss=lambda w: scrub(w, gamma=1.0, alpha=0.5, T=2.0), optimizer=lambda p: torch.optim.Adam(p, lr=RATE)
        ),
        "scrub-training": dict(loss=lambda w: scrub(w, training=True)),
    }
)


def run(name, first, incompetent, columns, expected, loss, optimizer=adamw, trained=lambda key: True, clip=None):
    f = copy.deepcopy(first)
    for key, parameter in f.named_parameters():
        parameter.requires_grad_(trained(key))
    world = World(f, copy.deepcopy(first).requires_grad_(False), incompetent, columns)
    optimizer = optimizer([p for p in f.parameters() if p.requires_grad])
    losses, norms, unclear = [], [], {key: torch.zeros_like(p, dtype=torch.bool) for key, p in f.named_parameters()}
    adaptive = not isinstance(optimizer, torch.optim.SGD)
    for world.step in range(len(STEPS)):
        optimizer.zero_grad()
        value = loss(world)
        value.backward()
        losses.append(value.detach())
        for key, parameter in f.named_parameters():
            if parameter.grad is not None and adaptive:
                size = parameter.grad.abs()
                unclear[key] |= (size != 0) & (size < 1e-3 * size.max())
                if key.endswith("k_proj.bias"):
                    unclear[key] |= True
        every = torch.cat([p.grad.flatten() for p in f.parameters() if p.grad is not None])
        norms.append(every.norm())
        if clip:
            torch.nn.utils.clip_grad_norm_(f.parameters(), clip)
        optimizer.step()
    expected["loss." + name] = torch.stack(losses)
    expected["norm." + name] = torch.stack(norms)
    changes, was = [], dict(first.named_parameters())
    for key, parameter in sorted(f.named_parameters()):
        change = parameter.detach() - was[key].detach()
        change[unclear[key]] = math.nan
        changes.append(change.flatten())
    expected["change." + name] = torch.cat(changes).float()
    skipped = sum(int(u.sum()) for u in unclear.values()) / sum(u.numel() for u in unclear.values())
    print(
        f"{name}: losses {[round(float(v), 6) for v in losses]}, norms {[round(float(v), 3) for v in norms]}, {skipped:.1%} not comparable"
    )


def main():
    first, incompetent = start(1), start(2)
    first.save_pretrained(os.path.join(HERE, "model"))
    incompetent.save_pretrained(os.path.join(HERE, "incompetent"))
    first, incompetent = first.double(), incompetent.double().requires_grad_(False)
    columns = {}
    for stream in ["forget", "retain"]:
        columns[stream, "input"] = torch.randn(ROWS, SAMPLES).double()
        columns[stream, "label"] = torch.randint(0, CLASSES, (ROWS,))
    columns["noise"] = torch.randn(len(STEPS), 4, SAMPLES).double()
    columns["logits"] = torch.randn(len(STEPS), 4, CLASSES).double()
    expected = {
        key if isinstance(key, str) else ".".join(key): v.int() if v.dtype == torch.int64 else v.float()
        for key, v in columns.items()
    }
    for number, rows in enumerate(STEPS):
        for key, values in zip(["forget", "retain", "both"], rows):
            expected[f"step.{number}.{key}"] = torch.tensor(values, dtype=torch.int32)
    for name, how in METHODS.items():
        run(name, first, incompetent, columns, expected, **how)
    save_file(
        {k: v.contiguous() for k, v in expected.items()},
        os.path.join(HERE, "methods.safetensors"),
        {"made with": VERSIONS},
    )


if __name__ == "__main__":
    main()
