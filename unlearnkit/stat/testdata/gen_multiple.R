# Rscript testdata/gen_multiple.R > testdata/multiple_r.json
# p.adjust, which passes NA through uncounted.
families <- list(c(.04, .03, NA, .02, .01), c(NA, .2), c(.5, .5, .01, 0, 1, .01, NA), ((seq_len(80) * 7919 + 104729) %% 10007 / 10007)^3)
out <- lapply(families, function(p) list(p = p, bonferroni = p.adjust(p, "bonferroni"), holm = p.adjust(p, "holm"),
  hochberg = p.adjust(p, "hochberg"), bh = p.adjust(p, "BH"), by = p.adjust(p, "BY")))
# jsonlite writes 15 digits; numbers go through it as strings of 17.
digits <- function(v) rapply(v, function(e) sprintf("%.17g", e), classes = c("numeric", "integer"), how = "replace")
text <- jsonlite::toJSON(digits(list(generator = paste("testdata/gen_multiple.R:", R.version.string), cases = out)), auto_unbox = TRUE)
cat(gsub('"(-?[0-9][-+.e0-9]*)"', "\\1", gsub('"NA"', "null", text)), "\n")
