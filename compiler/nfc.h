/* nfc.h - text in Unicode's normal form C: labels that look the same are the same. */
#ifndef CUE_NFC_H
#define CUE_NFC_H

#include "runtime/str.h"

CueStr nfc_normalize(CueArena *a, CueStr s); /* s itself if it is in that form already */

#endif
