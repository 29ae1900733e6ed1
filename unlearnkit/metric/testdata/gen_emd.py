"""python testdata/gen_emd.py > testdata/emd_pot.json

Earth mover's distances by POT's ot.emd2 and by scipy.optimize.linprog (HiGHS), and on the line by
scipy.stats.wasserstein_distance.
"""

import json

import numpy as np
import ot
import scipy
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance


def linear_programme(p, q, cost):
    m, n = cost.shape
    rows = np.zeros((m + n, m * n))
    for i in range(m):
        rows[i, i * n : (i + 1) * n] = 1
    for j in range(n):
        rows[m + j, j::n] = 1
    return float(linprog(cost.ravel(), A_eq=rows[:-1], b_eq=np.concatenate([p, q])[:-1], method="highs").fun)


def masses(rng, n, kind):
    if kind == "integers":
        m = rng.integers(0, 5, n).astype(float)
        m[0] += 1
    else:
        m = rng.random(n)
        if kind == "holes":
            m[rng.random(n) < 0.3] = 0
            m[0] += 0.1
    return m / m.sum()


def main():
    rng = np.random.default_rng(20)
    general, line = [], []
    for i in range(60):
        m, n = (int(v) for v in rng.integers(1, 16, 2))
        kind = ["dense", "holes", "integers"][i % 3]
        p, q = masses(rng, m, kind), masses(rng, n, kind)
        cost = rng.integers(0, 6, (m, n)).astype(float) if i % 4 == 0 else rng.random((m, n)) * 10
        general.append(
            {
                "p": p.tolist(),
                "q": q.tolist(),
                "cost": cost.tolist(),
                "pot": float(ot.emd2(p, q, cost)),
                "linprog": linear_programme(p, q, cost),
            }
        )
    for i in range(60):
        m, n = (int(v) for v in rng.integers(1, 20, 2))
        u, v = (np.round(rng.normal(size=k) * 3, 1 if i % 2 else 12) for k in (m, n))
        p, q = masses(rng, m, "dense"), masses(rng, n, "holes")
        line.append(
            {
                "u": u.tolist(),
                "p": p.tolist(),
                "v": v.tolist(),
                "q": q.tolist(),
                "weighted": float(wasserstein_distance(u, v, p, q)),
                "even": float(wasserstein_distance(u, v)),
            }
        )
    generator = f"python testdata/gen_emd.py; POT {ot.__version__}, scipy {scipy.__version__}"
    print('{"generator": ' + json.dumps(generator) + ', "general": [')
    print(",\n".join(map(json.dumps, general)))
    print('], "line": [')
    print(",\n".join(map(json.dumps, line)))
    print("]}")


main()
