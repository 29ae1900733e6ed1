# Makes stat.json with scipy and statsmodels: python gen_stat.py, in this folder.
import json
import numpy as np, pandas, scipy, statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.weightstats import ttost_paired, ttost_ind
from statsmodels.stats.descriptivestats import sign_test

d = pandas.read_csv("../../../docs/examples/scores.csv")
x, y, z = d["ours"].to_numpy(), d["gold"].to_numpy(), d["theirs"].to_numpy()
a, b = d["ours_right"].to_numpy(), d["gold_right"].to_numpy()
cross = [[int(((a == i) & (b == j)).sum()) for j in (1, 0)] for i in (1, 0)]
XY = ["--x", "ours", "--y", "gold"]
RIGHT = ["--x", "ours_right", "--y", "gold_right"]
cases = []


def add(args, p, statistic=None):
    cases.append(
        {
            "args": args,
            "statistic": None if statistic is None else float(statistic),
            "p": None if p is None else float(p),
        }
    )


for alternative in ("two-sided", "less", "greater"):
    option = [] if alternative == "two-sided" else ["--alternative", alternative]
    r = stats.wilcoxon(x, y, alternative=alternative)
    add(["wilcoxon", *XY, *option], r.pvalue, r.statistic)
    r = stats.mannwhitneyu(x, y, alternative=alternative)
    add(["mannwhitney", *XY, *option], r.pvalue, r.statistic)
    r = stats.ks_2samp(x, y, alternative=alternative)
    add(["ks", *XY, *option], r.pvalue, r.statistic)
    r = stats.kstest(x, "uniform", alternative=alternative)
    add(["ks1", "--x", "ours", "--cdf", "uniform", *option], r.pvalue, r.statistic)
    r = stats.ttest_rel(x, y, alternative=alternative)
    add(["ttest-paired", *XY, *option], r.pvalue, r.statistic)
    r = stats.ttest_1samp(x, 0.68, alternative=alternative)
    add(["ttest-1", "--x", "ours", "--mu", ".68", *option], r.pvalue, r.statistic)
    r = stats.ttest_ind(x, y, alternative=alternative)
    add(["ttest-ind", *XY, *option], r.pvalue, r.statistic)
    r = stats.ttest_ind(x, y, equal_var=False, alternative=alternative)
    add(["welch", *XY, *option], r.pvalue, r.statistic)
    r = stats.binomtest(int(a.sum()), len(a), 0.75, alternative=alternative)
    add(["binomial", "--x", "ours_right", "--mu", ".75", *option], r.pvalue)
    r = stats.fisher_exact(cross, alternative=alternative)
    add(["fisher", *RIGHT, *option], r.pvalue)
r = stats.wilcoxon(x, y, correction=True)
add(["wilcoxon", *XY, "--correction"], r.pvalue, r.statistic)
r = stats.mannwhitneyu(x, y, use_continuity=False)
add(["mannwhitney", *XY, "--correction=false"], r.pvalue, r.statistic)
r = stats.ks_2samp(x, y, method="asymp")
add(["ks", *XY, "--method", "asymptotic"], r.pvalue, r.statistic)
r = mcnemar(cross)
add(["mcnemar", *RIGHT], r.pvalue, r.statistic)
r = mcnemar(cross, exact=False)
add(["mcnemar", *RIGHT, "--exact=false"], r.pvalue, r.statistic)
r = mcnemar(cross, exact=False, correction=False)
add(["mcnemar", *RIGHT, "--exact=false", "--correction=false"], r.pvalue, r.statistic)
_, p = sign_test(x - y)
add(["sign", *XY], p)
add(["tost-paired", *XY, "--margin", ".02"], ttost_paired(x, y, -0.02, 0.02)[0])
add(["tost-welch", *XY, "--margin", ".03"], ttost_ind(x, y, -0.03, 0.03, usevar="unequal")[0])
r = stats.friedmanchisquare(x, z, y)
add(["friedman", "--columns", "ours,theirs,gold"], r.pvalue, r.statistic)
with open("stat.json", "w") as f:
    json.dump(
        {
            "generator": f"gen_stat.py with scipy {scipy.__version__}, statsmodels {statsmodels.__version__}, numpy {np.__version__}",
            "cases": cases,
        },
        f,
        indent=1,
    )
    f.write("\n")
