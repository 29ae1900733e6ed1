"""Writes a small Speech-MASSIVE with the library that its publisher used, and what NumPy draws of its validation clips.

    pip install datasets==5.2.0 numpy==2.4.6 soundfile==0.14.0 pandas==3.1.1
    python gen_massive.py

The columns are those of the published data set, lists among them; a few of the sentences' annotations are left out. The
sound is tones, of 44.1 kHz in stereo as well, in WAV and in FLAC.
"""

import io
import json
import os

import datasets
import numpy
import pandas
import soundfile

INTENTS = ["alarm_set", "play_music", "weather_query"]
LOCALE = "de-DE"


def tone(number):
    rate, channels, kind = [(16000, 1, "WAV"), (44100, 2, "WAV"), (16000, 1, "FLAC")][number % 3]
    time = numpy.arange(rate // 20) / rate
    wave = 0.5 * numpy.sin(2 * numpy.pi * (200 + 20 * number) * time)
    content = io.BytesIO()
    soundfile.write(content, numpy.stack([wave] * channels, axis=1), rate, format=kind, subtype="PCM_16")
    return {"path": f"{number:032x}.{kind.lower()}", "bytes": content.getvalue()}


def rows(part, first, speakers):
    for place, speaker in enumerate(speakers):
        number = first + place
        intent = number % len(INTENTS)
        text = f"Satz Nummer {number}"
        yield {
            "id": str(number),
            "locale": LOCALE,
            "partition": part,
            "scenario": 0,
            "scenario_str": INTENTS[intent].split("_")[0],
            "intent_idx": intent,
            "intent_str": INTENTS[intent],
            "utt": text,
            "annot_utt": text,
            "worker_id": "3",
            "tokens": text.split(),
            "labels": ["Other"] * 3,
            "audio": tone(number),
            "path": f"{part}/{number:032x}.wav",
            "is_transcript_reported": False,
            "is_validated": True,
            "speaker_id": speaker,
            "speaker_sex": "Unidentified",
            "speaker_age": None,
        }


def write(name, part, first, speakers):
    features = datasets.Features(
        {
            **{c: datasets.Value("string") for c in ["id", "locale", "partition"]},
            "scenario": datasets.ClassLabel(names=["alarm"]),
            "scenario_str": datasets.Value("string"),
            "intent_idx": datasets.ClassLabel(names=INTENTS),
            **{c: datasets.Value("string") for c in ["intent_str", "utt", "annot_utt", "worker_id"]},
            "tokens": datasets.Sequence(datasets.Value("string")),
            "labels": datasets.Sequence(datasets.Value("string")),
            "audio": {"bytes": datasets.Value("binary"), "path": datasets.Value("string")},
            "path": datasets.Value("string"),
            "is_transcript_reported": datasets.Value("bool"),
            "is_validated": datasets.Value("bool"),
            **{c: datasets.Value("string") for c in ["speaker_id", "speaker_sex", "speaker_age"]},
        }
    )
    made = list(rows(part, first, speakers))
    made_set = datasets.Dataset.from_list(made, features=features).cast_column("audio", datasets.Audio(decode=False))
    made_set.to_parquet(name, batch_size=4)
    return made


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "massive", "Speech-MASSIVE")
    for folder in [here, here + "-test"]:
        os.makedirs(os.path.join(folder, LOCALE), exist_ok=True)
    train = write(f"{here}/{LOCALE}/train-00000-of-00002.parquet", "train", 0, ["a", "b", "a", "c", "b", "a"])
    train += write(f"{here}/{LOCALE}/train-00001-of-00002.parquet", "train", 6, ["c", "c", "a"])
    write(f"{here}/{LOCALE}/train_115-00000-of-00001.parquet", "train", 0, ["a", "b"])
    dev = write(
        f"{here}/{LOCALE}/validation-00000-of-00001.parquet",
        "dev",
        20,
        ["d", "a", "e", "f", "b", "d", "d", "f", "e", "d", "e"],
    )
    write(f"{here}-test/{LOCALE}/test-00000-of-00001.parquet", "test", 40, ["g", "a", "h", "h"])

    # As in the benchmark's notebook for Speech-MASSIVE.
    frame = pandas.DataFrame([{k: v for k, v in row.items() if k != "audio"} for row in dev])
    known = pandas.DataFrame([{"speaker_id": row["speaker_id"]} for row in train])["speaker_id"].unique()
    index = frame[~frame["speaker_id"].isin(known)].index.tolist()
    numpy.random.seed(42)
    numpy.random.shuffle(index)
    half = len(index) // 2
    drawn = {"validation": [dev[i]["id"] for i in index[:half]], "test": [dev[i]["id"] for i in index[half:]]}
    shuffled = {}
    for size in [1, 2, 3, 17, 1000]:
        order = list(range(size))
        numpy.random.seed(42)
        numpy.random.shuffle(order)
        shuffled[size] = order
    with open(os.path.join(os.path.dirname(here), "numpy.json"), "w") as file:
        json.dump({"halves": drawn, "shuffled": shuffled}, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
