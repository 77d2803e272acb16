/* program.h: what the pieces of the program `tsume` share: the commands and the exit statuses.
 *
 * Files named main.c, cmd_*.c and program_*.c make up the program; they see the library through tsume.h only. */
#ifndef TSUME_PROGRAM_H
#define TSUME_PROGRAM_H

/* How the program ends. After a signal it is 128 + the signal's number. */
enum exit_status {
    STATUS_DECIDED = 0, /* every problem: mate or no mate */
    STATUS_UNKNOWN = 1, /* at least one not decided within its limits, or without the certificate asked for */
    STATUS_USAGE = 2,   /* the command line made no sense */
    STATUS_INVALID = 3, /* at least one that is no legal problem, or no readable file */
    STATUS_FAILED = 4,  /* no memory, or the output could not be written */
};

/* One command: gets argv[0] as the name to show in messages ("tsume solve"), returns the exit status. */
int cmd_solve(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_duplicates(int argc, char **argv);
int cmd_usi(int argc, char **argv);
int cmd_bench(int argc, char **argv); /* in bench/ */

/* Says `tsume: MESSAGE[: strerror(error)]` (or what the program is called) on stderr and ends the process with STATUS_FAILED. error 0: none to tell. */
_Noreturn void program_fail(int error, const char *message);
/* The memory itself; where it is NULL, ends the process so. */
void *program_must(void *memory);

#endif
