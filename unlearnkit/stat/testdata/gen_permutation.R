# Rscript testdata/gen_permutation.R > testdata/permutation_r.json
# Exact one-sided p-values of coin::oneway_test, and of sign flips written out; coin's two-sided p-value counts |difference| instead.
suppressMessages(library(coin))
q <- function(n, m, k) ((seq_len(n) * m + k) %% 10007) / 10007
out <- list()
for (v in list(c(2, 3, .25), c(5, 5, .5), c(8, 8, .25), c(6, 9, .5), c(12, 12, .25))) for (a in c("less", "greater")) {
  x <- round((q(v[1], 7919, 104729) + v[3]) * 8) / 8; y <- round(q(v[2], 6007, 12345) * 8) / 8
  o <- list(x = x, y = y, alternative = a)
  g <- factor(rep(c("x", "y"), v[1:2]), levels = c("x", "y"))
  o$ind <- list(statistic = mean(x) - mean(y), p = as.numeric(pvalue(oneway_test(c(x, y) ~ g, distribution = "exact", alternative = a))))
  if (v[1] == v[2]) {
    d <- x - y
    s <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d)))) %*% d
    o$paired <- list(statistic = mean(d), p = if (a == "less") mean(s <= sum(d)) else mean(s >= sum(d)))
  }
  out[[length(out) + 1]] <- o
}
# jsonlite writes 15 digits; numbers go through it as strings of 17.
digits <- function(v) rapply(v, function(e) sprintf("%.17g", e), classes = c("numeric", "integer"), how = "replace")
text <- jsonlite::toJSON(digits(list(generator = paste0("testdata/gen_permutation.R: ", R.version.string, ", coin ", packageVersion("coin")), cases = out)), auto_unbox = TRUE)
cat(gsub('"(-?[0-9][-+.e0-9]*)"', "\\1", gsub('"NA"', "null", text)), "\n")
