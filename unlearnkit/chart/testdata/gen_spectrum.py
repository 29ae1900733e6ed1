"""Makes spectrum.json: levels of a sound by scipy, and places on the mel scale by transformers.

python -m venv venv && venv/bin/pip install scipy==1.17.1 transformers==5.23.0
venv/bin/python gen_spectrum.py > spectrum.json
"""
import json

import numpy as np
from scipy import signal
from transformers.audio_utils import hertz_to_mel

rate = 8000
seconds = np.arange(900) / rate
sweep = signal.chirp(seconds, 200, seconds[-1], 3500) * np.linspace(0.1, 0.9, 900)
noise = np.random.default_rng(0).normal(size=900) * 0.003
samples = np.round(np.clip(sweep + noise, -1, 1) * 2**15).clip(-(2**15), 2**15 - 1)

cases = []
for window, hop in [(64, 16), (64, 64), (45, 20), (256, 0), (0, 100)]:
    size = window or 256  # 32 ms
    step = hop or size // 4
    hertz, middles, spectrum = signal.stft(samples / 2**15, rate, "hann", size, size - step, detrend=False,
                                           boundary="zeros", padded=True, scaling="spectrum")
    power = np.abs(spectrum) ** 2
    power[1:(size + 1) // 2] *= 2  # what stands for a negative frequency too
    levels = np.maximum(10 * np.log10(power), -120)
    cases.append({"window": window, "hop": hop, "seconds": middles.tolist(), "hertz": hertz.tolist(),
                  "decibels": np.round(levels.T, 6).tolist()})

hertz = [0, 20, 440, 700, 1000, 4000, 16000]
mels = [{"hertz": h, "mel": hertz_to_mel(float(h), "htk")} for h in hertz]
print(json.dumps({"rate": rate, "samples": samples.astype(int).tolist(), "cases": cases, "mels": mels}))
