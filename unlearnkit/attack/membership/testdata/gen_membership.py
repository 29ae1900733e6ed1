# Makes curves.json and lira.json: python testdata/gen_membership.py
# needs confidenceinterval 1.0.5 (DeLong), numpy 2.4.6, scikit-learn 1.9.1, scipy 1.17.1, statsmodels 0.15.0
import json, pathlib
import numpy, scipy, sklearn, statsmodels
from confidenceinterval import roc_auc_score as delong
from scipy.stats import beta, norm, t
from sklearn.metrics import roc_auc_score, roc_curve
from statsmodels.stats.proportion import proportion_confint

random = numpy.random.default_rng(11)
here = pathlib.Path(__file__).parent
LIMITS = [0.001, 0.01, 0.1]


def delong_by_pairs(x, y):
    """DeLong, DeLong and Clarke-Pearson (1988) in double precision, by every pair of examples."""
    psi = (x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :])
    return float(numpy.sqrt(psi.mean(axis=1).var(ddof=1) / len(x) + psi.mean(axis=0).var(ddof=1) / len(y)))


def obuchowski(scores, member, groups):
    """Obuchowski (1997), Nonparametric analysis of clustered ROC curve data, by every pair of examples."""
    x, y = scores[member], scores[~member]
    gx, gy = groups[member], groups[~member]
    psi = (x[:, None] > y[None, :]) + 0.5 * (x[:, None] == y[None, :])
    area, v10, v01 = psi.mean(), psi.mean(axis=1), psi.mean(axis=0)
    s10 = s01 = s11 = 0.0
    for g in sorted(set(groups)):
        a = v10[gx == g].sum() - (gx == g).sum() * area
        b = v01[gy == g].sum() - (gy == g).sum() * area
        s10, s01, s11 = s10 + a * a, s01 + b * b, s11 + a * b
    i10, i01, i = len(set(gx)), len(set(gy)), len(set(groups))
    m, n = len(x), len(y)
    s10 *= i10 / ((i10 - 1) * m)
    s01 *= i01 / ((i01 - 1) * n)
    s11 *= i / (i - 1)
    return float(numpy.sqrt(s10 / m + s01 / n + 2 * s11 / (m * n)))


def korn_graubard(taken, groups):
    """Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive counts."""
    n, p, names = len(taken), taken.mean(), sorted(set(groups))
    k = len(names)
    if p in (0, 1):
        effective = float(k)
    else:
        totals = numpy.array([(taken[groups == g] - p).sum() for g in names])
        variance = k / (k - 1) * (totals**2).sum() / n**2
        effective = min(n, p * (1 - p) / variance * (t.ppf(0.975, n - 1) / t.ppf(0.975, k - 1)) ** 2)
    a, b = p * effective, (1 - p) * effective
    return [0.0 if p == 0 else float(beta.ppf(0.025, a, b + 1)), 1.0 if p == 1 else float(beta.ppf(0.975, a + 1, b))]


def curve(name, x, y, gx=None, gy=None):
    scores = numpy.concatenate([x, y])
    member = numpy.repeat([True, False], [len(x), len(y)])
    area, (lo, hi) = delong(member.astype(int).tolist(), scores.tolist())
    assert abs(area - roc_auc_score(member, scores)) < 1e-5  # confidenceinterval works in single precision
    out = {
        "name": name,
        "scores": scores.tolist(),
        "member": member.tolist(),
        "auc": float(roc_auc_score(member, scores)),
        "lo": float(max(0, lo)),
        "hi": float(min(1, hi)),
        "se": delong_by_pairs(x, y),
        "rates": [],
    }
    fpr, tpr, thresholds = roc_curve(member, scores, drop_intermediate=False)
    if len(y) < 500:  # the corners of the others are enough for the whole curve
        out["fpr"], out["tpr"] = fpr.tolist(), tpr.tolist()
    groups = None
    if gx is not None:
        groups = numpy.concatenate([gx, gy])
        out["groups"] = groups.tolist()
        out["group_se"] = obuchowski(scores, member, groups)
    for limit in LIMITS:
        at = numpy.where(fpr <= limit)[0][-1]
        taken = scores >= thresholds[at]
        rate = {"limit": limit, "tpr": float(tpr[at]), "fpr": float(fpr[at])}
        for what, of in (("tpr", member), ("fpr", ~member)):
            if groups is None:
                interval = proportion_confint(int(taken[of].sum()), int(of.sum()), method="beta")
            else:
                interval = korn_graubard(taken[of].astype(float), groups[of])
            rate[what + "_interval"] = [float(numpy.nan_to_num(v, nan=d)) for v, d in zip(interval, (0.0, 1.0))]
        out["rates"].append(rate)
    return out


def people(prefix, count, least, most):
    """Groups with an effect of their own and the groups' names."""
    names, effects = [], []
    for i in range(count):
        size = int(random.integers(least, most))
        names += [f"{prefix}{i}"] * size
        effects += [random.normal()] * size
    return numpy.array(names), numpy.array(effects)


def grouped(name, members, others):
    (gx, ex), (gy, ey) = members, others
    x = numpy.round(0.7 + 0.6 * ex + random.normal(size=len(ex)), 3)
    y = numpy.round(0.6 * ey + random.normal(size=len(ey)), 3)
    return curve(name, x, y, gx, gy)


shared_names, shared_effects = people("both", 9, 6, 10)
half = numpy.arange(len(shared_names)) % 2 == 0
only, only_effects = people("member", 6, 3, 8)
curves = [
    curve("overlapping", numpy.round(random.normal(0.5, 1, 120), 4), numpy.round(random.normal(0, 1, 90), 4)),
    curve("ties", random.poisson(3, 60).astype(float), random.poisson(2, 75).astype(float)),
    curve("nearly apart", numpy.round(random.normal(3, 1, 40), 4), numpy.round(random.normal(0, 1, 50), 4)),
    curve("reversed", numpy.round(random.normal(-2, 1, 30), 4), numpy.round(random.normal(0, 1, 30), 4)),
    curve("enough for 0.1 %", numpy.round(random.normal(1, 1, 25), 3), numpy.round(random.normal(0, 1, 1000), 3)),
    grouped("speakers of their own", people("a", 12, 4, 12), people("b", 15, 4, 12)),
    grouped(
        "speakers in both",
        (numpy.concatenate([shared_names[half], only]), numpy.concatenate([shared_effects[half], only_effects])),
        (shared_names[~half], shared_effects[~half]),
    ),
]
versions = {
    "confidenceinterval": "1.0.5",
    "numpy": numpy.__version__,
    "scikit-learn": sklearn.__version__,
    "scipy": scipy.__version__,
    "statsmodels": statsmodels.__version__,
}
(here / "curves.json").write_text(json.dumps({"generator": versions, "cases": curves}) + "\n")


def lira(name, examples, models, online, shared):
    """Carlini et al. (2022), Membership inference attacks from first principles, algorithm 1 and section IV-D."""
    member = random.random((models, examples)) < 0.5
    member[:2] = [[True] * examples, [False] * examples]
    member[2:4] = [[True] * examples, [False] * examples]
    difficulty = random.normal(2, 2, examples)
    logits = difficulty + 1.5 * member + random.normal(0, 0.8, (models, examples))
    losses = numpy.log1p(numpy.exp(-logits))
    truth = numpy.arange(examples) % 2 == 0
    target = numpy.log1p(numpy.exp(-(difficulty + 1.5 * truth + random.normal(0, 0.8, examples))))

    def phi(loss):
        p = numpy.exp(-numpy.asarray(loss, dtype=numpy.longdouble))
        return (numpy.log(p) - numpy.log1p(-p)).astype(float)

    def deviations(sets):
        if not shared:
            return [numpy.std(s, ddof=1) for s in sets]
        squares = sum(((s - s.mean()) ** 2).sum() for s in sets)
        return [numpy.sqrt(squares / sum(len(s) - 1 for s in sets))] * len(sets)

    inside = [phi(losses[member[:, i], i]) for i in range(examples)]
    outside = [phi(losses[~member[:, i], i]) for i in range(examples)]
    sd_in, sd_out = deviations(inside), deviations(outside)
    scores = []
    for i in range(examples):
        x = phi(target[i])
        if online:
            scores.append(norm.logpdf(x, inside[i].mean(), sd_in[i]) - norm.logpdf(x, outside[i].mean(), sd_out[i]))
        else:
            scores.append((x - outside[i].mean()) / sd_out[i])
    out = {
        "name": name,
        "online": online,
        "shared": shared,
        "target": target.tolist(),
        "losses": losses.tolist(),
        "member": member.tolist(),
        "scores": [float(s) for s in scores],
    }
    if not online:  # the paper's own score, which orders the examples alike
        out["one_minus_p"] = [float(1 - norm.sf(s)) for s in scores]
    return out


cases = [
    lira("online, own variances", 12, 70, True, False),
    lira("online, one variance", 15, 16, True, True),
    lira("offline, own variances", 12, 66, False, False),
    lira("offline, one variance", 15, 8, False, True),
]
confidence = [
    {"loss": loss, "logit": float(-numpy.log(numpy.expm1(numpy.longdouble(loss))))}
    for loss in (1e-300, 1e-20, 5e-8, 1e-3, 0.1, 0.6931471805599453, 1.0, 1.5, 20.0, 700.0, 5000.0)
]
(here / "lira.json").write_text(json.dumps({"generator": versions, "cases": cases, "confidence": confidence}) + "\n")
