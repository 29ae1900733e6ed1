#!/usr/bin/env python3
"""Times the parts of a training step of the small world's speech classifier next to the same parts in PyTorch, in one
run, and prints milliseconds of processor time and ratios.

Usage: PYTHON=python with torch and transformers; run from the repository's root: $PYTHON scripts/compare_finetuning.py
[--parts model,head2] [--device go]

The parts are those of BenchmarkStep in unlearnkit/unlearn/classifying. Their twins are parts of transformers'
Wav2Vec2ForSequenceClassification in evaluation mode, as in unlearning. Both sides run one batch forward, and train on
it by AdamW; a twin with another number of parameters is an error. The sides take turns, and the median of the rounds
counts.
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
import torch
import transformers

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity_error()
# As the Makefile has it.
GO = {"GOEXPERIMENT": "simd", "GOTOOLCHAIN": re.search(r"^toolchain (\S+)", open("go.mod").read(), re.M)[1]}
PACKAGE = "./unlearnkit/unlearn/classifying"
ROWS, SAMPLES, FRAMES = 8, 4000, 98
# wav2vec2.SmallGroup with five labels
SIZES = dict(
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
    num_labels=5,
)


def parts(model):
    """The function and the shape of the input of each part."""
    encoder, sound = model.wav2vec2, (ROWS, SAMPLES)
    return {
        "convolutions": (
            lambda x: encoder.feature_projection.layer_norm(encoder.feature_extractor(x).transpose(1, 2)),
            sound,
        ),
        "encoder": (lambda x: encoder(x).last_hidden_state, sound),
        "model": (lambda x: model(x).logits, sound),
        "head2": (lambda x: model.classifier(model.projector(x).mean(1)), (ROWS, FRAMES, SIZES["hidden_size"])),
        "head1": (model.classifier, (ROWS, SIZES["classifier_proj_size"])),
    }


def processors():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Twin:
    def __init__(self, name):
        torch.manual_seed(1)
        self.model = transformers.Wav2Vec2ForSequenceClassification(transformers.Wav2Vec2Config(**SIZES)).eval()
        self.part, shape = parts(self.model)[name]
        self.values = torch.rand(shape)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4, weight_decay=0.01)

    def step(self, training):
        with torch.set_grad_enabled(training):
            loss = (self.part(self.values) - 1).square().mean()
        if training:
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def spent(self, training, seconds):
        """Returns milliseconds of processor time per step."""
        for _ in range(2):
            self.step(training)
        start, used, steps = time.perf_counter(), processors(), 0
        while steps < 2 or time.perf_counter() - start < seconds:
            self.step(training)
            steps += 1
        return 1000 * (processors() - used) / steps


def go(binary, name, options):
    command = [
        binary,
        "-test.run",
        "^$",
        "-test.bench",
        f"^BenchmarkStep$/^{name.replace('/', '$/^')}$",
        "-test.benchtime",
        f"{options.seconds}s",
        "-test.timeout",
        "0",
    ]
    done = subprocess.run(
        command,
        env={**os.environ, "UNLEARNLAB_DEVICE": options.device, "GOMAXPROCS": str(options.threads)},
        capture_output=True,
        text=True,
    )
    found = [re.search(rf"([\d.e+-]+) {unit}\b", done.stdout) for unit in ("processor-ms/step", "parameters")]
    if done.returncode != 0 or None in found:
        raise SystemExit((done.stdout + done.stderr).strip())
    return tuple(float(match[1]) for match in found)


def compare(name, binary, options):
    twin = Twin(name)
    parameters = sum(p.numel() for p in twin.model.parameters())
    for kind in ("forward", "training"):
        theirs, ours = [], []
        for _ in range(options.rounds):
            theirs.append(twin.spent(kind == "training", options.seconds))
            spent, counted = go(binary, f"{name}/{kind}", options)
            ours.append(spent)
            if counted != parameters:
                raise SystemExit(f"{name}: {counted:.0f} parameters here, {parameters} in the twin")
        a, b = statistics.median(theirs), statistics.median(ours)
        print(f"{name + ' ' + kind:<24}{a:>10.3f}{b:>10.3f}{b / a:>9.2f}x", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--parts", default="convolutions,encoder,model,head2,head1", help="of those there are, by commas"
    )
    parser.add_argument("--device", default="go", help="ours")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1, help="of each measurement")
    parser.add_argument(
        "--threads",
        type=int,
        default=1,
        help="of both sides; with more, PyTorch's wait for one another where other programs run beside",
    )
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in ("torch", "transformers"))
    print(f"{versions}; {options.threads} of {len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "classifying.test")
        subprocess.run(["go", "test", "-c", "-o", binary, PACKAGE], check=True, env={**os.environ, **GO})
        print(f"{'ms of processors a step':<24}{'torch':>10}{options.device:>10}")
        for name in options.parts.split(","):
            compare(name, binary, options)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
