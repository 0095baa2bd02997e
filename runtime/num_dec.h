/* num_dec.h - what num.c and num_math.c share: how a CueNum and libmpdec's decimal meet.
**
** Private to those two files. The library's type is only named here, never defined.
*/
#ifndef CUE_NUM_DEC_H
#define CUE_NUM_DEC_H

#include "runtime/num.h"

#define NUM_PRECISION 34 /* digits of float arithmetic */
#define NUM_MAX_EXPONENT 100000

struct mpd_t;
const struct mpd_t *num_view(const CueNum *x);
bool num_in_range(const struct mpd_t *d); /* adjusted exponent within +-NUM_MAX_EXPONENT, or not finite */
/* Copies d into the arena and releases what libmpdec allocated for it. Status is the
** library's; it and the range decide the result. */
CueNumErr num_keep(CueArena *a, struct mpd_t *d, uint32_t status, const CueNum **out);

#endif
