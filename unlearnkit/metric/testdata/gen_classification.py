# Makes classification_sklearn.json: python testdata/gen_classification.py   (scikit-learn 1.9.1, numpy 2.4.6)
import json, pathlib
import numpy, sklearn
from sklearn.metrics import accuracy_score, f1_score, precision_recall_fscore_support

random = numpy.random.default_rng(2)


def case(name, truth, predicted):
    classes = sorted(set(truth) | set(predicted))
    precision, recall, f1, support = precision_recall_fscore_support(truth, predicted, labels=classes, zero_division=0)
    return {
        "name": name,
        "truth": [int(k) for k in truth],
        "predicted": [int(k) for k in predicted],
        "accuracy": float(accuracy_score(truth, predicted)),
        "macro_f1": float(f1_score(truth, predicted, average="macro", zero_division=0)),
        "classes": [int(k) for k in classes],
        "precision": precision.tolist(),
        "recall": recall.tolist(),
        "f1": f1.tolist(),
        "support": [int(n) for n in support],
    }


truth = random.integers(0, 8, 200)
cases = [
    case("perfect", truth, truth),
    case("noisy", truth, numpy.where(random.random(200) < 0.6, truth, random.integers(0, 8, 200))),
    case("a class predicted but absent", [0, 0, 1, 1], [0, 2, 1, 1]),
    case("a class present but never predicted", [0, 0, 1, 1, 5], [0, 0, 1, 0, 0]),
    case("one class", [3, 3, 3], [3, 3, 3]),
    case("all wrong", [0, 1, 2], [1, 2, 0]),
    case("negative and sparse labels", [-4, 100, 7, 7], [100, 100, 7, -4]),
    case(
        "unequal",
        random.choice(5, 300, p=[0.7, 0.2, 0.05, 0.04, 0.01]),
        random.choice(5, 300, p=[0.8, 0.1, 0.05, 0.05, 0.0]),
    ),
]
out = {
    "generator": f"python testdata/gen_classification.py, scikit-learn {sklearn.__version__}, numpy {numpy.__version__}",
    "cases": cases,
}
pathlib.Path(__file__).with_name("classification_sklearn.json").write_text(json.dumps(out) + "\n")
