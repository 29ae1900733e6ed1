# Makes logistic_sklearn.json: python testdata/gen_logistic.py   (scikit-learn 1.9.1, numpy 2.4.6)
# Logistic regressions fitted to convergence, and association probes on given draws.
import json, pathlib, warnings
import numpy, sklearn
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("error")
random = numpy.random.default_rng(1)


def fit(features, labels, c, solver="lbfgs"):
    return LogisticRegression(C=c, solver=solver, tol=1e-12, max_iter=100000).fit(features, labels)


def case(name, features, labels, c, solver="lbfgs"):
    features = numpy.round(features, 3)
    model = fit(features, labels, c, solver)
    return {
        "name": name,
        "dim": features.shape[1],
        "c": c,
        "features": features.ravel().tolist(),
        "labels": [bool(y) for y in labels],
        "weights": model.coef_[0].tolist(),
        "intercept": float(model.intercept_[0]),
        "accuracy": float(model.score(features, labels)),
    }


def cases():
    y = random.random(60) < 0.5
    x = random.normal(size=(60, 1)) + y[:, None]
    yield case("one feature", x, y, 1)
    yield case("one feature, unequal classes", x, random.random(60) < 0.15, 1)
    yield case("separable", numpy.where(y, 3.0, -3.0)[:, None] + random.random((60, 1)), y, 1)
    yield case("large losses", numpy.exp(3 * random.normal(size=(60, 1))), y, 1)
    yield case("far from the origin", 50 + x, y, 1)
    z = random.normal(size=(50, 4)) * [1, 3, 0.1, 1]
    z[:, 3] = z[:, 0] + 0.01 * z[:, 3]
    yield case("four features, two nearly collinear", z, z @ [1, -0.5, 2, 0] + random.normal(size=50) > 0.3, 0.5)
    # lbfgs stops 1e-6 short of the minimum here.
    yield case("hardly penalised", z, z @ [1, -0.5, 2, 0] + random.normal(size=50) > 0.3, 100, "newton-cholesky")


def probe(name, feature):
    n, dim = 40, 6
    people = random.normal(size=(n, dim))
    images = numpy.round(people + 0.6 * random.normal(size=(n, dim)), 3)
    captions = numpy.round(people + 0.6 * random.normal(size=(n, dim)), 3)
    partner = random.permutation(n)
    order = numpy.concatenate([random.permutation(n), n + random.permutation(n)])
    test = numpy.concatenate([order[: n // 2], order[n : n + n // 2]])
    train = numpy.setdiff1d(numpy.arange(2 * n), test)
    unit = lambda m: m / numpy.linalg.norm(m, axis=1, keepdims=True)
    products = numpy.concatenate([unit(images) * unit(captions), unit(images) * unit(captions)[partner]])
    features = products if feature == "product" else products.sum(1, keepdims=True)
    labels = numpy.arange(2 * n) < n
    model = fit(features[train], labels[train], 1)
    return {
        "name": name,
        "feature": feature,
        "images": images.tolist(),
        "captions": captions.tolist(),
        "partner": partner.tolist(),
        "train": train.tolist(),
        "test": test.tolist(),
        "weights": model.coef_[0].tolist(),
        "intercept": float(model.intercept_[0]),
        "correct": (model.predict(features[test]) == labels[test]).tolist(),
        "accuracy": float(model.score(features[test], labels[test])),
    }


out = {
    "generator": f"python testdata/gen_logistic.py, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}",
    "fits": list(cases()),
    "probes": [probe("cosine", "cosine"), probe("product", "product")],
}
pathlib.Path(__file__).with_name("logistic_sklearn.json").write_text(json.dumps(out) + "\n")
