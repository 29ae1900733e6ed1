# python3 gen_ks.py > ks_scipy.json
# scipy 1.17.1, numpy 2.4.6; the rational values use Python's fractions alone
import json
import warnings
from fractions import Fraction
from math import factorial
import numpy as np
import scipy
from scipy import special, stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(31)
ALTERNATIVES = ["two-sided", "less", "greater"]


def numbers(x):
    return [float(v) for v in x]


def q(n, m, k):
    return ((np.arange(1, n + 1) * m + k) % 10007) / 10007


def two(x, y, **kw):
    r = stats.ks_2samp(x, y, **kw)
    return {
        "x": numbers(x),
        "y": numbers(y),
        "statistic": float(r.statistic),
        "p": float(r.pvalue),
        "location": float(r.statistic_location),
        "sign": int(r.statistic_sign),
        **kw,
    }


def two_sample_cases():
    cases = []
    for n1, n2 in [(1, 1), (2, 3), (5, 5), (7, 4), (30, 30), (24, 36), (50, 33), (90, 120)]:
        for shift in [0, 0.6]:
            x, y = np.round(rng.normal(size=n1), 5), np.round(rng.normal(size=n2) + shift, 5)
            for a in ALTERNATIVES:
                cases.append(two(x, y, alternative=a, method="auto"))
                if n1 > 2:
                    cases.append(two(x, y, alternative=a, method="asymp"))
        x, y = np.round(rng.normal(size=n1)), np.round(rng.normal(size=n2) + 0.4)
        cases.append(two(x, y, method="auto"))
    cases.append(two(q(100, 7919, 104729), q(100, 6007, 12345) ** 1.1, method="auto"))
    cases.append(two(q(100, 7919, 104729), q(80, 6007, 12345) ** 1.3, method="auto"))
    return cases


def printed_cases():
    """p from D and the sizes, through samples that have this D: x steps first."""
    cases = []
    for n1, n2, steps in [
        (100, 100, 9),
        (100, 100, 17),
        (1000, 1000, 41),
        (10_000, 10_000, 150),
        (10_000, 10_000, 300),
        (10_001, 10_001, 150),
        (30_468, 30_468, 91),
        (30_468, 30_468, 350),
        (30_468, 30_468, 900),
    ]:
        x = np.arange(n1, dtype=float)
        r = stats.ks_2samp(x, x + steps - 0.5, method="auto")
        cases.append({"d": float(r.statistic), "n1": n1, "n2": n2, "p": float(r.pvalue)})
    for n1, n2, shift in [(600, 450, 20.5), (600, 450, 45.5), (1500, 1499, 60.5), (1200, 900, 33.5)]:
        x, y = np.arange(n1, dtype=float) / n1, np.arange(n2, dtype=float) / n2 + shift / 1000
        for a in ALTERNATIVES:
            r = stats.ks_2samp(x, y, alternative=a, method="auto")
            cases.append({"d": float(r.statistic), "n1": n1, "n2": n2, "alternative": a, "p": float(r.pvalue)})
    return cases


def one_sample_cases():
    cases = []
    for n in [1, 2, 7, 40, 141, 400]:
        x = np.round(rng.normal(size=n) * 0.9, 5)
        for a in ALTERNATIVES:
            for method in ["exact", "asymp"]:
                r = stats.ks_1samp(x, stats.norm.cdf, alternative=a, method=method)
                cases.append(
                    {
                        "x": numbers(x),
                        "alternative": a,
                        "method": method,
                        "statistic": float(r.statistic),
                        "p": float(r.pvalue),
                        "location": float(r.statistic_location),
                        "sign": int(r.statistic_sign),
                    }
                )
    return cases


def law_cases():
    cases = []
    for n in [1, 2, 3, 10, 50, 139, 140, 141, 500, 5000, 15_234, 100_000, 100_001, 1_000_000]:
        roots = np.array([0.3, 0.5, 0.7, 0.86, 0.95, 1.2, 1.48, 1.9, 2.5, 4.0, 9.0]) / np.sqrt(n)
        direct = [0.4 / n, 0.7 / n, 1.0 / n, 1.5 / n, 1 - 0.5 / n, 0.45, 0.5, 0.75]
        if n == 15_234:
            direct += [0.003, 0.005, 0.01, 0.0115, 0.02]
        if n >= 100_000:  # the sum over n terms takes its time
            roots, direct = roots[[1, 3, 7, 9]] if n < 1_000_000 else roots[[7]], [1.0 / n, 0.5]
        for d in [*roots, *direct]:
            if 0 < d < 1:
                cases.append(
                    {"d": float(d), "n": n, "p": float(stats.kstwo.sf(d, n)), "one": float(special.smirnov(n, d))}
                )
    return cases


def durbin(n, d):
    """P(D_n >= d) in exact rational arithmetic: n!/n^n H^n (Durbin 1968)."""
    t = n * d
    k = -((-t.numerator) // t.denominator)
    h = k - t
    m = 2 * k - 1
    H = [[Fraction(1, factorial(i - j + 1)) if i - j + 1 >= 0 else Fraction(0) for j in range(m)] for i in range(m)]
    for i in range(m):
        H[i][0] -= h ** (i + 1) / factorial(i + 1)
        H[m - 1][i] -= h ** (m - i) / factorial(m - i)
    if 2 * h > 1:
        H[m - 1][0] += (2 * h - 1) ** m / factorial(m)
    row = H[k - 1]
    for _ in range(n - 1):
        row = [sum(row[i] * H[i][j] for i in range(m)) for j in range(m)]
    return 1 - Fraction(factorial(n), n**n) * row[k - 1]


def rational_cases():
    cases = []
    for n, ds in [
        (2, ["3/8", "5/8"]),
        (5, ["1/4", "2/5", "9/16"]),
        (9, ["1/8", "5/18", "7/16"]),
        (20, ["1/8", "1/4", "3/8", "7/16"]),
        (40, ["1/16", "3/16", "5/16"]),
        (100, ["1/16", "1/8", "3/16"]),
    ]:
        for d in ds:
            cases.append({"d": float(Fraction(d)), "n": n, "p": float(durbin(n, Fraction(float(Fraction(d)))))})
    return cases


json.dump(
    {
        "generator": f"python3 gen_ks.py, scipy {scipy.__version__}, numpy {np.__version__}",
        "twoSample": two_sample_cases(),
        "printed": printed_cases(),
        "oneSample": one_sample_cases(),
        "law": law_cases(),
        "rational": rational_cases(),
    },
    open(1, "w"),
    allow_nan=False,
)
