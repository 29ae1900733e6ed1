"""python testdata/gen_fid.py > testdata/fid_scipy.json

Fréchet distances by scipy.linalg.sqrtm as in pytorch-fid (np.cov, real part of the root), and by the eigenvalues of the
product of the covariances.
"""

import json

import numpy as np
import scipy
from scipy import linalg


def fid(m1, s1, m2, s2):
    root = linalg.sqrtm(s1 @ s2)
    return float(((m1 - m2) ** 2).sum() + np.trace(s1) + np.trace(s2) - 2 * np.trace(np.real(root)))


def fid_eigenvalues(m1, s1, m2, s2):
    values = np.linalg.eigvals(s1 @ s2)
    return float(((m1 - m2) ** 2).sum() + np.trace(s1) + np.trace(s2) - 2 * np.sqrt(np.maximum(values.real, 0)).sum())


def main():
    rng = np.random.default_rng(20)
    cases = []
    for name, m, n, d in [
        ("tall", 40, 30, 5),
        ("one column", 9, 12, 1),
        ("mixed", 6, 50, 9),
        ("rank deficient", 6, 5, 10),
    ]:
        x = rng.normal(size=(m, d)) @ rng.normal(size=(d, d))
        y = rng.normal(0.5, 1.5, size=(n, d))
        moments = [x.mean(0), np.atleast_2d(np.cov(x, rowvar=False)), y.mean(0), np.atleast_2d(np.cov(y, rowvar=False))]
        deficient = min(m, n) <= d
        cases.append(
            {
                "name": name,
                "x": x.tolist(),
                "y": y.tolist(),
                "mean1": moments[0].tolist(),
                "cov1": moments[1].tolist(),
                "mean2": moments[2].tolist(),
                "cov2": moments[3].tolist(),
                "deficient": deficient,
                "sqrtm": fid(*moments),
                "eigenvalues": fid_eigenvalues(*moments),
            }
        )
    print(
        json.dumps(
            {
                "generator": f"python testdata/gen_fid.py; scipy {scipy.__version__}, numpy {np.__version__}",
                "cases": cases,
            }
        )
    )


main()
