/* program_module.h: the part of the program that draws pictures, `tsume-draw.so`, loaded when one is wanted. */
#ifndef TSUME_PROGRAM_MODULE_H
#define TSUME_PROGRAM_MODULE_H

/* The object of this name in the module ("draw_module", "plot_module"), which stays loaded. Ends the process with STATUS_FAILED where there is none. The
 * module lies where the program was built, or in LIBDIR/tsume where both are installed. */
const void *program_module(const char *name);

#endif
