"""Lets diffusers' schedulers hand over from one stand-in network to another, and writes where they end.

python gen_handover.py > handover.json

The networks, the first sample and the noise are formulas that the test repeats. The schedulers' tables are float64, so
that the test can ask for more than float32 has; "float32" holds the last sample of the untouched schedulers. The first
network has the timesteps from cut up, the second those below, from a scheduler without history: "published" goes on in
the scheduler's own list of calls, "repaired" calls the second of the timesteps that are left twice, as PLMS begins.
"""

import json, math, sys
import diffusers, numpy, torch
from diffusers import DDIMScheduler, PNDMScheduler

SD = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1)
WIDTH = 4
PSI = [0, 0.001, 0.01, 0.05, 0.089, 0.15, 0.25, 0.35, 0.45, 0.55, 1]


def exact(s):
    betas = torch.linspace(SD["beta_start"] ** 0.5, SD["beta_end"] ** 0.5, 1000, dtype=torch.float64) ** 2
    s.betas, s.alphas, s.alphas_cumprod = betas, 1 - betas, torch.cumprod(1 - betas, 0)
    s.final_alpha_cumprod = s.alphas_cumprod[0]
    return s


def first(dtype):
    return torch.tensor([[1.2 * math.cos(1.1 * i + 0.4) for i in range(WIDTH)]], dtype=torch.float64).to(dtype)


def noise(t, dtype):
    return torch.tensor([[1.3 * math.sin(0.37 * t + 1.7 * i + 0.5) for i in range(WIDTH)]], dtype=torch.float64).to(
        dtype
    )


def original(x, t):
    return 0.6 * x + 0.3 * torch.sin(x + 0.01 * float(t))


def other(x, t):
    return 0.45 * x + 0.4 * torch.cos(1.3 * x - 0.007 * float(t))


def steps(scheduler, network, calls, x, eta):
    for t in calls:
        options = (
            dict(eta=eta, variance_noise=noise(t, x.dtype) if eta > 0 else None)
            if isinstance(scheduler, DDIMScheduler)
            else {}
        )
        x = scheduler.step(network(x, t), t, x, **options).prev_sample
    return x


def run(kind, count, cut, eta, restart, dtype, prepare):
    def scheduler():
        s = (
            DDIMScheduler(clip_sample=False, set_alpha_to_one=False, **SD)
            if kind == "ddim"
            else PNDMScheduler(skip_prk_steps=True, **SD)
        )
        s = prepare(s)
        s.set_timesteps(count)
        return s

    s = scheduler()
    calls = s.timesteps.tolist()
    before, after = [t for t in calls if t >= cut], [t for t in calls if t < cut]
    handed = steps(s, original, before, first(dtype), eta)
    if kind == "pndm" and restart == "repaired":
        distinct = sorted(set(after), reverse=True)
        after = distinct[:2] + distinct[1:]
    return before, after, handed, steps(scheduler(), other, after, handed, eta)


def cases():
    for count, kinds in (
        (
            100,
            (
                ("ddim", 0.0, ""),
                ("ddim", 0.5, ""),
                ("ddim", 1.0, ""),
                ("pndm", 0.0, "published"),
                ("pndm", 0.0, "repaired"),
            ),
        ),
        (7, (("ddim", 1.0, ""), ("pndm", 0.0, "published"), ("pndm", 0.0, "repaired"))),
    ):
        for kind, eta, restart in kinds:
            for psi in PSI:
                cut = round(1000 - 1000 * psi)  # as the paper's code has it
                before, after, handed, end = run(kind, count, cut, eta, restart, torch.float64, exact)
                single = run(kind, count, cut, eta, restart, torch.float32, lambda s: s)[3]
                yield dict(
                    solver=kind,
                    steps=count,
                    eta=eta,
                    restart=restart,
                    psi=str(psi),
                    calls_before=len(before),
                    calls_after=len(after),
                    handed=handed[0].tolist(),
                    end=end[0].tolist(),
                    float32=single[0].tolist(),
                )


json.dump(
    dict(
        versions=dict(diffusers=diffusers.__version__, torch=torch.__version__, numpy=numpy.__version__),
        cases=list(cases()),
    ),
    sys.stdout,
    separators=(",", ":"),
)
