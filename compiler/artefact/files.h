/* files.h - files and folders of ours that must survive being killed at any moment. */
#ifndef OPM_ARTEFACT_FILES_H
#define OPM_ARTEFACT_FILES_H

#include "runtime/str.h"

/* Makes a folder that nobody else can enter, and those above it. */
bool folder_make(CueArena *a, CueStr path, CueStr *why);
/* A new folder below another, which is made too; named after this process, so that gc knows whether it is in use. */
bool folder_private(CueArena *a, CueStr below, CueStr *dir, CueStr *why);
void folder_remove(CueArena *a, CueStr path);       /* with all that is in it; follows no link */
bool folder_is_left_over(CueArena *a, CueStr path); /* made by folder_private, by a process that is no more */

/* A new file, which must not be there yet. */
bool file_put(CueArena *a, CueStr path, CueStr bytes, CueStr *why);
/* A file in place of another at once, on disk when it returns. `scratch` is on the same file system. */
bool file_replace(CueArena *a, CueStr path, CueStr bytes, unsigned mode, CueStr *why);
bool file_take(CueArena *a, CueStr path, CueStr *bytes, CueStr *why); /* reads it whole */

#endif
