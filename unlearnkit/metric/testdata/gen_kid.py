"""python testdata/gen_kid.py > testdata/kid_numpy.json

Kernel Inception Distances in numpy: the unbiased estimate by explicit masks, subsets by the formula of torchmetrics'
image.kid.maximum_mean_discrepancy, and the growing pools built copy by copy.
"""

import json

import numpy as np


def kernel(x, y):
    return (x @ y.T / x.shape[1] + 1.0) ** 3


def unbiased(x, y):
    m, n = len(x), len(y)
    xx, yy = kernel(x, x), kernel(y, y)
    return float(
        xx[~np.eye(m, dtype=bool)].sum() / (m * (m - 1))
        + yy[~np.eye(n, dtype=bool)].sum() / (n * (n - 1))
        - 2 * kernel(x, y).mean()
    )


def torchmetrics(x, y):  # maximum_mean_discrepancy(k_xx, k_xy, k_yy)
    k_xx, k_xy, k_yy = kernel(x, x), kernel(x, y), kernel(y, y)
    m = k_xx.shape[0]
    kt_xx_sum = (k_xx.sum(axis=-1) - np.diag(k_xx)).sum()
    kt_yy_sum = (k_yy.sum(axis=-1) - np.diag(k_yy)).sum()
    return float((kt_xx_sum + kt_yy_sum) / (m * (m - 1)) - 2 * k_xy.sum() / m**2)


def main():
    rng = np.random.default_rng(20)
    x = np.abs(rng.normal(size=(24, 8)))
    y = np.abs(rng.normal(0.3, 1.2, size=(18, 8)))
    p = np.abs(rng.normal(0.1, 1, size=(5, 8)))
    of_x = [rng.permutation(24)[:10].tolist() for _ in range(30)]
    of_y = [rng.permutation(18)[:10].tolist() for _ in range(30)]
    values = [torchmetrics(x[a], y[b]) for a, b in zip(of_x, of_y)]
    real, fake, grown, reset, sampled, spread = [], [], [], [], [], []
    for image in p:
        copies = np.repeat(image[None], len(x), axis=0)
        real.append(x)
        fake.append(copies)
        pool_x, pool_p = np.concatenate(real), np.concatenate(fake)
        grown.append(unbiased(pool_x, pool_p))
        reset.append(torchmetrics(x, copies))
        draws = [
            torchmetrics(pool_x[rng.permutation(len(pool_x))[: len(x)]], pool_p[rng.permutation(len(pool_p))[: len(x)]])
            for _ in range(2000)
        ]
        sampled.append(float(np.mean(draws)))
        spread.append(float(np.std(draws, ddof=1) / np.sqrt(len(draws))))
    print(
        json.dumps(
            {
                "generator": f"python testdata/gen_kid.py; numpy {np.__version__}",
                "x": x.tolist(),
                "y": y.tolist(),
                "p": p.tolist(),
                "unbiased": unbiased(x, y),
                "of_x": of_x,
                "of_y": of_y,
                "values": values,
                "mean": float(np.mean(values)),
                "standard_error": float(np.std(values, ddof=1) / np.sqrt(len(values))),
                "grown": grown,
                "reset": reset,
                "sampled": sampled,
                "sampled_standard_error": spread,
            }
        )
    )


main()
