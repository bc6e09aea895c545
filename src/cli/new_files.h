/*
 * The files that reeve new writes: templates of the bundle, filled.  Either all files are written or, if one exists and must not
 * be overwritten, none.
 */
#ifndef CLI_NEW_FILES_H
#define CLI_NEW_FILES_H

#include <stdbool.h>

#include "cli/template.h"

/* One file.  Texts are static. */
struct new_file {
    const char *suffix;       /* end of the file's name */
    const char *what;         /* what the file is, for the person who asked for it */
    const char *templates[4]; /* names in the bundle, such as "process.sql"; their texts follow each other; ends with NULL */
};

enum { NEW_FILES = 3 }; /* files for each thing: its SQL, a test for psql, a test for pgTAP */

/* Writes the files `stem` + suffix into a folder, and prints one line for each.  An existing file is replaced as a whole, and
 * only if is_forced is true.  False: a file exists, or could not be written, as `err` says. */
NODISCARD bool new_files_write(const struct new_file files[NEW_FILES], const char *folder, const char *stem, bool is_forced,
    const struct template_fill *fill, struct err *err);

#endif
