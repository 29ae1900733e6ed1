# python testdata/gen_permutation.py > testdata/permutation_scipy.json
# Exact scipy.stats.permutation_test of mean differences; "quarters" are values with many ties.
import json
import numpy as np, scipy
from scipy import stats


def q(n, m, k):
    return ((np.arange(1, n + 1) * m + k) % 10007) / 10007


out = []
for n1, n2, quarters, offset in [
    (2, 3, False, 0.25),
    (5, 5, False, 0.5),
    (8, 8, True, 0.25),
    (13, 13, False, 0.25),
    (7, 7, True, 0),
    (3, 12, False, -0.5),
    (6, 9, True, 0.5),
    (8, 7, True, 0),
    (10, 4, False, 0.125),
]:
    x, y = q(n1, 7919, 104729) + offset, q(n2, 6007, 12345)
    if quarters:
        x, y = np.round(x * 4) / 4, np.round(y * 4) / 4
    for a in ["two-sided", "less", "greater"]:
        o = dict(x=x.tolist(), y=y.tolist(), alternative=a)
        if n1 == n2:
            r = stats.permutation_test(
                (x, y),
                lambda u, v, axis: np.mean(u - v, axis=axis),
                permutation_type="samples",
                n_resamples=20000,
                alternative=a,
                vectorized=True,
            )
            o["paired"] = dict(statistic=float(r.statistic), p=float(r.pvalue))
        r = (
            stats.permutation_test(
                (x, y),
                lambda u, v, axis: np.mean(u, axis=axis) - np.mean(v, axis=axis),
                permutation_type="independent",
                n_resamples=20000,
                alternative=a,
                vectorized=True,
            )
            if n1 < 13
            else None
        )
        if r:
            o["ind"] = dict(statistic=float(r.statistic), p=float(r.pvalue))
        out.append(o)
print(json.dumps(dict(generator=f"testdata/gen_permutation.py: scipy {scipy.__version__}", cases=out), indent=0))
