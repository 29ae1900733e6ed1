# Rscript testdata/gen_binomial.R > testdata/binomial_r.json
# Tests and intervals on counts: binom.test, mcnemar.test, fisher.test, prop.test; the conditional odds ratio from dhyper with a tighter
# uniroot than fisher.test's, and its interval likewise; Newcombe's paired interval (1998b, method 10) and the score test by the closed solution of Farrington and
# Manning (1990) from their formulas.
number <- function(v) if (is.finite(v)) v else if (is.nan(v)) "nan" else if (v > 0) "inf" else "-inf"
alternatives <- c("two-sided", "less", "greater")
binomial <- list()
for (v in list(c(0, 1, .5), c(3, 10, .5), c(7, 10, .3), c(10, 10, .9), c(451, 1000, .5), c(30, 1000, .01), c(15300, 30468, .5),
               c(20000, 30468, .5), c(500600, 1e6, .5), c(5, 1e6, 1e-6), c(500, 1e5, .00625), c(3, 12, .25))) for (a in alternatives) {
  r <- binom.test(v[1], v[2], v[3], alternative = sub("-", ".", a), conf.level = .9)
  binomial[[length(binomial) + 1]] <- list(k = v[1], n = v[2], under = v[3], alternative = a, p = r$p.value, lo = r$conf.int[1], hi = r$conf.int[2])
}
mcnemar <- list()
for (v in list(c(10, 25), c(0, 5), c(1200, 1310), c(15000, 14500), c(15000, 14000), c(3, 90), c(100, 900))) {
  t <- matrix(c(5, v[2], v[1], 9), 2)
  one <- function(r) list(statistic = unname(r$statistic), p = r$p.value)
  mcnemar[[length(mcnemar) + 1]] <- list(b = v[1], c = v[2], exact = list(statistic = min(v), p = binom.test(v[1], sum(v))$p.value),
    corrected = one(mcnemar.test(t)), plain = one(mcnemar.test(t, correct = FALSE)))
}
fisher <- list()
conditional <- function(t) {
  m <- sum(t[, 1]); n <- sum(t[, 2]); k <- sum(t[1, ]); x <- t[1, 1]
  s <- max(0, k - n):min(k, m)
  if (x == min(s)) return(0)
  if (x == max(s)) return(Inf)
  l <- dhyper(s, m, n, k, log = TRUE)
  f <- function(theta) { w <- l + theta * s; w <- exp(w - max(w)); sum(w * s) / sum(w) - x }
  exp(uniroot(f, c(-30, 30), tol = 1e-15)$root)
}
limit <- function(t, tail) { # log odds ratio at which P(X >= a) = tail
  m <- sum(t[, 1]); n <- sum(t[, 2]); k <- sum(t[1, ]); x <- t[1, 1]
  s <- max(0, k - n):min(k, m)
  if (x == min(s)) return(-Inf)
  l <- dhyper(s, m, n, k, log = TRUE)
  f <- function(theta) { w <- l + theta * s; w <- exp(w - max(w)); log(sum(w[s >= x]) / sum(w)) - log(tail) }
  uniroot(f, log(conditional_start(t)) + c(-12, 2), tol = 1e-15)$root
}
conditional_start <- function(t) (t[1, 1] + .5) * (t[2, 2] + .5) / ((t[1, 2] + .5) * (t[2, 1] + .5))
for (v in list(c(3, 1, 1, 3), c(8, 2, 1, 5), c(10, 0, 3, 7), c(0, 4, 6, 2), c(1, 24, 5, 16), c(12, 5, 29, 2), c(100, 200, 300, 250),
               c(1500, 1400, 1400, 1500), c(30, 9970, 60, 9940), c(200, 14800, 900, 14400), c(15000, 468, 14000, 1000))) for (a in alternatives) {
  t <- matrix(v, 2, byrow = TRUE)
  r <- fisher.test(t, alternative = sub("-", ".", a))
  fisher[[length(fisher) + 1]] <- list(table = list(v[1:2], v[3:4]), alternative = a, odds = number(v[1] * v[4] / (v[2] * v[3])), p = r$p.value,
    conditional = number(conditional(t)), roughly = number(unname(r$estimate)),
    lo = if (a == "less") 0 else exp(limit(t, if (a == "greater") .05 else .025)),
    hi = number(if (a == "greater") Inf else exp(-limit(t[, 2:1], if (a == "less") .05 else .025))))
}
wilson <- function(k, n, level = .95) suppressWarnings(prop.test(k, n, conf.level = level, correct = FALSE)$conf.int[1:2])
intervals <- list()
for (v in list(c(0, 10), c(10, 10), c(3, 10), c(1, 1000), c(999, 1000), c(15000, 30468))) for (level in c(.95, .8))
  intervals[[length(intervals) + 1]] <- list(k = v[1], n = v[2], level = level, wilson = wilson(v[1], v[2], level),
    beta = binom.test(v[1], v[2], conf.level = level)$conf.int[1:2])
paired <- list()
for (v in list(c(36, 12, 2, 0), c(20, 12, 2, 16), c(18, 12, 2, 18), c(14, 5, 0, 22), c(1, 1, 7, 12), c(53, 0, 1, 0), c(0, 5, 5, 0), c(50, 0, 0, 0),
               c(0, 29, 3, 1), c(12000, 3000, 1200, 14268))) {
  r <- v[1]; s <- v[2]; t <- v[3]; u <- v[4]; n <- sum(v)
  p1 <- (r + s) / n; p2 <- (r + t) / n; w1 <- wilson(r + s, n); w2 <- wilson(r + t, n)
  A <- (r + s) * (t + u) * (r + t) * (s + u); B <- r * u - s * t
  phi <- if (A == 0) 0 else (if (B > n / 2) B - n / 2 else if (B < 0) B else 0) / sqrt(A)
  paired[[length(paired) + 1]] <- list(counts = v, lo = p1 - p2 - sqrt((p1 - w1[1])^2 - 2 * phi * (p1 - w1[1]) * (w2[2] - p2) + (w2[2] - p2)^2),
    hi = p1 - p2 + sqrt((p2 - w2[1])^2 - 2 * phi * (p2 - w2[1]) * (w1[2] - p1) + (w1[2] - p1)^2))
}
score <- function(k1, n1, k2, n2, margin, factor) {
  p1 <- k1 / n1; p2 <- k2 / n2; theta <- n2 / n1
  a <- 1 + theta; b <- -(1 + theta + p1 + theta * p2 + margin * (theta + 2)); c <- margin^2 + margin * (2 * p1 + theta + 1) + p1 + theta * p2
  d <- -p1 * margin * (1 + margin)
  v <- b^3 / (3 * a)^3 - b * c / (6 * a^2) + d / (2 * a); u <- sign(v) * sqrt(b^2 / (3 * a)^2 - c / (3 * a))
  q1 <- 2 * u * cos((pi + acos(max(-1, min(1, v / u^3)))) / 3) - b / (3 * a); q2 <- q1 - margin
  (p1 - p2 - margin) / sqrt((q1 * (1 - q1) / n1 + q2 * (1 - q2) / n2) * factor)
}
differences <- list()
for (v in list(c(56, 70, 48, 80), c(9, 10, 3, 10), c(5, 56, 0, 29), c(0, 10, 0, 20), c(450, 1000, 430, 900), c(15000, 30468, 7700, 15342), c(1, 100, 3, 100))) {
  o <- list(k1 = v[1], n1 = v[2], k2 = v[3], n2 = v[4], tost = list())
  w1 <- wilson(v[1], v[2]); w2 <- wilson(v[3], v[4]); p1 <- v[1] / v[2]; p2 <- v[3] / v[4]
  o$newcombe <- c(p1 - p2 - sqrt((p1 - w1[1])^2 + (w2[2] - p2)^2), p1 - p2 + sqrt((p2 - w2[1])^2 + (w1[2] - p1)^2))
  for (name in c("score", "farrington")) {
    f <- if (name == "score") (v[2] + v[4]) / (v[2] + v[4] - 1) else 1
    z <- function(m) score(v[1], v[2], v[3], v[4], m, f)
    above <- pnorm(z(-.1), lower.tail = FALSE); below <- pnorm(z(.1))
    o$tost[[length(o$tost) + 1]] <- list(low = -.1, high = .1, method = name, above = above, below = below, p = max(above, below),
      statistic = if (below > above) z(.1) else z(-.1))
  }
  differences[[length(differences) + 1]] <- o
}
# jsonlite writes 15 digits; numbers go through it as strings of 17.
digits <- function(v) rapply(v, function(e) sprintf("%.17g", e), classes = c("numeric", "integer"), how = "replace")
text <- jsonlite::toJSON(digits(list(generator = paste("testdata/gen_binomial.R:", R.version.string), binomial = binomial, mcnemar = mcnemar, fisher = fisher,
  intervals = intervals, paired = paired, differences = differences)), auto_unbox = TRUE)
cat(gsub('"(-?[0-9][-+.e0-9]*)"', "\\1", gsub('"NA"', "null", text)), "\n")
