# python3 gen_certify.py > certify_statsmodels.json
# scipy 1.17.1, statsmodels 0.15.0, numpy 2.4.6
#
# Each case has outcomes and the standard error of a quantity of their means, found by what knows nothing of this
# package: a mixed model with crossed random effects by restricted likelihood (statsmodels), t tests (scipy), and a
# bootstrap that draws repetitions and units at once (Owen, The pigeonhole bootstrap, 2007).
import json
import warnings

import numpy as np
import pandas as pd
import statsmodels
import statsmodels.formula.api as smf
from scipy import stats

warnings.simplefilter("ignore")
rng = np.random.default_rng(20260601)


def layout(repetitions, units, a, b, c, mean=0.5):
    """outcomes with effects of repetitions, of units and of both together, so many standard deviations each"""
    y = mean + a * rng.normal(size=(repetitions, 1)) + b * rng.normal(size=(1, units))
    return np.round(y + c * rng.normal(size=(repetitions, units)), 3)


def mixed(y):
    """standard error of the mean by the variance components of a mixed model"""
    repetitions, units = y.shape
    r, u = np.indices(y.shape)
    data = pd.DataFrame({"y": y.ravel(), "r": r.ravel().astype(str), "u": u.ravel().astype(str), "all": 1})
    model = smf.mixedlm("y ~ 1", data, groups="all", vc_formula={"r": "0 + C(r)", "u": "0 + C(u)"})
    fit = model.fit(reml=True, method=["lbfgs", "powell"], maxiter=2000, gtol=1e-10)
    a, b = (fit.vcomp[list(model.exog_vc.names).index(name)] for name in ("r", "u"))
    return float(np.sqrt(a / repetitions + b / units + fit.scale / y.size))


def pigeonhole(y, once=None, draws=40000):
    """standard deviation of the mean over drawn repetitions and drawn units, less that of what was made once"""
    repetitions, units = y.shape
    values = np.empty(draws)
    for i in range(draws):
        r, u = rng.integers(repetitions, size=repetitions), rng.integers(units, size=units)
        values[i] = y[np.ix_(r, u)].mean() - (0 if once is None else once[u].mean())
    return float(values.std())


def crossed_cases():
    cases = []
    for a, b, c in [(0.3, 0.4, 0.5), (0.05, 0.5, 0.3), (0.4, 0.1, 0.2), (0.2, 0.2, 0.2)]:
        y = layout(5, 30, a, b, c)
        cases.append({"values": y.tolist(), "deviation": mixed(y)})
    return cases


def once_cases():
    cases = []
    for a, b, c in [(0.2, 0.5, 0.4), (0.1, 0.8, 0.3)]:
        units = 60
        effect = b * rng.normal(size=(1, units))
        y = np.round(effect + a * rng.normal(size=(8, 1)) + c * rng.normal(size=(8, units)), 3)
        once = np.round(0.7 * effect[0] + c * rng.normal(size=units), 3)
        cases.append({"values": y.tolist(), "once": once.tolist(), "pigeonhole": pigeonhole(y, once)})
    return cases


def t_cases():
    """one repetition: paired units, other units on either side; nested units: repetitions alone"""
    x, y = np.round(rng.normal(0.4, 1, 14), 3), np.round(rng.normal(0, 2, 9), 3)
    z = np.round(x - rng.normal(0.2, 0.5, 14), 3)
    paired, welch = stats.ttest_rel(x, z), stats.ttest_ind(x, y, equal_var=False)
    nested = layout(4, 20, 0.5, 0, 1)
    means = stats.ttest_1samp(nested.mean(axis=1), 0)
    interval = {"paired": paired.confidence_interval(), "welch": welch.confidence_interval(),
                "nested": means.confidence_interval()}
    return [
        {"name": "paired", "x": x.tolist(), "y": z.tolist(), "p": paired.pvalue, "df": paired.df},
        {"name": "welch", "x": x.tolist(), "y": y.tolist(), "p": welch.pvalue, "df": welch.df},
        {"name": "nested", "values": nested.tolist(), "p": means.pvalue, "df": means.df},
    ], {name: [float(i.low), float(i.high)] for name, i in interval.items()}


tests, intervals = t_cases()
for test in tests:
    test["p"], test["df"], test["interval"] = float(test["p"]), float(test["df"]), intervals[test["name"]]
print(json.dumps({"versions": {"numpy": np.__version__, "statsmodels": statsmodels.__version__},
                  "crossed": crossed_cases(), "once": once_cases(), "t": tests}))
