/*
 * The protocol between this program and a child: one JSON object per line, in both directions.  docs/programs.md describes it
 * for the authors of children.
 *
 *   from the child   {"hello": 1, "types": ["resize_image"], "at_once": 1}
 *   to the child     {"id": "17", "type": "resize_image", "attempt": 1, "payload": {...}, "key": "...", "deadline": 1.5e9,
 *                     "timeout": 60, "traceparent": null}
 *   from the child   {"id": "17", "result": ...}  or  {"id": "17", "error": "...", "final": true, "retry_after": 30}
 *   from the child   {"id": "17", "progress": ...}
 *   to the child     {"cancel": "17", "reason": "timeout"}  and  {"stop": true}
 *   to the child     {"ping": 1}, if its hello line has "ping": true; from the child {"pong": 1}
 *
 * This file reads and writes texts only.
 */
#ifndef PROGRAM_PROTOCOL_H
#define PROGRAM_PROTOCOL_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "channel/carrier.h"

/* Version of the protocol. */
enum { PROTOCOL_VERSION = 1 };

/* What a line of a child says. */
enum protocol_kind {
    PROTOCOL_HELLO,
    PROTOCOL_RESULT,
    PROTOCOL_FAILURE,
    PROTOCOL_PROGRESS,
    PROTOCOL_PONG,
};

/* A line of a child.  protocol_message_release frees its texts. */
struct protocol_message {
    enum protocol_kind kind;
    int64_t id;         /* task of an answer */
    char *types;        /* PROTOCOL_HELLO: array literal of task types, at least one */
    int at_once;        /* PROTOCOL_HELLO: tasks that the child takes at once */
    bool has_pong;      /* PROTOCOL_HELLO: the child answers pings, also while its tasks run */
    char *value;        /* PROTOCOL_RESULT, PROTOCOL_PROGRESS: JSON as the child wrote it; "null": none */
    char *error;        /* PROTOCOL_FAILURE: cleaned text */
    bool is_final;      /* PROTOCOL_FAILURE: another attempt is of no use */
    double retry_after; /* PROTOCOL_FAILURE: seconds before the next attempt; negative: not given */
};

/* Reads a line.  True: the caller releases *ret_message.  False: the line breaks the protocol, as `err` says; nothing is to be
 * released. */
NODISCARD bool protocol_read(const char *line, size_t length, struct protocol_message *ret_message, struct err *err);

/* Frees the texts of a message. */
void protocol_message_release(struct protocol_message *message);

/* Add a line to the child.  deadline_s is in seconds since 1970; 0: none. */
void protocol_write_task(struct buf *to, const struct carrier_task *task, double deadline_s);
void protocol_write_cancel(struct buf *to, int64_t id, const char *reason);
void protocol_write_stop(struct buf *to);
void protocol_write_ping(struct buf *to, int number);

/* Is the text one JSON value that the database accepts?  For results of programs that are started once per task. */
bool protocol_is_json(const char *text, size_t length);

/* Does the name have the form of a task type? */
bool protocol_is_type(const char *name);

#endif
