# Writes bootstrap_r.json: Rscript gen_bootstrap.R (R 4.2.2, boot 1.3-28.1, jsonlite)
library(boot)
library(jsonlite)
set.seed(20240611)

resamples <- 100000
data <- list(gamma = rgamma(40, 2), normal = rnorm(15, 3), skewed = exp(rnorm(25)))
cases <- lapply(data, function(x) {
  statistic <- function(d, i) { v <- d[i]; c(mean(v), var(v) / length(v)) }
  b <- boot(x, statistic, R = resamples)
  L <- empinf(data = x, statistic = function(d, i) mean(d[i]), type = "jack", stype = "i")
  ci <- boot.ci(b, type = c("basic", "stud", "perc", "bca"), L = L)
  list(x = x, estimate = b$t0[1], se = sd(b$t[, 1]), acceleration = sum(L^3) / (6 * sum(L^2)^1.5),
       basic = ci$basic[4:5], studentised = ci$student[4:5], percentile = ci$percent[4:5], bca = ci$bca[4:5])
})
# A two-sample difference as strata; the studentised interval of a difference of means.
x <- rexp(18); y <- rnorm(30, 1)
pooled <- data.frame(v = c(x, y), g = rep(1:2, c(18, 30)))
difference <- function(d, i) {
  a <- d$v[i][d$g[i] == 1]; b <- d$v[i][d$g[i] == 2]
  c(mean(a) - mean(b), var(a) / length(a) + var(b) / length(b))
}
b <- boot(pooled, difference, R = resamples, strata = pooled$g)
ci <- boot.ci(b, type = c("basic", "stud", "perc"))
strata <- list(x = x, y = y, estimate = b$t0[1], se = sd(b$t[, 1]), basic = ci$basic[4:5],
               studentised = ci$student[4:5], percentile = ci$percent[4:5])
# Whole clusters: boot over cluster labels, mean over all their rows.
label <- rep(1:12, times = c(2, 5, 3, 4, 1, 6, 2, 3, 5, 4, 2, 3))
v <- rnorm(length(label)) + rnorm(12)[label]
groups <- split(v, label)
b <- boot(seq_along(groups), function(d, i) mean(unlist(groups[d[i]])), R = resamples)
L <- empinf(data = seq_along(groups), statistic = function(d, i) mean(unlist(groups[d[i]])), type = "jack", stype = "i")
L <- L - mean(L) # Efron and Tibshirani (14.15) centres the jackknife, boot does not
ci <- boot.ci(b, type = c("basic", "perc", "bca"), L = L)
clusters <- list(x = v, label = label, estimate = b$t0, se = sd(b$t), acceleration = sum(L^3) / (6 * sum(L^2)^1.5),
                 basic = ci$basic[4:5], percentile = ci$percent[4:5], bca = ci$bca[4:5])
write(toJSON(list(
  generator = paste0("gen_bootstrap.R, ", R.version.string, ", boot ", packageVersion("boot")),
  means = unname(cases), strata = strata, clusters = clusters
), digits = I(17), auto_unbox = TRUE, pretty = TRUE), "bootstrap_r.json")
