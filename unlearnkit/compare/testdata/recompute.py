# python3 recompute.py > recomputed.txt
# numpy, scipy, statsmodels
#
# The comparisons of graddiff and ascent with retain from OpenUnlearning's logs and from samples of
# lm-evaluation-harness, by numpy, scipy and statsmodels: paired t tests over questions or groups of ten questions,
# intervals, Holm's correction and two one-sided tests. The script writes recomputed.json, which the Go test reads, and
# prints the numbers. A mean that is 0 or 1 for all questions but one or two shows no variance; as package certify
# documents, the width of Wilson's interval for that number of questions is added on the open side.
import json
import os
import sys

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.multitest import multipletests

HERE = os.path.dirname(os.path.abspath(__file__))
MARGIN = 0.05
RATIOS = {"forget_truth_ratio": lambda r: np.minimum(r, 1 / (r + 1e-10))}
for name in ["retain_Truth_Ratio", "ra_Truth_Ratio", "wf_Truth_Ratio"]:
    RATIOS[name] = lambda r: np.maximum(0, 1 - r)


def openunlearning(path):
    """{metric: values} of the field that the evaluator averages"""
    values = {}
    with open(path) as f:
        log = json.load(f)
    for metric, entry in log.items():
        parts = {metric: entry} if "value_by_index" in entry else {
            f"{metric}/{part}": entry[part] for part in ["forget", "holdout"] if part in entry}
        for name, part in parts.items():
            field = {"ROUGE": "rougeL_recall", "Prob": "prob", "normalised": "prob"}.get(name.split("_")[-1], "score")
            index = part["value_by_index"]
            x = np.array([np.mean(index[i][field]) for i in sorted(index, key=int)])
            x = RATIOS.get(name, lambda r: r)(x)
            assert abs(x.mean() - part["agg_value"]) < 1e-5, name
            values[name] = x
    return values


def samples(path):
    with open(path) as f:
        lines = sorted((json.loads(line) for line in f), key=lambda s: s["doc_id"])
    return {f"authors/{m}": np.array([s[m] for s in lines]) for m in ["acc", "acc_norm"]}


def flat(x, units):
    """variance that a mean without observed variance may have, and whether the mean is nearly 0"""
    if x.min() < 0 or x.max() > 1:
        return None
    n = len(np.unique(units))
    above, below = len(np.unique(units[x > 0])), len(np.unique(units[x < 1]))
    for others in [above, below]:
        if others < 3 and 10 * others <= n:
            z = stats.norm.ppf(0.975)
            return (z / (n + z * z)) ** 2, x.mean() < 0.5
    return None


def compare(x, y, size):
    n = len(x)
    units = np.arange(n) // size if size else np.arange(n)
    d = x - y
    if np.ptp(d) == 0:
        return None
    difference = d.mean()
    groups = len(np.unique(units))
    sums = np.array([(d[units == u] - difference).sum() for u in np.unique(units)])
    variance = (sums ** 2).sum() * groups / (groups - 1) / n ** 2
    down = up = variance
    for values, sign in [(x, 1), (y, -1)]:
        extra = flat(values, units)
        if extra and (sign > 0) == extra[1]:
            up += extra[0]
        elif extra:
            down += extra[0]
    t = stats.t(groups - 1)
    lo, hi = difference - t.ppf(0.975) * np.sqrt(down), difference + t.ppf(0.975) * np.sqrt(up)
    above = t.sf(difference / np.sqrt(down))
    below = t.cdf(difference / np.sqrt(up))
    p = min(1, 2 * min(above, below))
    if not size and down == up == variance:  # scipy's own test
        test = stats.ttest_rel(x, y)
        interval = test.confidence_interval(0.95)
        assert np.allclose([lo, hi, p], [interval.low, interval.high, test.pvalue], rtol=1e-9, atol=1e-14)
    share = min(x.min(), y.min()) >= 0 and max(x.max(), y.max()) <= 1
    equivalence = None
    if share:
        equivalence = max(t.sf((difference + MARGIN) / np.sqrt(down)), t.cdf((difference - MARGIN) / np.sqrt(up)))
    return [difference, lo, hi, p, equivalence]


def report(what, run, read, file, size):
    x, y = read(os.path.join(HERE, run, file)), read(os.path.join(HERE, "retain", file))
    rows = {}
    for name in sorted(x):
        of_authors = not name.startswith(("ra_", "wf_"))
        row = compare(x[name], y[name], size if of_authors else 0)
        if row:
            rows[name] = row
    holm = multipletests([row[3] for row in rows.values()], method="holm")[1]
    print(what)
    out = {}
    for (name, row), adjusted in zip(rows.items(), holm):
        difference, lo, hi, p, equivalence = row
        print(f"  {name:24} {difference:+.6f} [{lo:+.6f}, {hi:+.6f}] p {p:.6g} Holm {adjusted:.6g} equivalence "
              + ("-" if equivalence is None else f"{equivalence:.6g}"))
        out[name] = {"difference": difference, "lo": lo, "hi": hi, "p": p, "p_adjusted": adjusted,
                     "equivalence_p": equivalence}
    return out


def main():
    print(f"python {sys.version.split()[0]}, numpy {np.__version__}, scipy {scipy.__version__}, "
          f"statsmodels {statsmodels.__version__}")
    out = []
    for run in ["graddiff", "ascent"]:
        for file, read, sizes in [("TOFU_EVAL.json", openunlearning, [0, 10]),
                                  ("samples_authors.jsonl", samples, [0])]:
            for size in sizes:
                what = f"{run} minus retain, {file}" + (f", groups of {size}" if size else "")
                out.append({"run": run, "file": file, "group_size": size,
                            "metrics": report(what, run, read, file, size)})
    with open(os.path.join(HERE, "recomputed.json"), "w") as f:
        json.dump(out, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main()
