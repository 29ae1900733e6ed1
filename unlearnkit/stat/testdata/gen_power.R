# Writes power_r.json: Rscript gen_power.R (R 4.2.2, pwr 1.3-0, jsonlite)
library(pwr)
library(jsonlite)
rows <- list()
add <- function(...) rows[[length(rows) + 1]] <<- list(...)
for (level in c(.95, .99)) {
  alpha <- 1 - level
  for (n in c(2, 7, 34, 500)) for (d in c(0.1, 0.5, 1.2)) {
    for (alternative in c("two-sided", "greater", "less")) {
      sign <- if (alternative == "less") -1 else 1
      side <- sub("-", ".", alternative)
      add(`function` = "t-paired", n = n, effect = sign * d, level = level, alternative = alternative,
          power = pwr.t.test(n, sign * d, alpha, type = "paired", alternative = side)$power)
      add(`function` = "t-ind", n = n, m = n + 5, effect = sign * d, level = level, alternative = alternative,
          power = pwr.t2n.test(n, n + 5, sign * d, alpha, alternative = side)$power)
    }
    add(`function` = "t-paired", n = n, effect = d, level = level, alternative = "two-sided",
        power = power.t.test(n, d, 1, alpha, type = "paired", strict = TRUE)$power)
    add(`function` = "t-ind", n = n, m = n, effect = d, level = level, alternative = "two-sided",
        power = power.t.test(n, d, 1, alpha, strict = TRUE)$power)
  }
  for (p in list(c(.5, .8), c(.1, .12), c(.95, .9), c(.02, .3))) for (n in c(10, 50, 400)) {
    add(`function` = "proportions", n = n, m = n, p = p[1], q = p[2], level = level, alternative = "two-sided",
        power = power.prop.test(n, p[1], p[2], alpha, strict = TRUE)$power)
    side <- if (p[1] > p[2]) "greater" else "less"
    add(`function` = "proportions", n = n, m = n, p = p[1], q = p[2], level = level, alternative = side,
        power = power.prop.test(n, p[1], p[2], alpha, alternative = "one.sided")$power)
    add(`function` = "arcsine", n = n, m = 2 * n, p = p[1], q = p[2], level = level, alternative = "two-sided",
        power = pwr.2p2n.test(ES.h(p[1], p[2]), n, 2 * n, alpha)$power)
  }
  for (k in list(c(12, .8, .5), c(30, .3, .5), c(45, .1, .25))) {
    rejected <- sapply(0:k[1], function(x) binom.test(x, k[1], k[3])$p.value <= alpha)
    add(`function` = "binomial", n = k[1], p = k[2], q = k[3], level = level, alternative = "two-sided",
        power = sum(dbinom(0:k[1], k[1], k[2])[rejected]))
  }
  for (k in list(c(15, .5, .1), c(40, .2, .05))) {
    n <- k[1]; power <- 0
    for (discordant in 1:n) {
      b <- 0:discordant
      rejected <- 2 * pmin(pbinom(b, discordant, .5), pbinom(b - 1, discordant, .5, lower.tail = FALSE)) <= alpha
      power <- power + dbinom(discordant, n, k[2] + k[3]) * sum(dbinom(b, discordant, k[2] / (k[2] + k[3]))[rejected])
    }
    add(`function` = "mcnemar", n = n, p = k[2], q = k[3], level = level, alternative = "two-sided", power = power)
  }
}
sizes <- list()
for (power in c(.5, .8, .95)) {
  for (d in c(.2, .5, 1.5)) {
    sizes[[length(sizes) + 1]] <- list(`function` = "t-paired", power = power, effect = d,
      n = pwr.t.test(NULL, d, .05, power, type = "paired")$n)
    sizes[[length(sizes) + 1]] <- list(`function` = "t-ind", power = power, effect = d, n = pwr.t.test(NULL, d, .05, power)$n)
  }
  sizes[[length(sizes) + 1]] <- list(`function` = "proportions", power = power, p = .6, q = .7,
    n = power.prop.test(NULL, .6, .7, .05, power, strict = TRUE)$n)
}
write(toJSON(list(generator = paste0("gen_power.R, ", R.version.string, ", pwr ", packageVersion("pwr")), rows = rows, sizes = sizes),
             digits = I(17), auto_unbox = TRUE), "power_r.json")
