# Rscript gen_ks.R > ks_r.json
# R 4.2.2, stats::ks.test and stats::psmirnov; jsonlite prints 15 significant digits, so the data are rounded before they are tested
suppressMessages(library(jsonlite))
set.seed(3)
named <- c(two.sided = "two-sided", less = "less", greater = "greater")

twoSample <- list()
for (sizes in list(c(4, 4), c(6, 9), c(15, 10), c(40, 40), c(60, 35))) for (coarse in c(FALSE, TRUE)) {
  x <- round(rnorm(sizes[1]), 5); y <- round(rnorm(sizes[2]) + .5, 5)
  if (coarse) { x <- round(x * 1.5); y <- round(y * 1.5) }
  for (a in names(named)) {
    # R 4.2 takes the law of D+ for D- too, which differs under ties, so "less" is asked for as "greater" with the samples exchanged.
    test <- if (a == "less") ks.test(y, x, alternative = "greater", exact = TRUE) else ks.test(x, y, alternative = a, exact = TRUE)
    twoSample[[length(twoSample) + 1]] <- list(x = x, y = y, alternative = unname(named[a]), method = "exact",
      statistic = unname(test$statistic), p = test$p.value)
  }
}

printed <- list()
for (s in list(list(.09, 100, 100), list(.17, 100, 100), list(.24, 100, 80), list(.05, 300, 250)))
  printed[[length(printed) + 1]] <- list(d = s[[1]], n1 = s[[2]], n2 = s[[3]],
    p = psmirnov(s[[1]] - 1e-9, sizes = c(s[[2]], s[[3]]), lower.tail = FALSE))

oneSample <- list()
for (n in c(3, 20, 99)) {
  x <- round(runif(n), 5)
  for (a in names(named)) {
    test <- ks.test(x, "punif", alternative = a, exact = TRUE)
    oneSample[[length(oneSample) + 1]] <- list(x = x, alternative = unname(named[a]), statistic = unname(test$statistic), p = test$p.value)
  }
}

cat(toJSON(list(
  generator = unbox(paste0("Rscript gen_ks.R, R ", R.version$major, ".", R.version$minor)),
  twoSample = twoSample, printed = printed, oneSample = oneSample), auto_unbox = TRUE, digits = NA), "\n")
