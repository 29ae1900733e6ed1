"""Writes bootstrap_scipy.json: python gen_bootstrap.py (scipy 1.17.1, numpy 2.4.6)."""
import json

import numpy as np
import scipy
from scipy import stats
from scipy.stats import _resampling

rng = np.random.default_rng(20240611)
resamples = 100_000


def mean_difference(x, y, axis):
    return x.mean(axis=axis) - y.mean(axis=axis)


def ratio(x, y, axis):
    return x.sum(axis=axis) / y.sum(axis=axis)


def variance(x, axis):
    return x.var(axis=axis)


cases = [
    ("mean", (rng.gamma(2.0, size=40),), lambda x, axis: x.mean(axis=axis), False),
    ("mean", (rng.normal(5.0, size=12),), lambda x, axis: x.mean(axis=axis), False),
    ("variance", (rng.normal(size=25),), variance, False),
    ("difference", (rng.exponential(size=20), rng.normal(1.0, 2.0, size=35)), mean_difference, False),
    ("ratio", (rng.gamma(3.0, size=30), rng.gamma(4.0, size=30)), ratio, True),
]
kinds = [("bca", "BCa"), ("percentile", "percentile"), ("basic", "basic")]
out = {"generator": f"gen_bootstrap.py, scipy {scipy.__version__}, numpy {np.__version__}", "cases": []}
for name, data, statistic, paired in cases:
    case = {"statistic": name, "data": [d.tolist() for d in data], "intervals": []}
    case["estimate"] = float(statistic(*data, axis=-1))
    if paired:  # scipy resamples the row numbers
        rows = (np.arange(len(data[0])),)
        whole = lambda i, axis=-1: statistic(*(d[i] for d in data), axis=axis)
    else:
        rows, whole = data, statistic
    # A small distribution of our own, on which the intervals are deterministic.
    given = stats.bootstrap(rows, whole, n_resamples=199, rng=rng, vectorized=True)
    case["given"] = given.bootstrap_distribution.tolist()
    case["given_se"] = float(given.standard_error)
    for kind, method in kinds:
        for alternative in ["two-sided", "less", "greater"]:
            for level in [0.9, 0.95]:
                exact = stats.bootstrap(
                    rows, whole, n_resamples=0, bootstrap_result=given, method=method,
                    alternative=alternative, confidence_level=level, vectorized=True,
                ).confidence_interval
                case["intervals"].append({
                    "kind": kind, "alternative": alternative, "level": level,
                    "given_lo": float(exact.low) if np.isfinite(exact.low) else None,
                    "given_hi": float(exact.high) if np.isfinite(exact.high) else None,
                })
    case["acceleration"] = float(_resampling._bca_interval(
        rows, whole, axis=-1, alpha=0.025, theta_hat_b=given.bootstrap_distribution, batch=None, xp=np)[2])
    large = stats.bootstrap(rows, whole, n_resamples=resamples, rng=rng, vectorized=True, batch=2000)
    case["se"] = float(large.standard_error)
    for kind, method in kinds:
        ci = stats.bootstrap(rows, whole, n_resamples=0, bootstrap_result=large, method=method, vectorized=True)
        case[kind] = [float(ci.confidence_interval.low), float(ci.confidence_interval.high)]
    out["cases"].append(case)

with open("bootstrap_scipy.json", "w") as f:
    json.dump(out, f)
    f.write("\n")
