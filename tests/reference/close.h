/*
 * Comparison of doubles at a relative tolerance for cmocka, which has single precision only. Include after cmocka.h.
 */
#ifndef REFERENCE_CLOSE_H
#define REFERENCE_CLOSE_H

#include <math.h>
#include <stdio.h>

#define assert_close(got, expect, rtol)                                          \
	do {                                                                     \
		double got_ = (got);                                             \
		double expect_ = (expect);                                       \
		if (!(fabs(got_ - expect_) <= (rtol)*fabs(expect_)))             \
			fail_msg("%s is %.17g, not %.17g", #got, got_, expect_); \
	} while (0)

#endif
