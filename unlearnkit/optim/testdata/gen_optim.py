#!/usr/bin/env python3
"""Makes optim.json: steps of torch's optimizers and rates of torch's and transformers' schedules.

Usage: python gen_optim.py > optim.json     (with torch and transformers)

Every optimizer gets the same ten gradients, whatever its parameters are by then: of usual size, large, tiny, with
elements that are always zero and a step at which all are zero.
"""

import json
import math
import warnings

import torch
import transformers

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
STEPS = 10
SHAPES = {"block/bias": [5], "block/weight": [3, 4], "conv/weight": [2, 3, 2], "scale": []}
SIZES = {"block/bias": 1e4, "block/weight": 1.0, "conv/weight": 1e-6, "scale": 1.0}
RATES = [0.05 * (1 + 0.3 * math.sin(step)) for step in range(STEPS)]

random = torch.Generator().manual_seed(5)
initial = {n: torch.randn(s, generator=random) * (1e-5 if n == "conv/weight" else 1) for n, s in SHAPES.items()}
gradients = []
for step in range(STEPS):
    now = {n: torch.randn(s, generator=random) * SIZES[n] * (step != 3) for n, s in SHAPES.items()}
    now["block/weight"][1, 2] = 0
    now["conv/weight"][0] *= step % 2
    gradients.append(now)


def flat(tensors):
    return {n: t.detach().double().flatten().tolist() for n, t in tensors.items()}


def run(case):
    kind = getattr(torch, case["type"])
    factors = case.get("factors", {})
    parameters = {n: torch.nn.Parameter(t.to(kind, copy=True)) for n, t in initial.items() if factors.get(n, 1) != 0}
    rule = dict(case["options"])
    decay = rule.pop("weight_decay", 0)
    groups = [
        {"params": [p], "weight_decay": 0 if case.get("no_decay_for_vectors") and p.dim() < 2 else decay}
        for p in parameters.values()
    ]
    optimizer = getattr(torch.optim, case["rule"])(groups, lr=1, **rule)
    holder = torch.nn.Module()
    holder.list = torch.nn.ParameterList(parameters.values())
    average = torch.optim.swa_utils.AveragedModel(
        holder, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(case.get("average", 0))
    )
    average.update_parameters(holder)
    accumulate, norms, after = case.get("accumulate", 1), [], []
    for step in range(STEPS):
        for name, p in parameters.items():
            gradient = gradients[step][name].to(kind) / accumulate
            p.grad = gradient if p.grad is None else p.grad + gradient
        if (step + 1) % accumulate == 0:
            norms.append(torch.nn.utils.clip_grad_norm_(parameters.values(), case.get("clip") or math.inf).item())
            for group, name in zip(optimizer.param_groups, parameters):
                group["lr"] = RATES[step] * factors.get(name, 1)
            optimizer.step()
            optimizer.zero_grad()
            average.update_parameters(holder)
        after.append(flat(parameters))
    case["norms"], case["after"] = norms, {str(s): after[s] for s in (0, 2, 9)}
    if "average" in case:
        case["averages"] = flat(dict(zip(parameters, average.module.list)))
    return case


CASES = [
    {"rule": "SGD", "options": {}},
    {"rule": "SGD", "options": {"momentum": 0.9, "weight_decay": 0.1}},
    {"rule": "SGD", "options": {"momentum": 0.8, "dampening": 0.3}},
    {"rule": "SGD", "options": {"momentum": 0.9, "nesterov": True, "weight_decay": 0.02}, "clip": 2.5},
    {"rule": "Adam", "options": {}},
    {"rule": "Adam", "options": {"betas": [0.85, 0.97], "eps": 1e-3, "weight_decay": 0.1}, "average": 0.9},
    {"rule": "Adam", "options": {"weight_decay": 0.1}, "no_decay_for_vectors": True, "accumulate": 3, "clip": 0.5},
    {"rule": "AdamW", "options": {"weight_decay": 0}},
    {"rule": "AdamW", "options": {"weight_decay": 0.2}, "no_decay_for_vectors": True, "clip": 1.0},
    {
        "rule": "AdamW",
        "options": {"betas": [0.9, 0.98], "eps": 1e-6, "weight_decay": 0.2},
        "factors": {"block/bias": 0, "conv/weight": 0.1, "scale": 3},
        "average": 0.95,
    },
    {"rule": "AdamW", "options": {"weight_decay": 0.1}, "accumulate": 2, "average": 0.5, "clip": 1e9},
]


def long(rule, kind):
    """Ten thousand steps, whose gradients a formula gives."""
    p = torch.nn.Parameter(torch.arange(6, dtype=getattr(torch, kind)))
    optimizer = getattr(torch.optim, rule)([p], lr=1e-3, weight_decay=0.01)
    units = torch.arange(1, 7, dtype=torch.float64)
    for step in range(10_000):
        p.grad = (torch.cos(0.001 * step * units) + 0.1).to(p.dtype)
        optimizer.step()
    return {"rule": rule, "type": kind, "after": p.detach().double().tolist()}


def rates(make, steps=30):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.3)
    scheduler, values = make(optimizer), []
    for _ in range(steps):
        values.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return values


def plateau(observed, **options):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.3)
    scheduler, values = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **options), []
    for value in observed:
        scheduler.step(value)
        values.append(optimizer.param_groups[0]["lr"])
    return {"options": options, "observed": [v if v == v else None for v in observed], "rates": values}


falling = [
    3.0,
    2.0,
    2.0,
    1.99999,
    1.9999,
    2.5,
    math.nan,
    1.0,
    1.0,
    1.0,
    1.0,
    0.99,
    1.0,
    1.0,
    1.0,
    1.0,
    1.0,
    1.0,
    1.0,
    1.0,
]
hf, lr = transformers, torch.optim.lr_scheduler
print(
    json.dumps(
        {
            "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
            "shapes": SHAPES,
            "rates": RATES,
            "initial": flat(initial),
            "gradients": [flat(g) for g in gradients],
            "cases": [run({**case, "type": kind}) for case in CASES for kind in ("float32", "float64")],
            "long": [long(rule, kind) for rule in ("Adam", "AdamW") for kind in ("float32", "float64")],
            "schedules": {
                "warmup": rates(lambda o: hf.get_constant_schedule_with_warmup(o, 7)),
                "linear": rates(lambda o: hf.get_linear_schedule_with_warmup(o, 7, 25)),
                "linear to a floor": rates(lambda o: lr.LinearLR(o, 1.0, 0.25, 20)),
                "cosine": rates(lambda o: hf.get_cosine_schedule_with_warmup(o, 7, 29)),
                "cosine to a floor": rates(
                    lambda o: hf.get_cosine_with_min_lr_schedule_with_warmup(o, 7, 29, min_lr=0.06)
                ),
                "annealing": rates(lambda o: lr.CosineAnnealingLR(o, 29, 0.01)),
            },
            "plateaus": [
                plateau(falling, patience=2),
                plateau(falling, patience=0, factor=0.5, threshold=0.2, threshold_mode="abs", min_lr=0.02),
                plateau([-v for v in falling], mode="max", patience=1, cooldown=2, factor=0.3),
                plateau(falling, mode="max", patience=1, threshold=0.5, threshold_mode="abs", cooldown=1),
                plateau([1.0] * 40, patience=0, factor=0.2),
                plateau([math.nan, 2.0, 2.0, 2.0], patience=0),
            ],
        }
    )
)
