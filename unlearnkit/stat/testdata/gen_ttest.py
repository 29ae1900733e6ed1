# python testdata/gen_ttest.py > testdata/ttest_scipy.json
# t tests of scipy and two one-sided tests of statsmodels and pingouin on the sequences
# q(n, m, k)_j = ((j m + k) mod 10007) / 10007, j = 1..n, as x = xs q(n, xm, xk) + xo.
import json, warnings
import numpy as np, scipy, statsmodels, pingouin
from scipy import stats
from statsmodels.stats import weightstats

warnings.simplefilter("ignore")


def q(n, m, k):
    return ((np.arange(1, n + 1) * m + k) % 10007) / 10007


def case(nx, xs, xo, ny, ys, yo):
    return dict(nx=nx, xm=7919, xk=104729, xs=xs, xo=xo, ny=ny, ym=6007, yk=12345, ys=ys, yo=yo)


cases = [
    case(2, 1.0, 0.0, 2, 1.0, 0.0),
    case(3, 1.0, 0.0, 3, 2.0, 0.25),
    case(10, 1.0, 0.0, 10, 1.0, 0.125),
    case(30, 1.0, 0.0, 17, 1.0, -0.25),
    case(500, 1.0, 0.0, 500, 1.0, 0.03125),
    case(500, 1.0, 0.0, 80, 0.25, 0.5),
    case(500, 1.0, 0.0, 500, 1.0, 1.0),
    case(2000, 1.0, 0.0, 1500, 0.5, 1.0),
    case(1000, 1.0, 1000.0, 1000, 1.0, 1000.0625),
    case(4000, 1.0, 0.0, 4000, 1.0, 0.25),
    case(30468, 1.0, 0.0, 30468, 1.0, 0.0),
    case(30468, 1.0, 0.0, 15342, 0.5, 0.5),
    case(3, 1.0, 0.0, 40, 4.0, 0.0),
    case(1, 1.0, 2.0, 8, 1.0, 0.0),
]


def test(r, level=0.95):
    ci = r.confidence_interval(level)
    return dict(t=float(r.statistic), p=float(r.pvalue), df=float(r.df), lo=float(ci.low), hi=float(ci.high))


def number(v):
    return v if np.isfinite(v) else str(v)


out = []
for c in cases:
    x = c["xs"] * q(c["nx"], c["xm"], c["xk"]) + c["xo"]
    y = c["ys"] * q(c["ny"], c["ym"], c["yk"]) + c["yo"]
    for alternative in ["two-sided", "less", "greater"]:
        o = dict(c, alternative=alternative, ind=test(stats.ttest_ind(x, y, alternative=alternative)))
        if len(x) > 1:
            o["one"] = test(stats.ttest_1samp(x, c["xo"] + 0.5, alternative=alternative))
            o["welch"] = test(stats.ttest_ind(x, y, equal_var=False, alternative=alternative), 0.9)
        if len(x) == len(y):
            o["paired"] = test(stats.ttest_rel(x, y, alternative=alternative), 0.99)
        if alternative == "two-sided" and len(x) > 1:
            margin = 0.5
            p, low, high = weightstats.ttost_ind(x, y, -margin, margin, usevar="unequal")
            o["tost_welch"] = dict(
                p=float(p),
                low=[float(v) for v in low[:2]],
                high=[float(v) for v in high[:2]],
                df=float(low[2]),
                pingouin=float(pingouin.tost(x, y, bound=margin, correction=True)["pval"].iloc[0]),
            )
            if len(x) == len(y):
                p, low, high = weightstats.ttost_paired(x, y, -margin, margin)
                o["tost_paired"] = dict(
                    p=float(p),
                    low=[float(v) for v in low[:2]],
                    high=[float(v) for v in high[:2]],
                    df=float(low[2]),
                    pingouin=float(pingouin.tost(x, y, bound=margin, paired=True)["pval"].iloc[0]),
                )
        for k, v in o.items():
            if isinstance(v, dict):
                o[k] = {a: number(b) if isinstance(b, float) else b for a, b in v.items()}
        out.append(o)
print(
    json.dumps(
        dict(
            generator=f"testdata/gen_ttest.py: scipy {scipy.__version__}, statsmodels {statsmodels.__version__}, "
            f"pingouin {pingouin.__version__}",
            cases=out,
        ),
        indent=0,
    )
)
