#!/usr/bin/env Rscript
# Recompute a campaign's paired effects, their intervals, floors and verdicts from the tables in its log, with R's own
# routines and nothing of assay's, and hold analysis.json to them.
#
# usage: Rscript bench/recompute.R DIR      (Debian: r-base-core r-cran-jsonlite)
# Exit 0 when every number agrees to 1e-9 and every verdict follows; 1 otherwise.
suppressPackageStartupMessages(library(jsonlite))

directory <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(directory)) stop("usage: Rscript bench/recompute.R DIR")
plan <- fromJSON(file.path(directory, "campaign.json"), simplifyVector = FALSE)
document <- fromJSON(file.path(directory, "analysis.json"), simplifyVector = FALSE)
margin <- if (is.null(plan$margin_percent)) 1 else plan$margin_percent
limits <- log(c(1 - margin / 100, 1 + margin / 100))

# ---- the log: run records, and the float64 tables they point to ----

table_of <- function(data, table) {
  con <- file(data, "rb")
  on.exit(close(con))
  seek(con, table$offset)
  columns <- length(table$columns)
  values <- readBin(con, "double", table$rows * columns, size = 8, endian = "little")
  matrix(values, ncol = columns, byrow = TRUE, dimnames = list(NULL, unlist(table$columns)))
}

kept <- function(values, table) {
  discarded <- if (is.null(table$discarded)) 0 else table$discarded
  values[seq_len(nrow(values)) > discarded, , drop = FALSE]
}

# ln of the time per unit of work: STATISTICS, units of observation
response <- function(run, harness, data) {
  for (table in run$tables) {
    if (table$name == "iterations") return(log(mean(kept(table_of(data, table), table)[, "time_s"])))
    placement <- if (is.null(harness$placement)) "out_of_place" else harness$placement
    if (!(table$name %in% c("samples", "sizes")) || table$op != harness$op || table$placement != placement) next
    values <- kept(table_of(data, table), table)
    if (table$name == "sizes") return(log(values[values[, "bytes"] == harness$headline_bytes, "time_s"]))
    if (values[1, "bytes"] != harness$headline_bytes) next
    return(log(median(tapply(values[, "time_s"], values[, "iteration"], max))))
  }
  NA
}

named <- function(list, name) Filter(function(item) item$name == name, list)[[1]]
runs <- NULL
for (path in list.files(file.path(directory, "log"), "\\.jsonl$", full.names = TRUE)) {
  for (line in readLines(path)) {
    record <- fromJSON(line, simplifyVector = FALSE)
    if (record$kind != "run" || record$role != "arm" || record$status != "ok") next
    y <- response(record, named(plan$harnesses, record$harness), sub("jsonl$", "data", path))
    runs <- rbind(runs, data.frame(block = record$block, harness = record$harness, setting = record$setting, y = y))
  }
}
arms <- aggregate(y ~ block + harness + setting, runs, mean)

# ---- the effects ----

wrong <- 0
same <- function(what, ours, theirs) {
  ours <- if (is.null(ours)) NA else ours
  agree <- (is.na(ours) && is.na(theirs)) ||
    (!is.na(ours) && !is.na(theirs) && abs(ours - theirs) <= 1e-9 * max(1, abs(theirs)))
  if (!agree) {
    cat(sprintf("  %s: analysis.json %.17g, R %.17g\n", what, ours, theirs))
    wrong <<- wrong + 1
  }
}
percent <- function(x) 100 * (exp(x) - 1)

verdict_of <- function(ci95, ci90, p_holm) {
  inside <- ci90[1] > limits[1] && ci90[2] < limits[2]
  holds_zero <- ci95[1] <= 0 && ci95[2] >= 0
  if (inside) return(if (holds_zero) "null" else "immaterial")
  if (holds_zero || p_holm >= 0.05) return("unreadable")
  if (ci95[1] > limits[2]) return("win")
  if (ci95[2] < limits[1]) return("harm")
  if (ci95[1] > 0) "win_size_open" else "harm_size_open"
}

for (harness in plan$harnesses) {
  effects <- Filter(function(e) e$harness == harness$name && identical(e$design, "paired") && !isTRUE(e$relabelled),
                    document$effects)
  tests <- lapply(effects, function(effect) {
    pick <- function(setting) arms[arms$harness == harness$name & arms$setting == setting, c("block", "y")]
    pairs <- merge(pick(effect$control), pick(effect$setting), by = "block")
    pairs <- pairs[!(pairs$block %in% unlist(effect$void_blocks)), ]
    t.test(pairs$y.x - pairs$y.y)
  })
  family <- sum(sapply(document$effects, function(e) e$harness == harness$name && !isTRUE(e$relabelled)))
  p_holm <- p.adjust(sapply(tests, function(t) t$p.value), "holm", n = max(family, length(tests)))
  for (i in seq_along(effects)) {
    effect <- effects[[i]]
    test <- tests[[i]]
    d <- test$estimate[[1]]
    se <- test$stderr
    df <- test$parameter[[1]]
    ci95 <- d + qt(c(.025, .975), df) * se
    ci90 <- d + qt(c(.05, .95), df) * se
    cat(sprintf("%s %-20s %+8.3f %% [%+.3f, %+.3f], floor %.3f %%, p_holm %.3g: %s\n", harness$name, effect$setting,
                percent(d), percent(ci95[1]), percent(ci95[2]), percent(qt(.975, df) * se), p_holm[i],
                effect$verdict))
    same("gain", effect$gain_percent, percent(d))
    same("95 % low", effect$ci95_percent[[1]], percent(ci95[1]))
    same("95 % high", effect$ci95_percent[[2]], percent(ci95[2]))
    same("90 % low", effect$ci90_percent[[1]], percent(ci90[1]))
    same("90 % high", effect$ci90_percent[[2]], percent(ci90[2]))
    same("p", effect$p, test$p.value)
    same("p_holm", effect$p_holm, p_holm[i])
    if (df >= 2) same("paired floor", effect$floor$percent, percent(qt(.975, df) * se))
    expected <- verdict_of(ci95, ci90, p_holm[i])
    if (expected != effect$verdict) {
      cat(sprintf("  verdict: analysis.json %s, from the intervals %s\n", effect$verdict, expected))
      wrong <- wrong + 1
    }
  }
}
cat(sprintf("%d effects of %d runs, %d wrong\n", sum(sapply(document$effects, function(e) identical(e$design, "paired"))),
            nrow(runs), wrong))
quit(status = as.integer(wrong > 0))
