/* version.h - which language this is. */
#ifndef OPM_VERSION_H
#define OPM_VERSION_H

#define CUE_LANGUAGE_VERSION "v0.16.1"

#endif
