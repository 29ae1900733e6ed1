#!/usr/bin/env python3
"""Has the sentences of sentences.py spoken by synthetic voices and writes the recordings beside this file.

Needs Debian 12's packages espeak-ng 1.51+dfsg-10+deb12u2, flite 2.2-5, sox 14.4.2+git20190427-3.5 and flac 1.4.2+ds-2;
with these every run writes the same bytes. Usage: make_recordings.py [folder]

Writes LANGUAGE/VOICE.flac, the clips of a voice one after another; clips.csv, where each begins and what it says; and
voices.csv, who speaks and the SHA-256 of the file.
"""

import csv
import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from sentences import SENTENCES

RATE, CLIPS = 8000, 50
# The loudest sample in dB of full scale. Each 6 dB cost a bit a sample, 5 MB in all.
PEAK = "-7.3"
# Voices of flite, and those variants of espeak-ng that a recogniser of speech understands best among the ones that a
# network that tells speakers apart finds unlike each other.
FLITE = ["slt", "awb", "kal16", "rms"]
VARIANTS = [
    "steph",
    "pablo",
    "victor",
    "f5",
    "quincy",
    "belinda",
    "Gene",
    "Hugo",
    "m5",
    "Storm",
    "sandro",
    "f4",
    "Annie",
    "pedro",
    "klatt2",
    "shelby",
]
# The accents that the variants take in turn.
ACCENTS = {
    "en": ["en-us", "en-us", "en-gb-x-rp", "en-us", "en-gb-scotland"],
    "it": ["it"],
    "de": ["de"],
    "fr": ["fr-fr", "fr-fr", "fr-be", "fr-ch"],
}


def number(below, *name):
    """A number that depends on the name alone, as a random one would be drawn."""
    digest = hashlib.sha256("/".join(map(str, name)).encode()).digest()
    return int.from_bytes(digest[:8], "little") % below


def cast(language):
    """The voices of a language: name, engine, what the engine calls it, pitch of 0 to 99, words a minute."""
    voices = []
    if language == "en":
        voices = [dict(voice=name, engine="flite", model=name, pitch=50, words=155) for name in FLITE]
    accents = ACCENTS[language]
    for i, variant in enumerate(VARIANTS[: 16 - len(voices)]):
        voices.append(
            dict(
                voice=variant,
                engine="espeak-ng",
                model=f"{accents[i % len(accents)]}+{variant}",
                pitch=40 + number(21, language, variant, "pitch"),
                words=146 + number(12, language, variant, "words"),
            )
        )
    return voices


def choose(language, speaker):
    """The clips of a voice: one of each intent in turn, by other sentences each time and with each voice."""
    chosen = []
    intents = list(SENTENCES[language].items())
    for k in range(CLIPS):
        turn, place = divmod(k, len(intents))
        # A last turn that does not reach all intents begins with another one at each voice.
        if (turn + 1) * len(intents) > CLIPS:
            place = (place + speaker * (CLIPS % len(intents))) % len(intents)
        intent, sentences = intents[place]
        # 5 is prime to the number of sentences, 4 or 8: turns take different ones.
        chosen.append((intent, sentences[(speaker + place + 5 * turn) % len(sentences)]))
    return chosen


def speak(voice, language, text, target):
    """Has one sentence spoken, a little differently from the voice's habit."""
    pitch = voice["pitch"] + number(9, language, voice["voice"], text, "pitch") - 4
    words = voice["words"] + number(7, language, voice["voice"], text, "words") - 3
    if voice["engine"] == "flite":
        command = [
            "flite",
            "-voice",
            voice["model"],
            "--setf",
            f"duration_stretch={160 / words:.3f}",
            "-t",
            text,
            "-o",
            target,
        ]
    else:
        command = ["espeak-ng", "-v", voice["model"], "-p", str(pitch), "-s", str(words), "-w", target, text]
    subprocess.run(command, check=True)


def record(voice, language, text, folder):
    """Returns the samples of a clip: 8 bits, without silence at both ends."""
    spoken = os.path.join(folder, f"{language}-{voice['voice']}.wav")
    speak(voice, language, text, spoken)
    ends = ["silence", "1", "0.02", "0.3%", "reverse"]
    return subprocess.run(
        ["sox", "-R", "-D", spoken, "-t", "raw", "-e", "signed", "-b", "8", "-r", str(RATE), "-c", "1", "-"]
        + ["gain", "-6"]
        + ends
        + ends
        + ["pad", "0.03", "0.03", "rate", str(RATE), "highpass", "60", "norm", PEAK],
        check=True,
        stdout=subprocess.PIPE,
    ).stdout


def perform(language, speaker, voice, target, scratch):
    """Records a voice; returns its line of voices.csv and those of clips.csv."""
    path = f"{language}/{voice['voice']}.flac"
    lines, samples = [], b""
    for intent, text in choose(language, speaker):
        clip = record(voice, language, text, scratch)
        action, thing, location = intent.split("|") if language == "en" else ("", "", "")
        lines.append([language, voice["voice"], len(samples), len(clip), intent, action, thing, location, text])
        samples += clip
    full = os.path.join(target, path)
    subprocess.run(
        [
            "flac",
            "--silent",
            "--force",
            "--best",
            "--exhaustive-model-search",
            "--no-padding",
            "--no-seektable",
            "--force-raw-format",
            "--endian=little",
            "--sign=signed",
            "--channels=1",
            "--bps=8",
            f"--sample-rate={RATE}",
            "-o",
            full,
            "-",
        ],
        input=samples,
        check=True,
    )
    with open(full, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return [language, voice["voice"], voice["engine"], voice["model"], path, len(samples), digest], lines


def write(path, header, lines):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(lines)


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    jobs = [(language, i, voice) for language in SENTENCES for i, voice in enumerate(cast(language))]
    for language in SENTENCES:
        os.makedirs(os.path.join(target, language), exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as workers:
        done = list(workers.map(lambda job: perform(*job, target, scratch), jobs))
    write(
        os.path.join(target, "voices.csv"),
        ["language", "voice", "engine", "model", "file", "samples", "sha256"],
        [voice for voice, _ in done],
    )
    write(
        os.path.join(target, "clips.csv"),
        ["language", "voice", "start", "length", "intent", "action", "object", "location", "text"],
        [line for _, lines in done for line in lines],
    )
    print(f"{len(jobs)} voices, {sum(voice[5] for voice, _ in done) / RATE:.0f} s")


if __name__ == "__main__":
    main()
