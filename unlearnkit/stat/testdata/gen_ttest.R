# Rscript testdata/gen_ttest.R > testdata/ttest_r.json
# t.test on the sequences of gen_ttest.py.
q <- function(n, m, k) ((seq_len(n) * m + k) %% 10007) / 10007
cases <- list(
  c(2, 1, 0, 2, 1, 0), c(3, 1, 0, 3, 2, .25), c(10, 1, 0, 10, 1, .125), c(30, 1, 0, 17, 1, -.25), c(500, 1, 0, 500, 1, .03125),
  c(500, 1, 0, 80, .25, .5), c(500, 1, 0, 500, 1, 1), c(4000, 1, 0, 4000, 1, .25), c(30468, 1, 0, 15342, .5, .015625), c(3, 1, 0, 40, 4, 0))
test <- function(r) list(t = unname(r$statistic), p = r$p.value, df = unname(r$parameter),
  lo = if (is.finite(r$conf.int[1])) r$conf.int[1] else "-inf", hi = if (is.finite(r$conf.int[2])) r$conf.int[2] else "inf")
out <- list()
for (v in cases) for (alternative in c("two-sided", "less", "greater")) {
  x <- v[2] * q(v[1], 7919, 104729) + v[3]; y <- v[5] * q(v[4], 6007, 12345) + v[6]
  a <- sub("-", ".", alternative)
  o <- list(nx = v[1], xm = 7919, xk = 104729, xs = v[2], xo = v[3], ny = v[4], ym = 6007, yk = 12345, ys = v[5], yo = v[6],
    alternative = alternative, ind = test(t.test(x, y, var.equal = TRUE, alternative = a)),
    one = test(t.test(x, mu = v[3] + .5, alternative = a)), welch = test(t.test(x, y, alternative = a, conf.level = .9)))
  if (v[1] == v[4]) o$paired <- test(t.test(x, y, paired = TRUE, alternative = a, conf.level = .99))
  out[[length(out) + 1]] <- o
}
# jsonlite writes 15 digits; numbers go through it as strings of 17.
digits <- function(v) rapply(v, function(e) sprintf("%.17g", e), classes = c("numeric", "integer"), how = "replace")
text <- jsonlite::toJSON(digits(list(generator = paste("testdata/gen_ttest.R:", R.version.string), cases = out)), auto_unbox = TRUE)
cat(gsub('"(-?[0-9][-+.e0-9]*)"', "\\1", gsub('"NA"', "null", text)), "\n")
