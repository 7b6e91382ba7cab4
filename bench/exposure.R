# Exposed share of a step by micro-steps, and its slope against log2(K). A block gives a share a K and a slope by least squares;
# intervals are Student's over the blocks' values, 95 %.
runs <- read.csv(commandArgs(trailingOnly = TRUE)[1])
runs$share <- 100 * runs$exposed_ms / runs$step_ms
stopifnot(length(unique(runs$block)) >= 3, all(table(runs$block, runs$k) == 1))
interval <- function(x) c(mean(x), mean(x) + c(-1, 1) * qt(.975, length(x) - 1) * sd(x) / sqrt(length(x)))
cat("| K | runs | step, ms | exposed, ms | exposed share of the step |\n| ---: | ---: | ---: | ---: | ---: |\n")
for (k in sort(unique(runs$k))) {
  rows <- runs[runs$k == k, ]
  share <- interval(rows$share)
  cat(sprintf("| %d | %d | %.1f | %.1f | %.1f %% [%.1f, %.1f] |\n", k, nrow(rows), mean(rows$step_ms), mean(rows$exposed_ms),
              share[1], share[2], share[3]))
}
slopes <- sapply(split(runs, runs$block), function(rows) coef(lm(share ~ log2(k), rows))[["log2(k)"]])
slope <- interval(slopes)
cat(sprintf("\nslope against log2(K): %.2f points a doubling [%.2f, %.2f], %d blocks\n", slope[1], slope[2], slope[3],
            length(slopes)))
# Whether a line describes it: its residuals beside the spread of runs at one K.
line <- lm(share ~ log2(k) + factor(block), runs)
full <- lm(share ~ factor(k) + factor(block), runs)
fit <- anova(line, full)
cat(sprintf("departure from a line: F(%d, %d) = %.2f, p = %.3g\n", fit$Df[2], fit$Res.Df[2], fit$F[2], fit$`Pr(>F)`[2]))
