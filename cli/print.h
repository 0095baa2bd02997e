/* print.h - writing whole texts to a file descriptor. */
#ifndef OPM_PRINT_H
#define OPM_PRINT_H

#include "runtime/str.h"

bool print_all(int fd, CueStr s); /* false if it could not be written whole */

#endif
