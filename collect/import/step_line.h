/*
 * Step lines of training programs: what their formats share. A format says where a step's record begins and which words
 * stand beside its numbers; this reads the records of a log into iterations, whatever order the words come in, and
 * counts a step once that several ranks printed. Knows no program.
 */
#ifndef COLLECT_IMPORT_STEP_LINE_H
#define COLLECT_IMPORT_STEP_LINE_H

#include "collect/import/iterations.h"
#include "collect/import/unmess.h"

enum step_key_side {
	STEP_KEY_FIRST, /* "loss: 2.5", "loss=2.5", "'loss': 2.5", "loss 2.5" */
	STEP_KEY_LAST,  /* "12.5 ms" */
};

/* A word of a record and where the number beside it goes. */
struct step_key {
	const char *word;
	enum iteration_field field;
	double scale; /* to the field's unit; 0: the number carries s, ms or us itself, else it is not taken */
	enum step_key_side side;
	const char *unit; /* of a throughput, as printed */
};

enum step_repeats {
	STEP_REPEATS_RANKS, /* lines of one step come from several ranks: one is kept */
	STEP_REPEATS_PARTS, /* they tell several things of the step: they are joined */
};

struct step_format {
	const char *(*find)(const char *text); /* where the first record of a text begins, or NULL */
	bool (*continues)(const char *text);   /* whether a line goes on with a record; NULL: one line a record */
	const struct step_key *keys;           /* the first word of a field that has a number wins */
	size_t n_keys;
	enum step_repeats repeats;
};

/**
 * Read all records. A row without a step is dropped where the format has a word for steps. A number at the end of a
 * file that does not end with a newline is not taken, since it may be cut.
 *
 * @param ret_iterations  rows in the order of the file, with total, flags and the throughput's unit
 */
void step_lines_read(const struct clean_lines *lines, const struct step_format *format,
		     struct iterations *ret_iterations);
/** Whether any line holds a record. */
bool step_lines_detect(const struct clean_lines *lines, const struct step_format *format);

/** The number at a place, thousands commas taken, nan and inf as NAN: the place behind it, or NULL when none is there.
 */
const char *step_number(const char *place, double *ret_number);
/** The number beside a word, or false. */
bool step_value(const char *record, const char *word, double *ret_number);
/** Where a word stands by itself (not inside another), or NULL. */
const char *step_word(const char *text, const char *word);
/** "<word> <digits>": where such a pair begins, with only blanks, a colon or an equals sign between, or NULL. */
const char *step_numbered(const char *text, const char *word);

#endif
