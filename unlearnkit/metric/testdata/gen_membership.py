# Makes membership_sklearn.json: python testdata/gen_membership.py   (scikit-learn 1.9.1, numpy 2.4.6)
# The attack of UnSLU-BENCH as cross_val_score over StratifiedShuffleSplit, on splits that are written out.
import json, pathlib
import numpy, sklearn
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_score

random = numpy.random.default_rng(3)


def case(name, members, others):
    m = min(len(members), len(others))
    losses = numpy.round(numpy.concatenate([members[:m], others[:m]]), 4)
    labels = numpy.repeat([True, False], m)
    order = random.permutation(2 * m)
    losses, labels = losses[order], labels[order]
    splits = list(StratifiedShuffleSplit(n_splits=10, test_size=0.1, random_state=0).split(losses[:, None], labels))
    features = losses[:, None]
    scores = cross_val_score(
        LogisticRegression(tol=1e-12, max_iter=10000), features, labels, cv=splits, scoring="accuracy"
    )
    # what the attack gets whose code leaves every setting of the library as it is
    unset = cross_val_score(LogisticRegression(), features, labels, cv=splits, scoring="accuracy")
    fits = [LogisticRegression(solver="newton-cholesky", tol=1e-12).fit(features[a], labels[a]) for a, _ in splits]
    return {
        "name": name,
        "losses": losses.tolist(),
        "member": labels.tolist(),
        "splits": [{"train": a.tolist(), "test": b.tolist()} for a, b in splits],
        "scores": scores.tolist(),
        "mia": float(scores.mean()),
        "unset": unset.tolist(),
        "weights": [float(f.coef_[0, 0]) for f in fits],
        "intercepts": [float(f.intercept_[0]) for f in fits],
    }


cases = [
    case("memorised", random.exponential(0.3, 60), random.exponential(1.0, 90)),
    case("nothing to see", random.exponential(1, 41), random.exponential(1, 47)),
    case("destroyed", random.normal(9, 1, 30), random.exponential(1, 30)),
    case("tiny losses", random.exponential(1e-2, 35), random.exponential(2e-2, 35)),
    case("overlapping", random.gamma(1.5, 0.5, 100), random.gamma(2.0, 0.5, 100)),
    case("unequal lengths", random.exponential(0.6, 25), random.exponential(1.0, 400)),
    case("well apart", random.exponential(0.01, 50), random.normal(4, 0.5, 50)),
    case("destroyed with losses of 20", random.normal(20, 2, 45), random.exponential(0.8, 60)),
    case(
        "half of it destroyed",
        numpy.concatenate([random.normal(20, 2, 20), random.exponential(0.3, 20)]),
        random.exponential(0.8, 40),
    ),
]
out = {
    "generator": f"python testdata/gen_membership.py, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}",
    "cases": cases,
}
pathlib.Path(__file__).with_name("membership_sklearn.json").write_text(json.dumps(out) + "\n")
