/* program_certificates.h: the folder that --certificate names: one file a problem. */
#ifndef TSUME_PROGRAM_CERTIFICATES_H
#define TSUME_PROGRAM_CERTIFICATES_H

#include "tsume.h"

/* Makes the folder if it is not there. Ends the process with STATUS_FAILED if it cannot be made. */
void certificates_begin(const char *folder);

/* Writes the certificate of the answer, if it has one, as FOLDER/ID.cert. Characters of the identifier that a file name should not have become
 * '_', and a name already given to another problem of this run gets a number. The file appears complete or not at all. Says on stderr
 * why an answer has no certificate; ends the process with STATUS_FAILED if a file cannot be written. Thread safe. */
void certificates_write(const char *folder, const struct tsume_problem *problem, const struct tsume_answer *answer);

#endif
