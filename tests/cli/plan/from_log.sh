# Recorded runs give the spread: the paired floors of an imported campaign, which has no command to run. R 4.2.2 from the
# times of the logs: sd(log(base) - log(fast)), sd(log(base) - log(flat)), then power.t.test as in floor.sh, tol = 1e-13.
measured
assay plan c
