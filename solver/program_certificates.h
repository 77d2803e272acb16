/* program_certificates.h: the folder that --certificate names: one file a problem. */
#ifndef TSUME_PROGRAM_CERTIFICATES_H
#define TSUME_PROGRAM_CERTIFICATES_H

#include "tsume.h"

/* Makes the folder if it is not there. Ends the process with STATUS_FAILED if it cannot be made. */
void certificates_begin(const char *folder);

/* The file for the certificate of the next problem of the input: FOLDER/ID.cert, malloc'd. Characters of the identifier that a file name should
 * not have become '_', and a name already given to an earlier problem of this run gets a number: so names depend on the input alone. Ends the
 * process with STATUS_FAILED when memory is short. For one thread at a time. */
char *certificates_path(const char *folder, const struct tsume_problem *problem);

/* Writes a certificate to the path; the file appears complete or not at all. Where there is none (bytes NULL) it says on stderr why (why: NULL if
 * nothing was decided), and returns false. Ends the process with STATUS_FAILED if a file cannot be written. Thread safe for different
 * paths. */
bool certificates_write(const char *path, const struct tsume_problem *problem, const void *bytes, size_t size,
                        const char *why);

#endif
