# Help of the program and of every command, on standard output.
assay --help | head -n 3
for command in init plan collect import analyze show report gate note; do
	assay $command --help >help.txt || echo "$command --help failed"
	grep -c "usage: assay $command DIR" help.txt
	assay help $command | cmp - help.txt
done
assay collect --help | grep -o 'exits with 130'
