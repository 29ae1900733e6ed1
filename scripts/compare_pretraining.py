#!/usr/bin/env python3
"""Times pre-training steps next to the same models and objectives in PyTorch, in one run, and prints steps per second,
the processor time per step, and ratios.

Usage: PYTHON=python with torch and transformers; run from the repository's root: $PYTHON scripts/compare_pretraining.py
[--objectives contrastive,ctc] [--device go]

The models are those of BenchmarkPretraining in unlearnkit/zoo/wav2vec2/pretrain. Their twins are transformers'
Wav2Vec2ForPreTraining and Wav2Vec2ForCTC, and HubertModel with fairseq's loss; a twin with another number of parameters
is an error. Both sides train on one batch by AdamW with the gradients' norm clipped. The sides take turns, and the
median of the rounds counts. If other programs run, compare processor times with --threads 1; if none run, compare
steps per second.
"""

import argparse
import importlib.metadata
import os
import re
import resource
import statistics
import subprocess
import tempfile
import time
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import numpy
import torch
import transformers
from torch import nn
from transformers.models.wav2vec2.modeling_wav2vec2 import _compute_mask_indices, _sample_negative_indices

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
F = nn.functional
# As the Makefile has it.
GO = {"GOEXPERIMENT": "simd", "GOTOOLCHAIN": re.search(r"^toolchain (\S+)", open("go.mod").read(), re.M)[1]}
PACKAGE = "./unlearnkit/zoo/wav2vec2/pretrain"
ROWS, SAMPLES, FRAMES = 8, 12000, 73
# pretrain.Small and, for the quantiser, pretrain.SmallContrastive
SIZES = dict(
    conv_dim=[32] * 3,
    conv_kernel=[32, 10, 4],
    conv_stride=[16, 5, 2],
    hidden_size=64,
    num_hidden_layers=3,
    num_attention_heads=4,
    intermediate_size=128,
    num_conv_pos_embeddings=16,
    num_conv_pos_embedding_groups=4,
    hidden_dropout=0,
    attention_dropout=0,
    activation_dropout=0,
    feat_proj_dropout=0,
    final_dropout=0,
    layerdrop=0,
    mask_time_prob=0.5,
    mask_time_length=4,
    feat_quantizer_dropout=0,
    num_codevector_groups=2,
    num_codevectors_per_group=32,
    codevector_dim=32,
    proj_codevector_dim=32,
    num_negatives=20,
)


def masked():
    return _compute_mask_indices((ROWS, FRAMES), 0.5, 4, min_masks=2)


def contrastive():
    model = transformers.Wav2Vec2ForPreTraining(transformers.Wav2Vec2Config(**SIZES))
    mask = masked()
    negatives = torch.from_numpy(_sample_negative_indices(mask.shape, 20, mask))
    return (
        model,
        lambda x: model(
            input_values=x, mask_time_indices=torch.from_numpy(mask), sampled_negative_indices=negatives
        ).loss,
    )


class Hubert(nn.Module):
    def __init__(self):
        super().__init__()
        self.hubert = transformers.HubertModel(transformers.HubertConfig(**SIZES))
        self.final_proj = nn.Linear(64, 32)
        self.label_embs_concat = nn.Parameter(torch.rand(50, 32))

    def forward(self, values, mask, targets):
        x = self.final_proj(self.hubert(values, mask_time_indices=mask).last_hidden_state[mask])
        return F.cross_entropy(
            F.normalize(x, dim=-1) @ F.normalize(self.label_embs_concat, dim=-1).T / 0.1, targets[mask]
        )


def clusters():
    model, mask, targets = Hubert(), torch.from_numpy(masked()), torch.randint(50, (ROWS, FRAMES))
    return model, lambda x: model(x, mask, targets)


def ctc():
    model = transformers.Wav2Vec2ForCTC(transformers.Wav2Vec2Config(**SIZES, vocab_size=28, ctc_loss_reduction="mean"))
    labels = torch.tensor(
        [["_abcdefghijklmnopqrstuvwxyz ".index(letter) for letter in "turn on the lights please"]] * ROWS
    )
    return model, lambda x: model(input_values=x, labels=labels).loss


TWINS = {twin.__name__: twin for twin in (contrastive, clusters, ctc)}


class Torch:
    """A twin in training."""

    def __init__(self, name):
        torch.manual_seed(1)
        numpy.random.seed(1)
        self.model, self.loss = TWINS[name]()
        self.model.train()
        self.values = torch.randn(ROWS, SAMPLES)
        self.parameters = sum(p.numel() for p in self.model.parameters())
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=0.01)

    def step(self):
        self.optimizer.zero_grad()
        self.loss(self.values).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def rates(self, seconds):
        """Steps per second and milliseconds of the processors per step."""
        for _ in range(2):
            self.step()
        start, used, steps = time.perf_counter(), processors(), 0
        while steps < 2 or time.perf_counter() - start < seconds:
            self.step()
            steps += 1
        return steps / (time.perf_counter() - start), 1000 * (processors() - used) / steps


def processors():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def go(binary, name, device, threads, seconds):
    """Steps per second, milliseconds of the processors per step, and number of parameters of our model."""
    command = [
        binary,
        "-test.run",
        "^$",
        "-test.bench",
        f"^BenchmarkPretraining$/^{name}$",
        "-test.benchtime",
        f"{seconds}s",
        "-test.timeout",
        "0",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "UNLEARNLAB_DEVICE": device, "GOMAXPROCS": str(threads)},
        capture_output=True,
        text=True,
    )
    found = [re.search(rf"([\d.e+]+) {unit}\b", done.stdout) for unit in ("steps/s", "processor-ms/step", "parameters")]
    if done.returncode != 0 or None in found:
        raise SystemExit((done.stdout + done.stderr).strip())
    return tuple(float(match.group(1)) for match in found)


def compare(name, binary, options):
    twin, ours, theirs = Torch(name), [], []
    for _ in range(options.rounds):
        theirs.append(twin.rates(options.seconds))
        *rates, parameters = go(binary, name, options.device, options.threads, options.seconds)
        if parameters != twin.parameters:
            raise SystemExit(f"{name}: {parameters:.0f} parameters here, {twin.parameters} in the twin")
        ours.append(rates)
    (torch_rate, torch_time), (rate, spent) = (
        [statistics.median(column) for column in zip(*side)] for side in (theirs, ours)
    )
    print(
        f"{name:<14}{twin.parameters:>12,}{torch_rate:>10.2f}{rate:>10.2f}{torch_rate / rate:>9.2f}x{torch_time:>12.1f}{spent:>10.1f}{spent / torch_time:>9.2f}x",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objectives", default=",".join(TWINS), help="of those there are, by commas")
    parser.add_argument("--device", default="go", help="ours")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="of each measurement")
    parser.add_argument(
        "--threads",
        type=int,
        default=len(os.sched_getaffinity(0)),
        help="of both sides; 1 where other programs run beside, because PyTorch's threads wait for one another",
    )
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in ("torch", "transformers"))
    print(f"{versions}; {options.threads} of {len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "pretrain.test")
        subprocess.run(["go", "test", "-c", "-o", binary, PACKAGE], check=True, env={**os.environ, **GO})
        print(f"{'':<26}{'steps per second':>20}{'':>20}{'ms of processors a step':>32}")
        print(
            f"{'objective':<14}{'parameters':>12}{'torch':>10}{options.device:>10}{'':>10}{'torch':>12}{options.device:>10}"
        )
        for name in options.objectives.split(","):
            compare(name, binary, options)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
