# python3 gen_kendall.py > kendall_scipy.json
# scipy 1.17.1, numpy 2.4.6
import json

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(19380601)
cases = []
for n in [2, 3, 4, 5, 8, 12, 33, 34, 50]:
    for digits in [3, 1, 0]:
        for slope in [0, 0.7]:
            x = np.round(rng.normal(size=n), digits)
            y = np.round(slope * x + rng.normal(size=n), digits)
            if len(set(x)) == 1 or len(set(y)) == 1:
                continue
            tied = len(set(x)) < n or len(set(y)) < n
            for alternative in (["two-sided", "less", "greater"] if n < 13 else ["two-sided"]):
                for method in ["auto"] + (["asymptotic"] if n > 2 else []) + ([] if tied or n > 60 else ["exact"]):
                    r = stats.kendalltau(x, y, method=method, alternative=alternative)
                    cases.append({"x": x.tolist(), "y": y.tolist(), "alternative": alternative, "method": method,
                                  "statistic": float(r.statistic), "p": float(r.pvalue)})
ordered = list(range(50))
for x, y in [(ordered, ordered), (ordered, ordered[::-1]), (ordered, [1, 0] + ordered[2:])]:
    r = stats.kendalltau(x, y)
    cases.append({"x": x, "y": y, "alternative": "two-sided", "method": "auto", "statistic": float(r.statistic),
                  "p": float(r.pvalue)})
print(json.dumps({"generator": f"python3 gen_kendall.py, scipy {scipy.__version__}, numpy {np.__version__}",
                  "kendall": cases}))
