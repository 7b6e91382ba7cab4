# The gains are those of R 4.2.2: 100 * expm1(power.t.test(n = blocks, sd = log(1.02) / 2.8 * sqrt(2), power = 0.8,
# type = "paired", strict = TRUE, tol = 1e-13)$delta); the blocks for the margin of 2 % are the smallest with that power.
commanded 5
assay plan c --floor 2
assay plan c --floor 300 | grep '> 1000'
