"""Makes cepstra.json beside this file: sounds and the 39 numbers that HuBERT's recipe makes of them
(fairseq/examples/hubert/simple_kmeans/dump_mfcc_feature.py) with torchaudio.

python gen_cepstra.py
"""

import json
import pathlib

import torch

torch.version.cuda = None  # torchaudio refuses builds of torch for another CUDA; nothing here runs on one
import torchaudio

SOUNDS = {
    "a rising tone at 8 kHz": (8000, 900, 1.0),
    "a rising tone at 16 kHz": (16000, 1500, 1.0),
    "quiet at 8 kHz": (8000, 700, 1e-5),
}
out = {"torch": torch.__version__, "torchaudio": torchaudio.__version__, "sounds": {}}
generator = torch.Generator().manual_seed(1)
for name, (rate, count, loudness) in SOUNDS.items():
    time = torch.arange(count, dtype=torch.float64) / rate
    x = loudness * (
        0.3 * torch.sin(2 * torch.pi * (300 * time + 4000 * time**2))
        + 0.02 * torch.randn(count, generator=generator, dtype=torch.float64)
        + 0.05
    )
    x[count // 2 : count // 2 + rate // 40 + 10] = 0  # one window of silence
    x = x.float().double()
    static = torchaudio.compliance.kaldi.mfcc(x[None], sample_frequency=rate, use_energy=False).T
    change = torchaudio.functional.compute_deltas(static)
    rows = torch.cat([static, change, torchaudio.functional.compute_deltas(change)]).T
    out["sounds"][name] = {
        "rate": rate,
        "samples": [float(f"{value:.9g}") for value in x.tolist()],
        "rows": [[float(f"{value:.7g}") for value in row] for row in rows.tolist()],
    }
pathlib.Path(__file__).with_name("cepstra.json").write_text(json.dumps(out) + "\n")
