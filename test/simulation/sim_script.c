/*
 * Statements from standard input, one by one, against the model: what the comparison with the real server drives.
 *
 *   task KIND MOOD             enqueue one; answers its id
 *   expire ID, due ID, later ID    its lease has run out; its time has come; it has not, by far
 *   cancel ID
 *   N WORKER PARAMETER ...     statement number N of db/statements.h; \N is null
 *   facts                      all that is known, one line per task
 *   statements                 number, name and text of each
 *
 * Fields are separated by tabs.  Each answer is some lines and an empty one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

enum { FIELDS = BOUND_PARAMS + 2 };

static struct session *sessions[2];

static void
start(void)
{
    sim = must_alloc(sizeof(*sim));
    sim->is_script = true;
    sim->is_calm = true;
    sim->now_us = 10 * SIM_SECOND;
    list_init(&sim->sessions);
    list_init(&sim->dead_sessions);
    sim->tasks = must_alloc(sizeof(sim->tasks[0]) * SIM_TASKS);
    sim->queue_count = 1;
    (void)snprintf(sim->queues[0].name, sizeof(sim->queues[0].name), "default");
    for (int i = 0; i < 2; i++) {
        sim->workers[i] = must_alloc(sizeof(*sim->workers[i]));
        sim->workers[i]->number = i;
        sim->worker_count++;
        sim->workers[i]->well_since_us = INT64_MAX; /* Nobody is blamed here. */
        sessions[i] = server_connect(NULL, sim->workers[i]);
    }
}

static void
say_rows(const PGresult *rows)
{
    for (int row = 0; row < PQntuples(rows); row++) {
        for (int column = 0; column < PQnfields(rows); column++)
            (void)printf("%s%s", column == 0 ? "" : "\t", PQgetisnull(rows, row, column) ? "\\N" : PQgetvalue(rows, row, column));
        (void)printf("\n");
    }
}

static void
run_statement(char **fields)
{
    struct request *request = must_alloc(sizeof(*request));

    list_init(&request->node);
    request->statement = (enum statement)strtol(fields[0], NULL, 10);
    request->session = sessions[strtol(fields[1], NULL, 10)];
    for (int i = 0; i < BOUND_PARAMS; i++)
        request->params[i] = fields[i + 2] == NULL || strcmp(fields[i + 2], "\\N") == 0 ? NULL : must_strdup(fields[i + 2]);
    (void)statement_begin(request);
    statement_end(request);
    model_unlock(request->session, false);
    if (request->has_failed)
        (void)printf("error\t%s\n", request->err.code);
    else
        say_rows(request->rows);
    request_free(request);
}

static void
say_facts(void)
{
    static const char *const places[] = {"open", "ready", "running", "completed"};
    static const char *const ends[] = {"", "", "released", "retry", "expired", "handler_failed"};

    for (int i = 0; i < sim->task_count; i++) {
        const struct sim_task *task = sim->tasks[i];
        bool is_open = task->place != PLACE_COMPLETED;

        (void)printf("%" PRId64 "\t%s\t%d\t%d\t%s\t%s\t%d", task->id, places[task->place], task->lease_no,
            is_open ? task->crash_count : 0, is_open && task->phase == 'h' ? "h" : "", task->outcome == NULL ? "" : task->outcome,
            task->completed_by);
        for (int no = 1; no <= task->lease_no; no++) {
            const struct sim_lease *lease = &task->leases[no];

            (void)printf("\t%d:%s:%s:%s:%d", no, ends[lease->how], lease->outcome == NULL ? "" : lease->outcome,
                lease->late_outcome == NULL ? "" : lease->late_outcome, lease->was_dispatched);
        }
        (void)printf("\n");
    }
}

static void
add_task(const char *kind, const char *mood)
{
    for (int i = 0; i < KINDS; i++) {
        struct sim_task *task;

        if (strcmp(model_type((enum sim_kind)i), kind) != 0)
            continue;
        task = model_add((enum sim_kind)i, 0);
        task->mood = strcmp(mood, "raises") == 0 ? MOOD_RAISES : MOOD_GOOD;
        task->place = PLACE_READY;
        task->available_us = sim->now_us;
        (void)printf("%" PRId64 "\n", task->id);
        return;
    }
}

static void
run_line(char *line)
{
    char *fields[FIELDS + 1] = {NULL};
    struct sim_task *task;
    int count = 0;

    line[strcspn(line, "\n")] = '\0';
    for (char *at = line; at != NULL && count < FIELDS;)
        fields[count++] = strsep(&at, "\t");
    task = fields[1] == NULL ? NULL : model_task(strtoll(fields[1], NULL, 10));
    sim->now_us += SIM_MS;
    if (strcmp(fields[0], "task") == 0)
        add_task(fields[1], fields[2]);
    else if (strcmp(fields[0], "facts") == 0)
        say_facts();
    else if (strcmp(fields[0], "expire") == 0)
        task->expires_us = sim->now_us - 1;
    else if (strcmp(fields[0], "due") == 0)
        task->available_us = sim->now_us;
    else if (strcmp(fields[0], "later") == 0)
        task->available_us = sim->now_us + 3600 * SIM_SECOND;
    else if (strcmp(fields[0], "cancel") == 0)
        model_cancel(task);
    else if (strcmp(fields[0], "statements") == 0)
        for (int i = 0; i < STATEMENT_COUNT; i++)
            (void)printf("%d\t%s\t%s\n", i, statements[i].name, statements[i].sql);
    else
        run_statement(fields);
    (void)printf("\n");
    (void)fflush(stdout);
}

int
script_main(void)
{
    char *line = NULL;
    size_t room = 0;

    start();
    while (getline(&line, &room, stdin) > 0)
        run_line(line);
    free(line);
    return sim->has_failed ? 1 : 0;
}
