# python testdata/gen_binomial.py > testdata/binomial_scipy.json
# Tests and intervals on counts: scipy.stats.binomtest and fisher_exact, statsmodels' mcnemar, proportion_confint,
# confint_proportions_2indep and tost_proportions_2indep; the score test of a risk difference from
# scipy.optimize.brentq.
import json, warnings
import numpy as np, scipy, statsmodels
from scipy import optimize, stats
from scipy.stats import contingency
from statsmodels.stats import proportion
from statsmodels.stats.contingency_tables import mcnemar

warnings.simplefilter("ignore")
alternatives = ["two-sided", "less", "greater"]


def number(v):
    v = float(v)
    return v if np.isfinite(v) else str(v)


binomial = []
for k, n, p in [
    (0, 1, 0.5),
    (3, 10, 0.5),
    (5, 10, 0.5),
    (7, 10, 0.3),
    (0, 10, 0.1),
    (10, 10, 0.9),
    (3, 10, 0.25),
    (13, 20, 0.25),
    (451, 1000, 0.5),
    (30, 1000, 0.01),
    (15234, 30468, 0.49),
    (15300, 30468, 0.5),
    (20000, 30468, 0.5),
    (500600, 1000000, 0.5),
    (1100, 1000000, 0.001),
    (5, 1000000, 0.000001),
    (5, 9, 0.0),
    (9, 9, 1.0),
    (999000, 1000000, 0.999),
    (500, 100000, 0.00625),
    (49990000, 100000000, 0.5),
    (49900000, 100000000, 0.5),
]:
    for a in alternatives:
        r = stats.binomtest(k, n, p, alternative=a)
        ci = r.proportion_ci(0.9)
        binomial.append(
            dict(k=k, n=n, under=p, alternative=a, p=number(r.pvalue), lo=number(ci.low), hi=number(ci.high))
        )

mc = []
for b, c in [
    (10, 25),
    (7, 7),
    (0, 5),
    (5, 0),
    (1, 0),
    (1200, 1310),
    (15000, 14500),
    (15000, 14000),
    (3, 90),
    (100, 900),
]:
    o = dict(b=b, c=c)
    for name, kw in dict(
        exact=dict(exact=True), corrected=dict(exact=False, correction=True), plain=dict(exact=False, correction=False)
    ).items():
        r = mcnemar([[5, b], [c, 9]], **kw)
        o[name] = dict(statistic=number(r.statistic), p=number(r.pvalue))
    n, k = b + c, min(b, c)
    o["midp"] = number(2 * stats.binom.cdf(k, n, 0.5) - stats.binom.pmf(k, n, 0.5)) if b != c else 1.0
    mc.append(o)

fisher = []
for t in [
    [[3, 1], [1, 3]],
    [[8, 2], [1, 5]],
    [[10, 0], [3, 7]],
    [[0, 4], [6, 2]],
    [[2, 0], [0, 3]],
    [[1, 24], [5, 16]],
    [[5, 16], [1, 24]],
    [[12, 5], [29, 2]],
    [[100, 200], [300, 250]],
    [[1500, 1400], [1400, 1500]],
    [[30, 9970], [60, 9940]],
    [[200, 14800], [900, 14400]],
    [[15000, 468], [14000, 1000]],
    [[6, 6], [6, 6]],
    [[0, 0], [3, 4]],
]:
    for a in alternatives:
        r = stats.fisher_exact(t, alternative=a)
        o = dict(table=t, alternative=a, odds=number(r.statistic), p=number(r.pvalue))
        if min(np.sum(t, 0)) > 0 and min(np.sum(t, 1)) > 0:
            c = contingency.odds_ratio(t, kind="conditional")
            ci = c.confidence_interval(0.95, a)
            o.update(conditional=number(c.statistic), lo=number(ci.low), hi=number(ci.high))
        fisher.append(o)

intervals = []
for k, n in [(0, 1), (1, 1), (0, 10), (10, 10), (3, 10), (1, 1000), (999, 1000), (15000, 30468), (2, 30468)]:
    for level in [0.95, 0.8, 0.999]:
        o = dict(k=k, n=n, level=level)
        for name in ["wilson", "beta"]:
            o[name] = [number(v) for v in proportion.proportion_confint(k, n, 1 - level, name)]
        intervals.append(o)


def score(k1, n1, k2, n2, margin, factor):
    """The score statistic at the root of the likelihood's derivative under p1 - p2 = margin."""

    def term(k, p):
        return 0.0 if k == 0 else k / p if p > 0 else np.inf

    def slope(p2):
        p1 = p2 + margin
        return term(k1, p1) - term(n1 - k1, 1 - p1) + term(k2, p2) - term(n2 - k2, 1 - p2)

    lo, hi = max(0.0, -margin), min(1.0, 1 - margin)
    lo, hi = lo + 1e-13 * (hi - lo), hi - 1e-13 * (hi - lo)
    p2 = lo if slope(lo) <= 0 else hi if slope(hi) >= 0 else optimize.brentq(slope, lo, hi, xtol=1e-17, rtol=1e-14)
    p1 = p2 + margin
    d = k1 / n1 - k2 / n2 - margin
    return 0.0 if d == 0 else d / np.sqrt(factor * (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2))


differences = []
for k1, n1, k2, n2 in [
    (56, 70, 48, 80),
    (9, 10, 3, 10),
    (0, 10, 0, 20),
    (10, 10, 0, 20),
    (5, 56, 0, 29),
    (450, 1000, 430, 900),
    (15000, 30468, 7700, 15342),
    (1, 100, 3, 100),
    (20, 20, 20, 20),
]:
    o = dict(
        k1=k1,
        n1=n1,
        k2=k2,
        n2=n2,
        newcombe=[number(v) for v in proportion.confint_proportions_2indep(k1, n1, k2, n2, method="newcomb")],
        tost=[],
    )
    for low, high in [(-0.1, 0.1), (-0.25, 0.05)]:
        for name, method in [("caffo", "agresti-caffo"), ("wald", "wald")]:
            r = proportion.tost_proportions_2indep(k1, n1, k2, n2, low, high, method=method)
            ci = proportion.confint_proportions_2indep(k1, n1, k2, n2, method=method, alpha=0.1)
            o["tost"].append(
                dict(
                    low=low,
                    high=high,
                    method=name,
                    p=number(r.pvalue),
                    statistic=number(r.statistic),
                    above=number(r.results_larger.pvalue),
                    below=number(r.results_smaller.pvalue),
                    lo=number(ci[0]),
                    hi=number(ci[1]),
                )
            )
        # statsmodels 0.15.0's own score test has count0*diff where Miettinen and Nurminen's cubic has nobs0*diff, and
        # so misses the maximum of the likelihood.
        for name, factor in [("score", (n1 + n2) / (n1 + n2 - 1)), ("farrington", 1.0)]:
            zl, zh = score(k1, n1, k2, n2, low, factor), score(k1, n1, k2, n2, high, factor)
            above, below, d, q = stats.norm.sf(zl), stats.norm.cdf(zh), k1 / n1 - k2 / n2, stats.norm.isf(0.05)
            ci = [
                (
                    optimize.brentq(lambda m: score(k1, n1, k2, n2, m, factor) - s * q, *b, xtol=1e-15, rtol=1e-14)
                    if b[0] < b[1]
                    else d
                )
                for s, b in [(1, (-0.999, d)), (-1, (d, 0.999))]
            ]
            o["tost"].append(
                dict(
                    low=low,
                    high=high,
                    method=name,
                    p=max(above, below),
                    statistic=zl if above > below else zh,
                    above=above,
                    below=below,
                    lo=ci[0],
                    hi=ci[1],
                )
            )
    differences.append(o)

print(
    json.dumps(
        dict(
            generator=f"testdata/gen_binomial.py: scipy {scipy.__version__}, statsmodels {statsmodels.__version__}",
            binomial=binomial,
            mcnemar=mc,
            fisher=fisher,
            intervals=intervals,
            differences=differences,
        ),
        indent=0,
    )
)
