"""Writes power_statsmodels.json: python gen_power.py (statsmodels 0.15.0, scipy 1.17.1)."""
import json

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.power import NormalIndPower, TTestIndPower, TTestPower
from statsmodels.stats.proportion import proportion_effectsize

names = {"two-sided": "two-sided", "less": "smaller", "greater": "larger"}
rows = []


def add(function, power, **arguments):
    if not np.isfinite(power):  # scipy's nct gives up on some tails below 1e-16
        print("left out:", function, arguments)
        return
    rows.append({"function": function, "power": float(power), **arguments})


for alternative, sm in names.items():
    sign = -1 if alternative == "less" else 1
    for level in [0.95, 0.99]:
        alpha = 1 - level
        for n in [2, 3, 10, 34, 500]:
            for d in [0.0, 0.1, 0.5, 1.2]:
                add("t-paired", TTestPower().power(sign * d, n, alpha, alternative=sm),
                    n=n, effect=sign * d, level=level, alternative=alternative)
                m = 2 * n + 1
                add("t-ind", TTestIndPower().power(sign * d, n, alpha, ratio=m / n, alternative=sm),
                    n=n, m=m, effect=sign * d, level=level, alternative=alternative)
        for n, m, p, q in [(20, 20, 0.5, 0.8), (50, 80, 0.1, 0.12), (300, 200, 0.95, 0.9)]:
            h = proportion_effectsize(p, q)
            add("arcsine", NormalIndPower().power(h, n, alpha, ratio=m / n, alternative=sm),
                n=n, m=m, p=p, q=q, level=level, alternative=alternative)
        for n, p, p0 in [(1, 0.9, 0.5), (10, 0.8, 0.5), (25, 0.7, 0.5), (40, 0.2, 0.35), (30, 0.05, 0.1)]:
            power = sum(
                stats.binom.pmf(k, n, p) for k in range(n + 1)
                if stats.binomtest(k, n, p0, alternative=alternative).pvalue <= alpha)
            add("binomial", power, n=n, p=p, q=p0, level=level, alternative=alternative)
        for n, p, q in [(5, 0.6, 0.1), (20, 0.3, 0.1), (60, 0.15, 0.05), (60, 0.05, 0.15)]:
            power = 0.0
            for b in range(n + 1):
                for c in range(n - b + 1):
                    if b + c > 0 and stats.binomtest(b, b + c, 0.5, alternative=alternative).pvalue <= alpha:
                        power += stats.multinomial.pmf([b, c, n - b - c], n, [p, q, 1 - p - q])
            add("mcnemar", power, n=n, p=p, q=q, level=level, alternative=alternative)

sizes = []
for power in [0.5, 0.8, 0.95]:
    for d in [0.2, 0.5, 1.5]:
        sizes.append({"function": "t-paired", "power": power, "effect": d,
                      "n": float(TTestPower().solve_power(d, None, 0.05, power))})
        sizes.append({"function": "t-ind", "power": power, "effect": d,
                      "n": float(TTestIndPower().solve_power(d, None, 0.05, power))})
    sizes.append({"function": "arcsine", "power": power, "p": 0.6, "q": 0.7,
                  "n": float(NormalIndPower().solve_power(proportion_effectsize(0.6, 0.7), None, 0.05, power))})
with open("power_statsmodels.json", "w") as f:
    json.dump({"generator": f"gen_power.py, statsmodels {statsmodels.__version__}, scipy {scipy.__version__}",
               "rows": rows, "sizes": sizes}, f)
    f.write("\n")
