# Makes retrieval_numpy.json: python testdata/gen_retrieval.py   (numpy 2.4.6)
# Ranks, cosines and zero-shot predictions in float64 from full matrices.
import json, pathlib
import numpy

random = numpy.random.default_rng(4)
unit = lambda m: m / numpy.linalg.norm(m, axis=-1, keepdims=True)
n, dim, classes, templates = 70, 9, 6, 4

people = random.normal(size=(n, dim))
round3 = lambda m: numpy.round(m, 3)
images, own = round3(people + 0.8 * random.normal(size=(n, dim))), round3(people + 0.8 * random.normal(size=(n, dim)))
other = round3(people + random.normal(size=(n, dim)))
gallery = numpy.concatenate([own[:30], round3(random.normal(size=(50, dim)))])
s = unit(images) @ unit(gallery).T
cosine = (unit(images) * unit(own)).sum(1)
cosine_other = (unit(images) * unit(other)).sum(1)
above = s > cosine[:, None]
above[numpy.arange(30), numpy.arange(30)] = False  # its own caption never hurts
ranks = 1 + above.sum(1)

prompts = round3(random.normal(size=(classes, templates, dim)) + random.normal(size=(classes, 1, dim)))
class_embeddings = unit(unit(prompts).mean(1))
truth = random.integers(0, classes, n)
predictions = (unit(images) @ class_embeddings.T).argmax(1)

out = {
    "generator": f"python testdata/gen_retrieval.py, numpy {numpy.__version__}",
    "images": images.tolist(), "own": own.tolist(), "other": other.tolist(), "gallery": gallery.tolist(),
    "ranks": ranks.tolist(), "mrr": float((1 / ranks).mean()), "r_at_1": float((ranks == 1).mean()),
    "cosines": cosine.tolist(), "mean": float(cosine.mean()), "core": float(numpy.maximum(cosine, cosine_other).mean()),
    "templates": templates, "prompts": prompts.reshape(-1, dim).tolist(), "class_embeddings": class_embeddings.tolist(),
    "truth": truth.tolist(), "predictions": predictions.tolist(), "accuracy": float((predictions == truth).mean()),
}
pathlib.Path(__file__).with_name("retrieval_numpy.json").write_text(json.dumps(out) + "\n")
