# Rscript gen_rank.R > rank_r.json
# R 4.2.2 with coin 1.4.2; jsonlite prints 15 significant digits, so the data are rounded before they are tested
suppressMessages({library(coin); library(jsonlite)})
set.seed(7)
alternatives <- c("two.sided", "less", "greater")
named <- c(two.sided = "two-sided", less = "less", greater = "greater")

samples <- function(n, coarse) if (coarse) round(rnorm(n) * 1.5) else round(rnorm(n), 5)

signedRank <- function(x, y, alternative, zeros) {
  test <- wilcoxsign_test(x ~ y, distribution = "exact", zero.method = zeros, alternative = alternative)
  list(x = x, y = y, alternative = unname(named[alternative]), method = "exact",
       zero_method = c(Wilcoxon = "wilcox", Pratt = "pratt")[[zeros]], p = as.numeric(pvalue(test)))
}

rankSum <- function(x, y, alternative) {
  values <- data.frame(v = c(x, y), g = factor(rep(c("x", "y"), c(length(x), length(y)))))
  test <- wilcox_test(v ~ g, data = values, distribution = "exact", alternative = alternative)
  list(x = x, y = y, alternative = unname(named[alternative]), method = "exact", p = as.numeric(pvalue(test)))
}

wilcoxon <- list()
mannWhitney <- list()
for (n in c(4, 9, 20, 45)) for (coarse in c(FALSE, TRUE)) {
  x <- samples(n, coarse); y <- samples(n, coarse)
  for (a in alternatives) for (zeros in c("Wilcoxon", "Pratt"))
    wilcoxon[[length(wilcoxon) + 1]] <- signedRank(x, y, a, zeros)
}
# coin's two-sided rank-sum p-value is P(|U - E| >= |u - E|), which equals twice the smaller tail only where the distribution is symmetric:
# without ties or for equal sizes.
for (sizes in list(c(3, 5), c(7, 7), c(12, 9), c(25, 25))) for (coarse in c(FALSE, TRUE)) {
  x <- samples(sizes[1], coarse); y <- samples(sizes[2], coarse)
  for (a in alternatives) if (a != "two.sided" || !coarse || sizes[1] == sizes[2])
    mannWhitney[[length(mannWhitney) + 1]] <- rankSum(x, y, a)
}

untied <- list()
for (n in c(6, 30, 200)) {
  x <- samples(n, FALSE); y <- samples(n, FALSE) + .1
  for (a in alternatives) {
    untied[[length(untied) + 1]] <- list(x = x, y = y, alternative = unname(named[a]),
      signedRank = wilcox.test(x, y, paired = TRUE, exact = TRUE, alternative = a)$p.value,
      rankSum = wilcox.test(x, y, exact = TRUE, alternative = a)$p.value)
  }
}

sign <- list()
for (counts in list(c(3, 0), c(7, 12), c(60, 41), c(500, 430))) for (a in alternatives)
  sign[[length(sign) + 1]] <- list(positive = counts[1], negative = counts[2], alternative = unname(named[a]),
    p = binom.test(counts[1], sum(counts), alternative = a)$p.value)

friedman <- list()
for (coarse in c(FALSE, TRUE)) for (size in list(c(3, 6), c(4, 15))) {
  columns <- lapply(seq_len(size[1]), function(j) samples(size[2], coarse) + j %/% 2)
  test <- friedman.test(do.call(cbind, columns))
  friedman[[length(friedman) + 1]] <- list(columns = columns, statistic = unname(test$statistic), p = test$p.value)
}

range <- list()
for (k in c(2, 3, 4, 10)) for (q in c(.3, 1, 2.5, 4, 6))
  range[[length(range) + 1]] <- list(q = q, k = k, p = ptukey(q, k, Inf, lower.tail = FALSE))

cat(toJSON(list(
  generator = unbox(paste0("Rscript gen_rank.R, R ", R.version$major, ".", R.version$minor, ", coin ", packageVersion("coin"))),
  wilcoxon = wilcoxon, mannWhitney = mannWhitney, untied = untied, sign = sign, friedman = friedman, normalRange = range),
  auto_unbox = TRUE, digits = NA), "\n")
