"""Makes kmeans.safetensors beside this file: points, first centres, and where scikit-learn's KMeans takes them.

    python gen_kmeans.py

"lost" begins with a centre far from all points, which loses them all.
"""

import pathlib

import numpy
import sklearn
from safetensors.numpy import save_file
from sklearn.cluster import KMeans

random = numpy.random.default_rng(1)
out = {}
for name, count, width, clusters in (("near", 300, 4, 7), ("lost", 120, 3, 4)):
    middles = 2 * random.normal(size=(clusters, width))
    points = (middles[random.integers(clusters, size=count)] + random.normal(size=(count, width))).astype(numpy.float32)
    first = points[:clusters].astype(numpy.float64)
    if name == "lost":
        first[2] = 1e3
    fitted = KMeans(clusters, init=first, n_init=1, algorithm="lloyd", tol=0, max_iter=300).fit(
        points.astype(numpy.float64)
    )
    early = KMeans(clusters, init=first, n_init=1, algorithm="lloyd", tol=0, max_iter=2).fit(
        points.astype(numpy.float64)
    )
    print(name, fitted.n_iter_, "passes, inertia", fitted.inertia_)
    out.update(
        {
            f"{name}.points": points,
            f"{name}.first": first,
            f"{name}.centres": fitted.cluster_centers_,
            f"{name}.labels": fitted.labels_.astype(numpy.int32),
            f"{name}.inertia": numpy.array(fitted.inertia_),
            f"{name}.early": early.cluster_centers_,
        }
    )
save_file(out, pathlib.Path(__file__).with_name("kmeans.safetensors"), metadata={"scikit-learn": sklearn.__version__})
