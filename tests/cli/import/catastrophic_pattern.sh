# A pattern that backtracks without end is stopped, with the line named.
plan '^(?<step>(a|aa)+)(?<time>[bd])$'
printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac\n' >a.log
unchanged c assay import c --harness train --setting base --block b1 a.log
