# What a log or a name holds never steers the terminal.
plan
log a.log base 3 1 1 1 1
printf '\033]0;owned\007\033[31mred\n' >>a.log
mv a.log $'a\033[2J.log'
assay import c --harness train --setting base --block b1 $'a\033[2J.log' >out.txt 2>&1
echo "exit $?"
grep -c $'\033' out.txt
grep 'control sequence' out.txt
true
