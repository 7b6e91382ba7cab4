# Ratio of medians and ratio of run-to-run coefficients of variation, assay over IMB, with intervals: 95 % percentile
# bootstrap over launches (pairs of one round drawn together), 10,000 draws from a fixed seed.
launches <- read.csv(commandArgs(trailingOnly = TRUE)[1])
set.seed(20261130)
cv <- function(x) sd(x) / mean(x)
for (bytes in sort(unique(launches$bytes))) {
  rows <- merge(launches[launches$program == "assay" & launches$bytes == bytes, c("launch", "t_max_us")],
                launches[launches$program == "imb" & launches$bytes == bytes, c("launch", "t_max_us")], by = "launch")
  n <- nrow(rows)
  stopifnot(n >= 10)
  ours <- rows$t_max_us.x
  theirs <- rows$t_max_us.y
  draws <- replicate(10000, {
    i <- sample.int(n, replace = TRUE)
    c(median(ours[i]) / median(theirs[i]), cv(ours[i]) / cv(theirs[i]))
  })
  limits <- apply(draws, 1, quantile, c(.025, .975))
  cat(sprintf("| %d | %d | %.2f | %.2f | %.3f [%.3f, %.3f] | %.1f %% | %.1f %% | %.2f [%.2f, %.2f] |\n", bytes, n, median(ours),
              median(theirs), median(ours) / median(theirs), limits[1, 1], limits[2, 1], 100 * cv(ours), 100 * cv(theirs),
              cv(ours) / cv(theirs), limits[1, 2], limits[2, 2]))
}
