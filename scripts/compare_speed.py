#!/usr/bin/env python3
"""Times the statistics of this project next to scipy's and statsmodels' in one run and prints ratios.

Usage: PYTHON=python with numpy, scipy and statsmodels; run from the repository's root: $PYTHON scripts/compare_speed.py
Each case is timed in turn, Go then Python, several rounds; the minimum of the rounds counts, because other load only
adds time.
"""

import os
import re
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

warnings.filterwarnings("ignore")
rng = np.random.default_rng(1)


def pair(n):
    x = rng.normal(size=n)
    return x, x + 0.1 + rng.normal(size=n)


small, large = pair(10), pair(100_000)
sample = rng.normal(size=1000)
p = rng.uniform(size=1000)
CASES = [  # benchmark, the reference's call, least ratio wanted
    ("BenchmarkWilcoxon/n=10", lambda: stats.wilcoxon(*small), 30),
    ("BenchmarkMannWhitney/n=10", lambda: stats.mannwhitneyu(*small), 30),
    ("BenchmarkKS2/n=10", lambda: stats.ks_2samp(*small), 30),
    ("BenchmarkTTestPaired/n=10", lambda: stats.ttest_rel(*small), 30),
    ("BenchmarkWelch/n=10", lambda: stats.ttest_ind(*small, equal_var=False), 30),
    ("BenchmarkMcNemar/n=35", lambda: mcnemar([[0, 10], [25, 0]]), 30),
    ("BenchmarkBinomial/n=35", lambda: stats.binomtest(10, 35), 30),
    ("BenchmarkFisher/n=35", lambda: stats.fisher_exact([[3, 10], [15, 7]]), 30),
    ("BenchmarkWilcoxon/n=100000", lambda: stats.wilcoxon(*large), 1),
    ("BenchmarkMannWhitney/n=100000", lambda: stats.mannwhitneyu(*large), 1),
    ("BenchmarkKS2/n=100000", lambda: stats.ks_2samp(*large), 1),
    ("BenchmarkTTestPaired/n=100000", lambda: stats.ttest_rel(*large), 1),
    ("BenchmarkBootstrapBCa/n=1000", lambda: stats.bootstrap((sample,), np.mean, n_resamples=9999, method="BCa"), 2),
    ("BenchmarkHolm/n=1000", lambda: multipletests(p, method="holm"), 1),
]


def go_seconds(binary, name):
    pattern = "/".join("^" + part + "$" for part in name.split("/"))
    out = subprocess.run(
        [binary, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", "0.2s"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found = re.search(r"\s([0-9.]+) ns/op", out)
    if not found:
        sys.exit(f"no benchmark {name}:\n{out}")
    return float(found[1]) * 1e-9


# As the Makefile has it.
GO = {"GOEXPERIMENT": "simd", "GOTOOLCHAIN": re.search(r"^toolchain (\S+)", open("go.mod").read(), re.M)[1]}


def python_seconds(call):
    call()
    start = time.perf_counter()
    call()
    once = time.perf_counter() - start
    repeats = max(1, min(2000, int(0.2 / max(once, 1e-6))))
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def main():
    binary = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"unlearnlab-stat-{os.getpid()}.test")
    subprocess.run(["go", "test", "-c", "-o", binary, "./unlearnkit/stat"], check=True, env={**os.environ, **GO})
    print(
        f"scipy {scipy.__version__}, statsmodels {statsmodels.__version__}, numpy {np.__version__}; {os.cpu_count()} processors"
    )
    print(f"{'case':<34}{'Go':>12}{'Python':>12}{'ratio':>9}{'wanted':>8}")
    missed = 0
    try:
        for name, call, wanted in CASES:
            go = python = float("inf")
            for _ in range(3):
                go, python = min(go, go_seconds(binary, name)), min(python, python_seconds(call))
            ratio = python / go
            missed += ratio < wanted
            print(
                f"{name[9:]:<34}{go * 1e6:>10.2f}us{python * 1e6:>10.1f}us{ratio:>8.1f}x{wanted:>7}x{'' if ratio >= wanted else '  missed'}",
                flush=True,
            )
    finally:
        os.remove(binary)
    print(f"{len(CASES) - missed} of {len(CASES)} reach what is wanted")


if __name__ == "__main__":
    main()
