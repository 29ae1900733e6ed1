"""Runs diffusers' schedulers on a stand-in network and writes what they do.

python gen_schedule.py > schedule.json

The network, the first sample and the noise are formulas that the test repeats, so the file holds results alone. The
schedulers' tables are replaced by the same formulas in float64, so that the test can ask for 1e-10; "float32" holds the
last sample of the untouched scheduler.
"""

import hashlib, json, math, sys
import diffusers, numpy as np, torch
from diffusers import DDIMScheduler, DDPMScheduler, PNDMScheduler
import diffusers.schedulers.scheduling_ddpm as ddpm_module

CLASSES = {"DDIM": DDIMScheduler, "DDPM": DDPMScheduler, "PNDM": PNDMScheduler}
WIDTH = 3
SD = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear")


def exact(scheduler):
    """Replaces the tables by float64."""
    c = scheduler.config
    n = c.num_train_timesteps
    if c.trained_betas is not None:
        betas = torch.tensor(c.trained_betas, dtype=torch.float64)
    elif c.beta_schedule == "linear":
        betas = torch.linspace(c.beta_start, c.beta_end, n, dtype=torch.float64)
    elif c.beta_schedule == "scaled_linear":
        betas = torch.linspace(c.beta_start**0.5, c.beta_end**0.5, n, dtype=torch.float64) ** 2
    else:
        share = lambda t: math.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
        betas = torch.tensor([min(1 - share((i + 1) / n) / share(i / n), 0.999) for i in range(n)], dtype=torch.float64)
    scheduler.betas, scheduler.alphas = betas, 1 - betas
    scheduler.alphas_cumprod = torch.cumprod(1 - betas, 0)
    scheduler.one = torch.tensor(1.0, dtype=torch.float64)
    scheduler.final_alpha_cumprod = scheduler.one if c.get("set_alpha_to_one") else scheduler.alphas_cumprod[0]
    return scheduler


def first(dtype):
    return torch.tensor([[1.1 * math.cos(1.3 * i + 0.2) for i in range(WIDTH)]], dtype=torch.float64).to(dtype)


def noise(call, dtype):
    return torch.tensor([[1.3 * math.sin(3 * call + 1.7 * i + 0.5) for i in range(WIDTH)]], dtype=torch.float64).to(
        dtype
    )


def network(x, t):
    return 0.6 * x + 0.3 * torch.sin(x + 0.01 * float(t))


def run(scheduler, x, calls, kind, eta):
    seen = []
    for k, t in enumerate(calls):
        output = network(x, t)
        if kind == "DDIM":
            x = scheduler.step(output, t, x, eta=eta, variance_noise=noise(k, x.dtype) if eta > 0 else None).prev_sample
        elif kind == "DDPM":
            ddpm_module.randn_tensor = lambda *_, **__: noise(k, x.dtype)
            x = scheduler.step(output, t, x).prev_sample
        else:
            x = scheduler.step(output, t, x).prev_sample
        seen.append(x[0].tolist())
    return x, seen


def case(kind, config, steps, eta=0.0, cut=None):
    def whole(dtype, prepare):
        scheduler = prepare(CLASSES[kind](**config))
        scheduler.set_timesteps(steps)
        calls = scheduler.timesteps.tolist()
        if cut is None:
            return calls, *run(scheduler, first(dtype), calls, kind, eta)
        # Partial diffusion: the calls from cut on, then a scheduler without history at those below.
        x, before = run(scheduler, first(dtype), [t for t in calls if t >= cut], kind, eta)
        scheduler.set_timesteps(steps)
        x, after = run(scheduler, x, [t for t in calls if t < cut], kind, eta)
        return calls, x, before + after

    calls, _, seen = whole(torch.float64, exact)
    _, single, _ = whole(torch.float32, lambda s: s)
    stride = 1 if len(calls) <= 25 else 10
    kept = sorted(set(range(0, len(calls), stride)) | {len(calls) - 1})
    return dict(
        scheduler=dict(CLASSES[kind](**config).config, _class_name=kind + "Scheduler"),
        steps=steps,
        eta=eta,
        cut=cut or 0,
        calls=calls,
        kept=kept,
        samples=[seen[k] for k in kept],
        float32=single[0].tolist(),
    )


def cases():
    for spacing in ("leading", "linspace", "trailing"):
        for steps in (10, 20, 50, 100):
            offset = dict(timestep_spacing=spacing, steps_offset=1 if spacing == "leading" else 0)
            eta = {10: 0.5, 20: 0.0, 50: 1.0, 100: 1.0}[steps]
            yield case("DDIM", dict(SD, clip_sample=False, set_alpha_to_one=False, **offset), steps, eta)
            yield case("PNDM", dict(SD, skip_prk_steps=True, **offset), steps)
            yield case("DDPM", dict(SD, clip_sample=False, **offset), steps)
    for eta in (0.0, 0.3, 1.0):
        yield case("DDIM", dict(SD, clip_sample=False, set_alpha_to_one=True), 20, eta)
    yield case("DDIM", dict(beta_schedule="linear", clip_sample=True, clip_sample_range=0.7), 10, 0.5)
    yield case("DDIM", dict(beta_schedule="squaredcos_cap_v2", clip_sample=True, prediction_type="sample"), 10, 1.0)
    yield case("DDIM", dict(SD, clip_sample=False, prediction_type="v_prediction", num_train_timesteps=300), 7, 1.0)
    yield case(
        "DDIM",
        dict(trained_betas=[0.01 + 0.005 * i for i in range(40)], num_train_timesteps=40, clip_sample=False),
        13,
        0.2,
    )
    for steps in (4, 10, 30):
        yield case("PNDM", dict(SD, skip_prk_steps=False), steps)
    yield case(
        "PNDM",
        dict(beta_schedule="linear", skip_prk_steps=False, prediction_type="v_prediction", set_alpha_to_one=True),
        11,
    )
    yield case("PNDM", dict(SD, skip_prk_steps=True, prediction_type="v_prediction", set_alpha_to_one=True), 10)
    for steps in (1, 2, 3):
        yield case("PNDM", dict(SD, skip_prk_steps=True, steps_offset=1), steps)
    yield case("DDPM", dict(beta_schedule="linear", clip_sample=True), 10)
    yield case(
        "DDPM",
        dict(SD, clip_sample=True, clip_sample_range=0.5, prediction_type="sample", variance_type="fixed_large"),
        10,
    )
    yield case("DDPM", dict(SD, clip_sample=False, prediction_type="v_prediction"), 17)
    for cut in (990, 950, 450):
        yield case("PNDM", dict(SD, skip_prk_steps=True, steps_offset=1), 100, cut=cut)
        yield case("DDIM", dict(SD, clip_sample=False, set_alpha_to_one=False, steps_offset=1), 100, cut=cut)


def lists():
    """A digest over the timesteps of every number of steps. With trailing spacing diffusers adds a timestep -1 for some
    numbers of steps, which is left out."""
    for spacing in ("leading", "linspace", "trailing"):
        scheduler = DDIMScheduler(timestep_spacing=spacing)
        digest = hashlib.sha256()
        for steps in range(1, 1001):
            scheduler.set_timesteps(steps)
            digest.update((",".join(str(t) for t in scheduler.timesteps.tolist() if t >= 0) + "\n").encode())
        yield spacing, digest.hexdigest()


def process():
    scheduler = exact(DDIMScheduler(**SD))
    x, e = first(torch.float64), noise(4, torch.float64)
    t = torch.tensor([617])
    return dict(
        timestep=617,
        noisy=scheduler.add_noise(x, e, t)[0].tolist(),
        velocity=scheduler.get_velocity(x, e, t)[0].tolist(),
    )


json.dump(
    dict(
        versions=dict(diffusers=diffusers.__version__, torch=torch.__version__, numpy=np.__version__),
        lists=dict(lists()),
        process=process(),
        cases=list(cases()),
    ),
    sys.stdout,
    separators=(",", ":"),
)
