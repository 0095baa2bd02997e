/* compiled.h - what is compiled of a provider or of a module.
**
** Compiled is functions on data, and a description, itself data, of what they are for. A function is
** a plan as the compiler made it, or code as a C compiler made it of the plan; who runs it cannot tell.
** One that could not be lowered has neither, and the evaluator does its work.
**
** A provider is described as
**
**   {name, version, transformers: [{key, labels: {}, resources: [], traits: [], optionalTraits: [], transform, context}]}
**
** by key, in order of bytes; resources and traits are FQNs. `transform` and `context` are indices of
** functions. context(input) makes #context of what the renderer knows (lower_context says what that is);
** transform(component, context) makes the output.
**
** A module is described as
**
**   {metadata: {name, version, fqn, identity, defaultNamespace?, labels?, annotations?}, config?, components, partial?}
**
** config(values) is #config with values in it, complete and checked; partial(values), if it is there, checks values that
** need not be complete; components(config, values) is a list of
**
**   {key, name, labels: {}, resources: [], traits: [], component}
**
** in the order of #components: what matching asks for, and the data that transformers get. partial(values) yields
** something if values, which need not be complete, have only fields and types that #config allows; it may be config itself.
**
** For those who render without the CUE of the module there is further
**
**   package              of its files
**   values               what files but values.cue say values are: "none", "config" or data; absent if they say more
**   environments         {NAME: {namespace?, labels?, annotations?, values?}}: those that are data, and valid
**   environmentsFolder   whether there is a folder of that name
**   release              {name, namespace?, values, environment?}: what was compiled is a release that is written out,
**                        with metadata of both; it has values and one environment, and not the four above
**   builtinProvider      the Kubernetes provider it would be rendered with is the one inside the program
*/
#ifndef CUE_COMPILED_H
#define CUE_COMPILED_H

#include "runtime/plan.h"

/* Code that was compiled needs the functions it names: `find` knows the packages. False with *missing set if there is no
** such function, or the code is of another CUE_ABI. */
typedef const CueBuiltinPackage *CompiledFind(CueStr path);
bool compiled_link(CueArena *a, const Compiled *code, CompiledFind *find, Compiled *out, CueStr *missing);

/* The function of that index on these inputs. False: given up, or there is none. */
bool compiled_run(const Compiled *c, uint32_t function, CueArena *a, CueRegexCache *regexes, const CueValue *inputs,
                  CueValue *out);

#endif
