# python testdata/gen_multiple.py > testdata/multiple_statsmodels.json
# statsmodels' multipletests on sequences with ties, zeros and ones.
import json
import numpy as np, statsmodels
from statsmodels.stats.multitest import multipletests

families = [
    [0.01],
    [0.04, 0.03, 0.02, 0.01],
    [0.5, 0.5, 0.01, 0.0, 1.0, 0.01],
    [0.001, 0.012, 0.013, 0.02, 0.6, 0.7],
    [1e-300, 1e-20, 0.04, 0.05],
    (((np.arange(1, 101) * 7919 + 104729) % 10007) / 10007).round(6).tolist(),
    ((((np.arange(1, 61) * 6007 + 12345) % 10007) / 10007) ** 4).tolist(),
]
out = []
for p in families:
    o = dict(p=p)
    for name, method in dict(
        bonferroni="bonferroni", holm="holm", hochberg="simes-hochberg", bh="fdr_bh", by="fdr_by"
    ).items():
        o[name] = multipletests(p, method=method)[1].tolist()
    out.append(o)
print(json.dumps(dict(generator=f"testdata/gen_multiple.py: statsmodels {statsmodels.__version__}", cases=out)))
