# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "torch==2.11.0", "transformers==5.24.0", "open_clip_torch==3.3.0", "diffusers==0.42.1", "datasets==5.2.0",
#   "pandas==3.1.1", "pyarrow==26.0.1", "soundfile==0.14.0", "pillow==13.0.0",
# ]
# ///
"""Computes raw scores again from exported data and models, with the libraries that the formats belong to.

Usage: try_export.py PAPER FOLDER [--world N] [--rows N], with a folder that `unlearnlab data export PAPER FOLDER` wrote

For salmu, --models FOLDER --like METHOD --budget N compares own models, in FOLDER/world-N, with the shipped scores of a
method of the study at a budget. Then the script runs in the repository's root, as it does for concealment, where the
outputs of the networks are compared with those of bin/unlearnlab.

Data are loaded by datasets, models by the libraries. For each model, library and column of the raw scores it prints how
many rows were compared and the largest difference, relative for values above 1. A difference above 1e-5, another rank
or another answer is an error. Since release 4, datasets needs torchcodec and FFmpeg for clips; datasets==3.6.0 needs
neither.
"""
import argparse
import importlib.metadata
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_DISABLE_PROGRESS_BARS", "1")
warnings.filterwarnings("ignore")
import numpy
import pandas
import soundfile
import torch
import transformers
from datasets import Audio, load_dataset
from PIL import Image

transformers.utils.logging.disable_progress_bar()
torch.set_grad_enabled(False)


class Comparison:
    """Collects and prints the differences of columns."""

    def __init__(self):
        self.failed = False
        print(f"{'model':<40} {'library':<14} {'column':<10} {'rows':>5}  largest difference")

    def compare(self, model, library, column, got, want):
        got, want = torch.as_tensor(got).double(), torch.as_tensor(want.to_numpy()).double()
        difference = ((got - want).abs() / want.abs().clamp(1)).max().item()
        self.failed |= not difference <= 1e-5
        print(f"{model:<40} {library:<14} {column:<10} {len(got):>5}  {difference:.1e}")


def normal(x):
    return x / x.norm(dim=-1, keepdim=True)


def clip_transformers(folder):
    model = transformers.CLIPModel.from_pretrained(folder)
    process = transformers.AutoProcessor.from_pretrained(folder)

    def images(pictures):
        out = model.get_image_features(**process.image_processor(pictures, return_tensors="pt"))
        return normal(getattr(out, "pooler_output", out))

    def texts(captions):
        tokens = process.tokenizer(captions, padding="max_length", truncation=True, return_tensors="pt")
        out = model.get_text_features(**tokens)
        return normal(getattr(out, "pooler_output", out))

    return images, texts


def clip_open_clip(folder):
    import open_clip
    name = "local-dir:" + str(folder.parent / "open_clip" / folder.name)
    model, _, preprocess = open_clip.create_model_and_transforms(name)
    tokenize = open_clip.get_tokenizer(name)
    model.eval()
    return (lambda pictures: model.encode_image(torch.stack([preprocess(p) for p in pictures]), normalize=True),
            lambda captions: model.encode_text(tokenize(captions), normalize=True))


def shipped(method, budget, world):
    """Reads the scores of a method that starts from Compromised, at its own learning rate."""
    scores = pandas.read_parquet(f"data/results/salmu/mini/scores/{method}.parquet")
    scores = scores[(scores["start"] == "compromised") & (scores["variant"] == "")]
    own = scores[scores["budget"] == 1]["learning_rate"].iloc[0]  # a sweep over rates has one budget
    near = (scores["learning_rate"] / own - 1).abs() < 1e-6
    return scores[(scores["budget"] == budget) & (scores["world"] == world) & near].set_index(["split", "id"])


def salmu(world, asked, comparison):
    rows = asked.rows
    data = {split: part.select(range(min(rows, len(part)))) for split, part in load_dataset(str(world / "data")).items()
            if split != "retain"}
    one = load_dataset("imagefolder", data_dir=str(world / "data/retain"), split="train")
    data["retain"] = one.filter(lambda part: part == "retain_disjoint", input_columns="part").select(range(rows))
    questions = json.loads((world / "data/questions.json").read_text())
    read = lambda name: pandas.read_parquet(world / f"scores/{name}.parquet").set_index(["split", "id"])
    judged = {name: (world / "models" / name, read(name)) for name in ("original", "gold")}
    libraries = {"transformers": clip_transformers, "open_clip": clip_open_clip}
    if asked.models:
        scores = shipped(asked.like, asked.budget, asked.world)
        judged = {f"{asked.like} {asked.budget}x": (asked.models / world.name, scores)}
        del libraries["open_clip"]
    for name, (folder, scores) in judged.items():
        for library, load in libraries.items():
            images, texts = load(folder)
            for split, part in data.items():
                want = scores.loc[list(zip(part["part"], part["id"]))]
                seen = images(list(part["image"]))
                compare = lambda column, got, want: comparison.compare(f"{name}, {split}", library, column, got, want)
                if split == "test":
                    prompts = [[t % c for t in questions["templates"]] for c in questions["classes"]]
                    classes = normal(torch.stack([texts(p).mean(0) for p in prompts]))
                    right = (seen @ classes.T).argmax(1) == torch.tensor(part["class"][:])
                    compare("right", right, want["right"])
                    continue
                own = (seen * texts(list(part["caption"]))).sum(1)
                compare("cosine", own, want["cosine"])
                if split != "forget":
                    continue
                others = torch.tensor([[g != c for g in questions["gallery"]] for c in part["caption"]])
                gallery = seen @ texts(questions["gallery"]).T
                above = lambda margin: 1 + (others & (gallery > own[:, None] + margin)).sum(1)
                given = torch.as_tensor(want["rank"].to_numpy())
                compare("rank", given.clamp(above(1e-6), above(-1e-6)), want["rank"])  # near ties go either way
                facts = list(zip(part["name"], part["value"]))
                core = [(seen * texts([f"{a} {b}" for a, b in pairs])).sum(1)
                        for pairs in (facts, [(b, a) for a, b in facts])]
                compare("core", torch.maximum(*core), want["core"])
                whole = torch.tensor([p == "forget_identity" for p in part["part"]])
                names = [questions["names"].index(n) if w else -1 for n, w in zip(part["name"], whole)]
                right = (seen @ texts(questions["names"]).T).argmax(1) == torch.tensor(names)
                compare("right", right[whole], want["right"][whole.numpy()])


def unslu(world, asked, comparison):
    rows = asked.rows
    for folder in sorted((world / "data").iterdir()):
        data = load_dataset(str(folder))
        data["retain"] = load_dataset("audiofolder", data_dir=str(folder / "retain"), split="train")
        data = {split: part.cast_column("audio", Audio(decode=False)).select(range(min(rows, len(part))))
                for split, part in data.items()}
        for path in sorted((world / "models").glob(f"*/{folder.name}-*")):
            name = f"{path.parent.name} {path.name}"
            extract = transformers.AutoFeatureExtractor.from_pretrained(path)
            if path.parent.name == "base":
                transformers.AutoModel.from_pretrained(path)  # has no scores
                continue
            model = transformers.AutoModelForAudioClassification.from_pretrained(path).eval()
            table = world / f"scores/{path.parent.name}/{path.name}.parquet"
            scores = pandas.read_parquet(table).set_index(["split", "id"])
            for split, part in data.items():
                if split == "retain":
                    continue
                want = scores.loc[[(split, i) for i in part["id"]]]
                sounds = [soundfile.read(io.BytesIO(a["bytes"]) if a["bytes"] else a["path"])[0] for a in part["audio"]]
                length = int(re.search(r"first (\d+) samples", (folder / "README.md").read_text())[1])
                inputs = extract(sounds, sampling_rate=extract.sampling_rate, padding="max_length", max_length=length,
                                 truncation=True, return_tensors="pt")
                logits = torch.cat([model(batch).logits for batch in inputs.input_values.split(32)])
                loss = torch.nn.functional.cross_entropy(logits, torch.tensor(part["label"][:]), reduction="none")
                comparison.compare(f"{name}, {split}", "transformers", "loss", loss, want["loss"])
                comparison.compare(f"{name}, {split}", "transformers", "predicted", logits.argmax(1), want["predicted"])


def remem(world, asked, comparison):
    rows = asked.rows
    data = load_dataset(str(world / "data"))
    one = load_dataset("json", data_files=str(world / "data/forget.jsonl"), split="train")
    assert one.column_names == data["forget"].column_names and len(one) == len(data["forget"])
    for path in sorted((world / "models").glob("*/*")):
        name = f"{path.parent.name} {path.name}"
        model = transformers.LlavaForConditionalGeneration.from_pretrained(path).eval()
        process = transformers.AutoProcessor.from_pretrained(path)
        end = process.tokenizer.eos_token
        assert process.tokenizer("USER:").input_ids[-1] != process.tokenizer.eos_token_id
        if path.parent.name == "base":
            continue  # has no scores
        table = world / f"scores/{path.parent.name}/{path.name}.parquet"
        scores = pandas.read_parquet(table).set_index(["part", "id"])
        for split, part in data.items():
            part = part.select(range(min(rows, len(part))))
            places = [(p if (p, i) in scores.index else "train", i) for p, i in zip(part["part"], part["id"])]
            known = [place in scores.index for place in places]
            if not any(known):
                continue
            part = part.select([i for i, k in enumerate(known) if k])
            want = scores.loc[[place for place, k in zip(places, known) if k]]
            likely, same = [], []
            for row in part:
                picture = Image.open(world / "data" / row["image"])
                prompt = process(images=picture, text=row["prompt"], return_tensors="pt")
                whole = process(images=picture, text=f"{row['prompt']} {row['answer']}{end}", return_tensors="pt")
                begin = prompt.input_ids.shape[1]
                logits = model(**whole).logits[0, begin - 1:-1].log_softmax(-1)
                likely.append(logits.gather(1, whole.input_ids[0, begin:, None]).mean().item())
                answer = model.generate(**prompt)[0, begin:]
                same.append(process.tokenizer.decode(answer, skip_special_tokens=True).strip())
            comparison.compare(f"{name}, {split}", "transformers", "log_prob", likely, want["log_prob"])
            different = [a != b for a, b in zip(same, want["output"])]
            comparison.compare(f"{name}, {split}", "transformers", "output", different, 0 * want["log_prob"])


def concealment(world, asked, comparison):
    sys.path.insert(0, str(world.parent))
    from small_diffusion import Model
    data = load_dataset(str(world / "data"))
    pictures = torch.stack([torch.from_numpy(numpy.array(p)) for p in data["test"][: asked.rows]["image"]])
    pictures = pictures.permute(0, 3, 1, 2) / 127.5 - 1
    model = Model(world / "models/original")
    again = pandas.Series((pictures - model.decode(model.encode(pictures))).flatten())
    comparison.compare("latents and back", "diffusers", "pictures", again, 0 * again)
    prompts = json.loads((world / "data/prompts.json").read_text())["evaluation"]
    for folder in [world / "models/original", *sorted((world / "models/gold").glob("*"))]:
        model = Model(folder)
        hidden, count = model.hidden(prompts), len(prompts)
        sample, times = torch.randn(count, 12, 16, 16), torch.randint(0, 1000, (count,))
        inputs = {"sample": sample, "timestep": times.int(), "encoder_hidden_states": hidden}
        with tempfile.TemporaryDirectory() as place:
            numpy.savez(f"{place}/in.npz", **{name: value.numpy() for name, value in inputs.items()})
            subprocess.run(["bin/unlearnlab", "model", "forward", str(folder / "unet"), "--device", "go", "--input",
                            f"{place}/in.npz", "--output", f"{place}/out.npz"], check=True, capture_output=True)
            want = pandas.Series(numpy.load(f"{place}/out.npz")["sample"].ravel())
        comparison.compare(str(folder.relative_to(world / "models")), "diffusers", "network",
                           model.unet(sample, times, hidden).sample.flatten(), want)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paper", choices=["salmu", "unslu", "remem", "concealment"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--world", type=int, default=0)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--like")
    parser.add_argument("--budget", type=int, default=5)
    asked = parser.parse_args()
    print(", ".join(f"{name} {importlib.metadata.version(name)}"
                    for name in ("datasets", "torch", "transformers", "open_clip_torch", "diffusers")))
    comparison = Comparison()
    globals()[asked.paper](asked.folder / f"world-{asked.world}", asked, comparison)
    sys.exit(comparison.failed)


main()
