"""Writes claims.csv: claims of the preset mini recomputed from the shipped Parquet files.

It shares no code with the study: means over worlds, Student's t by scipy, slopes by numpy, correlations on Fisher's
scale by the delta method. Made with pandas 3.1, numpy 2.4 and scipy 1.17 by

    python gen_claims.py ../../../../data/results/remem/mini > claims.csv
"""

import csv
import sys

import numpy as np
import pandas as pd
from scipy import stats

base = sys.argv[1]
METHODS = {"GA": "gradient-ascent", "GD": "gradient-difference", "KL": "kl", "DPO": "dpo", "NPO": "npo"}
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["claim", "statistic", "p"])


def write(claim, values, tests=1):
    """One number a world, two-sided against 0; a failure among several conditions is one of so many."""
    values = np.asarray(values)
    t = stats.ttest_1samp(values, 0)
    out.writerow([claim, f"{values.mean():.6f}", f"{min(1, tests * t.pvalue):.8f}"])


taught = pd.read_parquet(f"{base}/answers/taught.parquet")
taught = taught[taught.asked == "own"]
worlds = sorted(taught.world.unique())
answers = {}
for title, name in METHODS.items():
    d = pd.read_parquet(f"{base}/answers/{name}.parquet")
    answers[title] = d[d.bits.fillna(0) == 0]


def learnt(lesson, part, world):
    return taught[(taught.lesson == lesson) & (taught.part == part) & (taught.world == world)]


def em(method, size, world, part, hop=None):
    d = answers[method]
    d = d[(d["size"] == size) & (d.world == world) & (d.part == part) & (d.forget == 4)]
    return 100 * d[d.hop == hop].right.mean() if hop else 100 * d.right.mean()


def less(method, size, world, part):
    return em(method, size, world, part, "single") - em(method, size, world, part, "multi")


relearnt = pd.read_parquet(f"{base}/relearnt/all.parquet")


def gain(name, size, world):
    d = relearnt[(relearnt.method == name) & (relearnt["size"] == size) & (relearnt.world == world)]
    return 100 * (d[d.passes == 4].right.mean() - d[d.passes == 0].right.mean())


write("The shapes of others leave more than half of what they teach unlearnt",
      [50 - 100 * learnt("FIUBench", "train", w).right.mean() for w in worlds], tests=2)
counts = range(20, 201, 20)
write("More questions about a person teach more, on the whole",
      [np.polyfit(counts, [100 * learnt(f"{c}, 70 % single", "test", w).rouge.mean() for c in counts], 1)[0]
       for w in worlds])
write("More questions lower the perplexity up to 160, on the whole",
      [-np.polyfit(counts[:8], [np.exp(-learnt(f"{c}, 70 % single", "test", w).log_prob.mean())
                                for c in counts[:8]], 1)[0] for w in worlds])
for size in "SL":
    write(f"Other facts bring back more after NPO than to a model that never learnt, {size}",
          [gain("npo", size, w) - gain("gold", size, w) for w in worlds])
    write("Without the name more is lost of what is kept than of what is forgotten, on the mean of the methods, "
          + size,
          [np.mean([less(m, size, w, "retain") - less(m, size, w, "forget") for m in METHODS]) for w in worlds])
    write("Forgetting reaches unseen words and layouts: EM_t is below EM_f on the mean of the methods, " + size,
          [np.mean([em(m, size, w, "forget") - em(m, size, w, "test") for m in METHODS]) for w in worlds])
write("NPO leaves more in the larger model where the name is given",
      [em("NPO", "L", w, "forget", "single") - em("NPO", "S", w, "forget", "single") for w in worlds])
write("GD keeps more in the larger model where the name is given",
      [em("GD", "L", w, "retain", "single") - em("GD", "S", w, "retain", "single") for w in worlds])


def correlated(claim, size):
    """The correlation of EM_r and EM_f over five methods, of means over worlds, two-sided against 0."""
    points = np.array([[em(m, size, w, part) for w in worlds] for part in ("retain", "forget") for m in METHODS])

    def r(means):
        return np.corrcoef(means[:5], means[5:])[0, 1]

    middle, steps = points.mean(axis=1), 1e-4 * np.eye(10)
    slopes = np.array([(r(middle + s) - r(middle - s)) / 2e-4 for s in steps])
    error = np.sqrt((slopes @ points).var(ddof=1) / len(worlds))
    t = np.arctanh(r(middle)) * (1 - r(middle) ** 2) / error
    out.writerow([claim, f"{r(middle):.6f}", f"{2 * stats.t.sf(abs(t), len(worlds) - 1):.8f}"])


for size in "SL":
    correlated("Who keeps more leaves more: EM_r and EM_f rise together over the five methods, " + size, size)
strong = []
for score in ("right", "rouge"):
    z = [np.arctanh(np.corrcoef(counts, [learnt(f"{c}, 70 % single", "test", w)[score].mean() for c in counts])[0, 1])
         for w in worlds]
    strong.append((np.tanh(np.mean(z)) - .5, stats.ttest_1samp(z, np.arctanh(.5)).pvalue))
statistic, p = min(strong)[0], max(p for _, p in strong)
out.writerow(["The number of questions is strongly correlated with EM and ROUGE", f"{statistic:.6f}", f"{p:.8f}"])
