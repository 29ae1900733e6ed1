"""Writes effect_noncentralt.json: python gen_effect_noncentralt.py (mpmath 1.4.1).

The tails of the noncentral t distribution by adaptive quadrature with 30 digits, over the density of S.
"""
import json

import mpmath as mp

mp.mp.dps = 30


def tails(t, nu, delta):
    t, nu, delta = mp.mpf(t), mp.mpf(nu), mp.mpf(delta)
    log_constant = mp.log(2) + nu / 2 * mp.log(nu / 2) - mp.loggamma(nu / 2)
    density = lambda s: mp.exp(log_constant + (nu - 1) * mp.log(s) - nu * s * s / 2)
    spread = 1 / mp.sqrt(2 * nu)
    points = sorted({max(mp.mpf(0), 1 + k * spread) for k in range(-24, 25, 2)})
    if t != 0 and delta / t > 0:  # the step of the normal tail
        step = [delta / t + k / abs(t) for k in range(-12, 13, 2)]
        points = sorted(set(points) | {p for p in step if 0 < p < points[-1]})
    if points[0] > 0:
        points = [max(mp.mpf(0), points[0] - 10 * spread)] + points
    half = lambda x: mp.erfc(x / mp.sqrt(2)) / 2
    lower = mp.quad(lambda s: half(delta - t * s) * density(s) if s > 0 else mp.mpf(0), points)
    upper = mp.quad(lambda s: half(t * s - delta) * density(s) if s > 0 else mp.mpf(0), points)
    assert abs(lower + upper - 1) < mp.mpf(10) ** -18, (t, nu, delta, lower + upper)
    return float(lower), float(upper)


rows = []
for nu in [1, 2, 5.5, 9, 29, 200, 30000, 1e6]:
    for delta in [-5, 0, 0.3, 2.8, 10, 19.9, 21, 45, 200]:
        for q in [-4, -2, 0, 1, 3]:
            t = delta + q * (1 + delta * delta / (2 * nu)) ** 0.5
            lower, upper = tails(t, nu, delta)
            rows.append({"nu": nu, "delta": delta, "t": t, "lower": lower, "upper": upper})
with open("effect_noncentralt.json", "w") as f:
    json.dump({"generator": f"gen_effect_noncentralt.py, mpmath {mp.__version__}", "rows": rows}, f)
    f.write("\n")
