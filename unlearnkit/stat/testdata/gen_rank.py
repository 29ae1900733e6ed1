# python3 gen_rank.py > rank_scipy.json
# scipy 1.17.1, statsmodels 0.15.0, scikit-posthocs, numpy 2.4.6
import json
import warnings
import numpy as np
import scipy
import scikit_posthocs
import statsmodels
from scipy import stats
from statsmodels.stats.descriptivestats import sign_test

warnings.simplefilter("ignore")
rng = np.random.default_rng(20240607)
ALTERNATIVES = ["two-sided", "less", "greater"]


def sample(n, kind):
    """n values: continuous, coarse (many ties) or coarse and shifted."""
    x = rng.normal(size=n)
    if kind == "coarse":
        return np.round(x, 0)
    if kind == "shifted":
        return np.round(x * 2 + 1, 0) / 2
    return np.round(x, 4)


def numbers(x):
    return [float(v) for v in x]


def wilcoxon(x, y, **kw):
    r = stats.wilcoxon(x, y, **kw)
    case = {"x": numbers(x), "y": numbers(y), "statistic": float(r.statistic), "p": float(r.pvalue)}
    case.update({k: kw[k] for k in kw})
    if kw.get("method") == "asymptotic":
        case["z"] = float(r.zstatistic)
    return case


def wilcoxon_cases():
    cases = []
    for n in [1, 2, 3, 5, 8, 12, 13, 14, 25, 50, 51, 80]:
        for kind in ["continuous", "coarse", "shifted"]:
            x, y = sample(n, kind), sample(n, kind)
            if np.all(x == y):
                continue
            for a in ALTERNATIVES:
                cases.append(wilcoxon(x, y, alternative=a, method="auto"))
            for zero in ["wilcox", "pratt", "zsplit"]:
                cases.append(wilcoxon(x, y, zero_method=zero, method="auto"))
                for correction in [False, True]:
                    a = ALTERNATIVES[len(cases) % 3]
                    cases.append(
                        wilcoxon(x, y, zero_method=zero, correction=correction, alternative=a, method="asymptotic")
                    )
            if kind == "continuous":
                for a in ALTERNATIVES:
                    cases.append(wilcoxon(x, y, alternative=a, method="exact"))
    i = np.arange(1, 201)
    a, b = 1.0 + 37 * i % 101, 1.0 + 53 * i % 97
    for c in [False, True]:
        cases.append(wilcoxon(a, b, correction=c, method="auto"))
    return cases


def mannwhitney(x, y, **kw):
    r = stats.mannwhitneyu(x, y, **kw)
    case = {"x": numbers(x), "y": numbers(y), "statistic": float(r.statistic), "p": float(r.pvalue)}
    if "use_continuity" in kw:
        case["correction"] = kw.pop("use_continuity")
    case.update(kw)
    return case


def mannwhitney_cases():
    cases = []
    for n1, n2 in [(1, 1), (1, 5), (3, 4), (8, 8), (8, 30), (40, 7), (9, 9), (20, 35), (70, 60)]:
        for kind in ["continuous", "coarse", "shifted"]:
            x, y = sample(n1, kind), sample(n2, kind)
            if len(set(x) | set(y)) == 1:
                continue
            for a in ALTERNATIVES:
                cases.append(mannwhitney(x, y, alternative=a, method="auto"))
                cases.append(mannwhitney(x, y, alternative=a, method="asymptotic", use_continuity=False))
                if kind == "continuous":
                    cases.append(mannwhitney(x, y, alternative=a, method="exact"))
    return cases


def mannwhitney_permutation_cases():
    """Tied samples against scipy's own enumeration of all splits."""
    cases = []
    for n1, n2 in [(2, 3), (4, 6), (6, 6), (7, 5)]:
        x, y = sample(n1, "coarse"), sample(n2, "shifted")
        for a in ALTERNATIVES:
            r = stats.mannwhitneyu(x, y, alternative=a, method=stats.PermutationMethod(n_resamples=10**6))
            cases.append(
                {
                    "x": numbers(x),
                    "y": numbers(y),
                    "alternative": a,
                    "method": "exact",
                    "statistic": float(r.statistic),
                    "p": float(r.pvalue),
                }
            )
    return cases


def sign_cases():
    cases = []
    for n in [1, 4, 9, 30, 101]:
        for kind in ["continuous", "coarse"]:
            x, y = sample(n, kind), sample(n, kind) + 0.25 * (kind == "continuous")
            if np.all(x == y):
                continue
            m, p = sign_test(x - y)
            cases.append({"x": numbers(x), "y": numbers(y), "statistic": float(m), "p": float(p)})
    return cases


def coin_cases():
    return [
        {"k": k, "n": n, "p": float(stats.binom.cdf(k, n, 0.5))}
        for k, n in [(0, 1), (3, 10), (480, 1000), (49_000, 100_000), (40_000, 100_000), (15_000, 30_468)]
    ]


def friedman_cases():
    cases = []
    for k, n in [(3, 1), (3, 4), (3, 10), (4, 7), (5, 30), (9, 12)]:
        for kind in ["continuous", "coarse"]:
            columns = np.array([sample(n, kind) + 0.3 * j for j in range(k)])
            if kind == "coarse":
                columns = np.round(columns)
            r = stats.friedmanchisquare(*columns)
            ranks = stats.rankdata(columns, axis=0).mean(axis=1)
            chi2 = float(r.statistic)
            case = {
                "columns": [numbers(c) for c in columns],
                "statistic": chi2,
                "p": float(r.pvalue),
                "averageRanks": numbers(ranks),
                "nemenyi": scikit_posthocs.posthoc_nemenyi_friedman(columns.T).values.tolist(),
            }
            if n > 1:
                f = (n - 1) * chi2 / (n * (k - 1) - chi2)
                case["imanDavenport"] = float(f)
                case["fp"] = float(stats.f.sf(f, k - 1, (k - 1) * (n - 1)))
            cases.append(case)
    return cases


def range_cases():
    return [
        {"q": q, "k": k, "p": float(stats.studentized_range.sf(q, k, np.inf))}
        for k in [2, 3, 5, 10, 30]
        for q in [0.05, 0.5, 1.0, 2.0, 3.5, 5.0]
    ]


json.dump(
    {
        "generator": f"python3 gen_rank.py, scipy {scipy.__version__}, statsmodels {statsmodels.__version__}, "
        f"scikit-posthocs {scikit_posthocs.__version__}, numpy {np.__version__}",
        "wilcoxon": wilcoxon_cases(),
        "mannWhitney": mannwhitney_cases(),
        "mannWhitneyPermutation": mannwhitney_permutation_cases(),
        "sign": sign_cases(),
        "fairCoin": coin_cases(),
        "friedman": friedman_cases(),
        "normalRange": range_cases(),
    },
    open(1, "w"),
    allow_nan=False,
)
