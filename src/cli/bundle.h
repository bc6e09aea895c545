/*
 * SQL that the program carries, made by scripts/bundle_sql from sql/, examples/ and templates/.
 */
#ifndef CLI_BUNDLE_H
#define CLI_BUNDLE_H

/* A migration that the program carries.  All texts are static. */
struct bundle_migration {
    int version;
    const char *name;
    const char *checksum; /* SHA-256 of the text, in hex */
    const char *sql;
};

/* A template of reeve new (cli/template.h).  All texts are static. */
struct bundle_template {
    const char *name; /* "process.test.sql" */
    const char *text;
};

extern const char bundle_install[];     /* the whole schema, for a new database */
extern const char bundle_schemas[];     /* schemas, before each migration */
extern const char bundle_reapply[];     /* functions, views, triggers, rows, grants */
extern const char bundle_relations[];   /* the views and triggers of bundle_reapply */
extern const char bundle_fingerprint[]; /* query: one text for the objects that bundle_reapply makes */
extern const char bundle_demo[];        /* the demo of reeve dev */
extern const char bundle_example[];     /* the example of reeve install --with-example */
/* All migrations, in order of their versions. */
extern const struct bundle_migration bundle_migrations[];
extern const int bundle_migration_count;

/* All templates, in order of their names. */
extern const struct bundle_template bundle_templates[];
extern const int bundle_template_count;

/* The schema version that this program was made for: its last migration. */
int bundle_schema_version(void);

#endif
