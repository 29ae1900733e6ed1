# Writes effect_r.json from the data of effect_scipy.json: Rscript gen_effect.R (R 4.2.2, jsonlite)
library(jsonlite)

noncentral <- function(t, nu, level) {
  alpha <- (1 - level) / 2
  reach <- 6 * sqrt(1 + t^2 / (2 * nu))
  solve <- function(f) uniroot(f, c(t - reach, t + reach), tol = 1e-13, maxiter = 1000)$root
  c(solve(function(d) pt(t, nu, d, lower.tail = FALSE) - alpha), solve(function(d) pt(t, nu, d) - alpha))
}
asymmetric <- function(d, v, z) {
  reach <- z * sqrt(v) * sqrt((1 - d^2)^2 + z^2 * v)
  pmin(pmax((d - d^3 + c(-1, 1) * reach) / (1 - d^2 + z^2 * v), -1), 1)
}
biserial <- function(d) sum(sign(d) * rank(abs(d))) / sum(rank(abs(d)))

cases <- lapply(fromJSON("effect_scipy.json", simplifyDataFrame = FALSE)$cases, function(case) {
  x <- case$x; y <- case$y; n <- length(x); m <- length(y); level <- case$level
  nu <- n + m - 2; scale <- sqrt(n * m / (n + m))
  t <- t.test(x, y, var.equal = TRUE)$statistic[[1]]
  interval <- noncentral(t, nu, level) / scale
  j <- exp(lgamma(nu / 2) - lgamma((nu - 1) / 2)) / sqrt(nu / 2)
  out <- list(d = t / scale, d_interval = interval, g = j * t / scale, g_interval = j * interval)
  w <- suppressWarnings(wilcox.test(x, y)$statistic[[1]])
  dominance <- sign(outer(x, y, "-"))
  delta <- 2 * w / (n * m) - 1
  if (abs(delta) < 1) {
    v <- ((m - 1) * var(rowMeans(dominance)) + (n - 1) * var(colMeans(dominance)) +
            sum((dominance - delta)^2) / ((n - 1) * (m - 1))) / (n * m)
    out$cliff <- delta
    out$cliff_interval <- asymmetric(delta, v, qnorm(1 - (1 - level) / 2))
  }
  if (n == m) {
    t <- t.test(x, y, paired = TRUE)$statistic[[1]]
    out$dz <- t / sqrt(n)
    out$dz_interval <- noncentral(t, n - 1, level) / sqrt(n)
    d <- (x - y)[x != y]; k <- length(d); r <- biserial(d)
    if (abs(r) < 1) {
      jackknife <- sapply(seq_along(d), function(i) biserial(d[-i]))
      out$rank_biserial <- r
      out$rank_biserial_interval <- asymmetric(r, (k - 1)^2 / k * var(jackknife), qt(1 - (1 - level) / 2, k - 1))
    }
  }
  out
})
write(toJSON(list(generator = paste("gen_effect.R,", R.version.string), cases = cases),
             digits = I(17), auto_unbox = TRUE), "effect_r.json")
