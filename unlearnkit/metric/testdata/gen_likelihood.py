"""python testdata/gen_likelihood.py > testdata/likelihood_numpy.json

Perplexity, Min-k % probabilities and exposure ranks in numpy and scipy.stats.rankdata.
"""

import json
import math
from fractions import Fraction

import numpy as np
import scipy
from scipy.stats import rankdata


def main():
    rng = np.random.default_rng(20)
    tokens = []
    for n in [1, 2, 5, 9, 10, 11, 19, 20, 30, 31, 100]:
        for k in [5, 10, 20, 100]:
            logs = -rng.exponential(2, n)
            ordered = np.sort(logs)
            mean_tokens, geometric_tokens = max(1, math.ceil(Fraction(k * n, 100))), k * n // 100
            tokens.append(
                {
                    "log_probs": logs.tolist(),
                    "k": k,
                    "perplexity": float(np.exp(-logs.mean())),
                    "min_k": float(np.exp(ordered[:mean_tokens]).mean()),
                    "min_k_geometric": float(np.exp(ordered[:geometric_tokens].mean())) if geometric_tokens else None,
                }
            )
    ranks = []
    for i in range(40):
        n = int(rng.integers(2, 21))
        perplexities = rng.integers(1, 8, n).astype(float) if i % 2 else np.exp(rng.normal(size=n))
        truth = int(rng.integers(0, n))
        rank = int(rankdata(perplexities, method="min")[truth])
        ranks.append(
            {
                "perplexities": perplexities.tolist(),
                "truth": truth,
                "rank": rank,
                "last": int(rankdata(perplexities, method="max")[truth]),
                "exposure": (n - rank) / (n - 1) * 100,
            }
        )
    print(
        json.dumps(
            {
                "generator": f"python testdata/gen_likelihood.py; numpy {np.__version__}, scipy {scipy.__version__}",
                "tokens": tokens,
                "ranks": ranks,
            }
        )
    )


main()
