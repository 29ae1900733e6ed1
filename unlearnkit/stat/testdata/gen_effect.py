"""Writes effect_scipy.json: python gen_effect.py (scipy 1.17.1, pingouin 0.7.0)."""

import json
import warnings

import numpy as np
import pingouin
import scipy
from scipy import optimize, special, stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(7)


def noncentral_interval(t, nu, level):
    alpha = (1 - level) / 2
    reach = 8 * np.sqrt(1 + t * t / (2 * nu))
    lo = optimize.brentq(lambda d: stats.nct.sf(t, nu, d) - alpha, t - reach, t + reach, xtol=1e-13, rtol=1e-14)
    hi = optimize.brentq(lambda d: stats.nct.cdf(t, nu, d) - alpha, t - reach, t + reach, xtol=1e-13, rtol=1e-14)
    return np.array([lo, hi])


def cliff(x, y, level):
    d = np.sign(np.subtract.outer(x, y))
    n, m = d.shape
    delta = d.mean()
    rows, columns = d.mean(axis=1).var(ddof=1), d.mean(axis=0).var(ddof=1)
    cells = ((d - delta) ** 2).sum() / ((n - 1) * (m - 1))
    variance = ((m - 1) * rows + (n - 1) * columns + cells) / (n * m)
    z = stats.norm.isf((1 - level) / 2)
    reach = z * np.sqrt(variance) * np.sqrt((1 - delta**2) ** 2 + z * z * variance)
    bottom = 1 - delta**2 + z * z * variance
    return delta, [(delta - delta**3 - reach) / bottom, (delta - delta**3 + reach) / bottom]


def signed_rank_biserial(d):
    r = stats.rankdata(abs(d))
    return (np.sign(d) * r).sum() / r.sum()


def rank_biserial(d, level):
    d = d[d != 0]
    n = len(d)
    r = signed_rank_biserial(d)
    jackknife = np.array([signed_rank_biserial(np.delete(d, i)) for i in range(n)])
    variance = (n - 1) / n * ((jackknife - jackknife.mean()) ** 2).sum()
    z = stats.t.isf((1 - level) / 2, n - 1)
    reach = z * np.sqrt(variance) * np.sqrt((1 - r**2) ** 2 + z * z * variance)
    bottom = 1 - r**2 + z * z * variance
    return r, [max((r - r**3 - reach) / bottom, -1), min((r - r**3 + reach) / bottom, 1)]


cases = []
for n, m, shift, digits, level in [
    (5, 5, 0.0, 8, 0.95),
    (12, 12, 0.4, 8, 0.95),
    (30, 30, -0.7, 8, 0.9),
    (30, 30, 0.3, 0, 0.95),
    (8, 20, 1.0, 1, 0.99),
    (60, 41, -0.2, 1, 0.95),
    (400, 400, 0.5, 1, 0.95),
    (15, 15, 6.0, 8, 0.95),
]:
    x = np.round(rng.normal(shift, 1.3, size=n), digits)
    y = np.round(rng.normal(0.0, 1.0, size=m), digits)
    case = {"x": x.tolist(), "y": y.tolist(), "level": level}
    nu, scale = n + m - 2, np.sqrt(n * m / (n + m))
    d = pingouin.compute_effsize(x, y, eftype="cohen")
    j = float(np.exp(special.gammaln(nu / 2) - special.gammaln((nu - 1) / 2)) / np.sqrt(nu / 2))
    interval = noncentral_interval(d * scale, nu, level) / scale
    case["d"], case["d_interval"] = float(d), interval.tolist()
    case["g"], case["g_interval"] = float(j * d), (j * interval).tolist()
    delta, bounds = cliff(x, y, level)
    if abs(delta) < 1:
        case["cliff"], case["cliff_interval"] = float(delta), [float(b) for b in bounds]
    if n == m:
        diff = x - y
        dz = diff.mean() / diff.std(ddof=1)
        case["dz"] = float(dz)
        case["dz_interval"] = (noncentral_interval(dz * np.sqrt(n), n - 1, level) / np.sqrt(n)).tolist()
        r, bounds = rank_biserial(diff, level)
        if abs(r) < 1:
            assert abs(r - pingouin.wilcoxon(x, y)["RBC"].iloc[0]) < 1e-12 or digits == 0
            case["rank_biserial"], case["rank_biserial_interval"] = float(r), [float(b) for b in bounds]
    cases.append(case)

with open("effect_scipy.json", "w") as f:
    json.dump(
        {"generator": f"gen_effect.py, scipy {scipy.__version__}, pingouin {pingouin.__version__}", "cases": cases}, f
    )
    f.write("\n")
