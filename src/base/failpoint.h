/*
 * Named points where a test can make the program die, stop or lose its connection.
 * Only -DFAILPOINTS compiles them in; a release has none.
 *
 *     REEVE_FAILPOINTS="claim.committed=kill@1;execute.sent=kill@2"
 */
#ifndef BASE_FAILPOINT_H
#define BASE_FAILPOINT_H

#ifdef FAILPOINTS
/* May end or stop the process: does what REEVE_FAILPOINTS says for the point `name`, if it names that point. */
void failpoint(const char *name);
#define FAILPOINT(name) failpoint(name)
#else
#define FAILPOINT(name) ((void)0)
#endif

#endif
