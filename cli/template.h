/* template.h - texts inside the program that commands write or check with: the modules of `opm mod init`, the
** configuration of `opm config init`, and its schema. The tables are made of cli/embedded by stdlib/opm/embed.c. */
#ifndef OPM_TEMPLATE_H
#define OPM_TEMPLATE_H

#include "cli/run.h"

extern const LoadEmbedded template_modules[];
extern const size_t template_count;

const LoadEmbedded *template_find(CueStr name); /* NULL if there is none */

typedef struct {
  CueStr path; /* relative to the module's folder */
  CueStr text;
} TemplateFile;
typedef CUE_VEC(TemplateFile) TemplateFiles;

/* The files of a template, with `name` for its name, and the modules inside the program that it imports as its
** dependencies. False with d filled. */
bool template_files(Run *r, const LoadEmbedded *t, CueStr name, TemplateFiles *out, CueDiags *d);

#endif
