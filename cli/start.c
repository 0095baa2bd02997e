/* start.c - what a statically linked program does before main(), and this one does without.
**
** They are small things, but so is a process that renders a module by compiled code.
** Where the C library is not linked statically, nothing here is ever called.
*/

/* Where the program is: a link of /proc that is read for libraries with $ORIGIN in their search path. -1 is the answer
** where there is no /proc. The C library has this function in an object of its own, which is not taken if there is one. */
const char *_dl_get_origin(void);
const char *_dl_get_origin(void) { return (const char *)-1; }

/* Tables for exceptions, which are found by the program's headers just as well (--eh-frame-hdr). The linker sends calls
** of these here (--wrap, in the Makefile). */
void __wrap___register_frame_info(const void *begin, void *object);
void __wrap___register_frame_info(const void *begin, void *object) { (void)begin, (void)object; }
void *__wrap___deregister_frame_info(const void *begin);
void *__wrap___deregister_frame_info(const void *begin) {
  (void)begin;
  return (void *)0;
}
