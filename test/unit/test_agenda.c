/* When to look for work: the agenda, event by event, and in a small world of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bounds.h"
#include "task/agenda.h"

enum { GROUPS = 3, POLL_MS = 5000, ROOM = 10 };

struct desk {
    struct agenda agenda;
    struct agenda_rooms rooms;
    int room[GROUPS];
    int64_t now_ms;
};

static int
room_now(void *cookie, int group)
{
    return ((struct desk *)cookie)->room[group];
}

static bool
room_soon(void *cookie, int group)
{
    return ((struct desk *)cookie)->room[group] > 0;
}

static void
set_up(struct desk *desk)
{
    *desk = (struct desk){.now_ms = 100000};
    desk->rooms = (struct agenda_rooms){.now = room_now, .soon = room_soon, .cookie = desk};
    agenda_init(&desk->agenda, GROUPS, POLL_MS);
    for (int i = 0; i < GROUPS; i++) {
        desk->agenda.groups[i].is_served = true;
        desk->room[i] = ROOM;
    }
}

static void
tear_down(struct desk *desk)
{
    agenda_release(&desk->agenda);
}

static int
pick(struct desk *desk)
{
    int limit;

    return agenda_pick(&desk->agenda, &desk->rooms, desk->now_ms, &limit);
}

static enum reach
reach_of(const struct desk *desk, int group)
{
    return agenda_reach(&desk->agenda, group, true, desk->now_ms);
}

/* A claim of this group that takes a millisecond. */
static void
claim(struct desk *desk, int group, enum reach reach, int count)
{
    struct agenda_answer answer = {.group = group, .reach = reach, .sent_ms = desk->now_ms, .asked = ROOM, .count = count};

    agenda_on_sent(&desk->agenda, group, false, desk->now_ms);
    desk->now_ms++;
    if (count > 0)
        agenda_on_found(&desk->agenda, group, count, desk->now_ms);
    agenda_on_answer(&desk->agenda, &answer, &desk->rooms, desk->now_ms);
}

/* Look at everything until nothing is due, and find nothing. */
static void
find_nothing(struct desk *desk)
{
    for (int group = pick(desk), rounds = 0; group >= 0; group = pick(desk), rounds++) {
        assert_true(rounds < 100);
        claim(desk, group, agenda_reach(&desk->agenda, group, desk->agenda.groups[group].claimed_ms > 0, desk->now_ms), 0);
    }
}

static void
test_agenda_sleeps_when_every_group_is_empty_from_the_front(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    assert_int_equal(desk.agenda.mood, MOOD_ASLEEP);
    for (int i = 0; i < GROUPS; i++)
        assert_int_equal(desk.agenda.groups[i].shown, SHOWN_EMPTY);
    assert_true(agenda_is_quiet(&desk.agenda, desk.now_ms));
    assert_false(agenda_call_fronts(&desk.agenda, desk.now_ms));
    /* Then the next due time is asked for, and without it all are looked at after the poll interval. */
    assert_int_equal(agenda_wake_ms(&desk.agenda, desk.now_ms), desk.now_ms + BOUND_STALE_MS);
    desk.now_ms += BOUND_STALE_MS;
    assert_true(agenda_asks_due(&desk.agenda, desk.now_ms));
    agenda_on_due_asked(&desk.agenda, desk.now_ms);
    assert_false(agenda_asks_due(&desk.agenda, desk.now_ms));
    agenda_on_due(&desk.agenda, AGENDA_NEVER, desk.now_ms);
    assert_int_equal(pick(&desk), -1);
    desk.now_ms = desk.agenda.groups[0].claimed_ms + POLL_MS;
    agenda_on_time(&desk.agenda, desk.now_ms);
    assert_true(pick(&desk) >= 0);
    tear_down(&desk);
}

static void
test_agenda_polls_a_group_however_busy_another_one_is(void **state)
{
    struct desk desk;
    int64_t end_ms;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    end_ms = desk.agenda.groups[1].claimed_ms + POLL_MS;
    while (desk.now_ms < end_ms) {
        struct agenda_answer answer = {
            .group = 0, .reach = REACH_FRONT, .sent_ms = desk.now_ms, .asked = ROOM, .is_limited = true};

        agenda_on_sent(&desk.agenda, 0, false, desk.now_ms);
        desk.now_ms += 10;
        agenda_on_answer(&desk.agenda, &answer, &desk.rooms, desk.now_ms);
    }
    assert_int_equal(pick(&desk), 1);
    tear_down(&desk);
}

static void
test_agenda_wakes_when_the_next_task_is_due(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    agenda_on_due_asked(&desk.agenda, desk.now_ms);
    agenda_on_due(&desk.agenda, 300, desk.now_ms);
    assert_int_equal(agenda_wake_ms(&desk.agenda, desk.now_ms), desk.now_ms + 300);
    desk.now_ms += 300;
    agenda_on_time(&desk.agenda, desk.now_ms);
    assert_true(pick(&desk) >= 0);
    find_nothing(&desk);
    /* It was due a moment after the claim. */
    agenda_on_due(&desk.agenda, -1, desk.now_ms);
    assert_int_equal(agenda_wake_ms(&desk.agenda, desk.now_ms), desk.now_ms + 1);
    tear_down(&desk);
}

static void
test_agenda_goes_on_where_a_claim_was_full_and_looks_elsewhere_in_between(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    agenda_call_group(&desk.agenda, 1, desk.now_ms);
    claim(&desk, 1, REACH_OVERLAP, ROOM);
    assert_int_equal(desk.agenda.mood, MOOD_BUSY);
    assert_int_equal(pick(&desk), 1);
    assert_int_equal(reach_of(&desk, 1), REACH_EXACT);
    desk.now_ms += BOUND_STALE_MS;
    assert_int_not_equal(pick(&desk), 1); /* The others come first: they were asked before. */
    tear_down(&desk);
}

static void
test_agenda_reaches_further_where_a_claim_was_short(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    desk.now_ms += BOUND_FRONT_REST_MS;
    agenda_call_group(&desk.agenda, 0, desk.now_ms);
    claim(&desk, 0, REACH_EXACT, 1);
    assert_int_equal(desk.agenda.mood, MOOD_LOOKING);
    assert_true(desk.agenda.groups[0].look_ms <= desk.now_ms);
    desk.agenda.groups[0].front_min_ms = desk.now_ms + 100;
    assert_int_equal(reach_of(&desk, 0), REACH_OVERLAP);
    desk.agenda.groups[0].front_min_ms = 0;
    claim(&desk, 0, REACH_OVERLAP, 0);
    assert_true(desk.agenda.groups[0].look_ms <= desk.now_ms);
    assert_int_equal(reach_of(&desk, 0), REACH_FRONT);
    claim(&desk, 0, REACH_FRONT, 0);
    assert_int_equal(desk.agenda.groups[0].shown, SHOWN_EMPTY);
    tear_down(&desk);
}

/* A look at the front of group 0 that takes so long and passes over something. */
static void
look_at_front(struct desk *desk, int64_t took_ms)
{
    struct agenda_answer answer = {.reach = REACH_FRONT, .sent_ms = desk->now_ms, .asked = ROOM, .is_limited = true};

    agenda_on_sent(&desk->agenda, 0, false, desk->now_ms);
    desk->now_ms += took_ms;
    agenda_on_answer(&desk->agenda, &answer, &desk->rooms, desk->now_ms);
}

static void
test_agenda_looks_less_often_at_a_front_that_costs_much(void **state)
{
    const struct agenda_group *group;
    struct desk desk;

    (void)state;
    set_up(&desk);
    group = &desk.agenda.groups[0];
    look_at_front(&desk, 1);
    assert_int_equal(group->front_min_ms, desk.now_ms + BOUND_FRONT_REST_MS);
    assert_int_equal(group->front_max_ms, desk.now_ms + BOUND_FRONT_MIN_MS);
    look_at_front(&desk, 40);
    assert_int_equal(group->front_min_ms, desk.now_ms + 40 * BOUND_FRONT_FACTOR);
    assert_int_equal(group->front_max_ms, desk.now_ms + 40 * BOUND_FRONT_FACTOR);
    look_at_front(&desk, 60000);
    assert_int_equal(group->front_min_ms, desk.now_ms + BOUND_FRONT_MAX_MS);
    assert_int_equal(group->front_max_ms, desk.now_ms + BOUND_FRONT_MAX_MS);
    tear_down(&desk);
}

static void
test_agenda_concludes_nothing_from_a_claim_that_passed_over_something(void **state)
{
    struct desk desk;
    struct agenda_answer answer = {.group = 0, .reach = REACH_FRONT, .asked = ROOM};

    (void)state;
    set_up(&desk);
    for (int i = 0; i < 2; i++) {
        answer.is_limited = i == 0;
        answer.is_beside = i == 1;
        answer.sent_ms = desk.now_ms;
        agenda_on_sent(&desk.agenda, 0, false, desk.now_ms);
        agenda_on_answer(&desk.agenda, &answer, &desk.rooms, desk.now_ms);
        assert_int_not_equal(desk.agenda.groups[0].shown, SHOWN_EMPTY);
    }
    answer.is_beside = false;
    agenda_on_answer(&desk.agenda, &answer, &desk.rooms, desk.now_ms);
    assert_int_equal(desk.agenda.groups[0].shown, SHOWN_EMPTY);
    tear_down(&desk);
}

static void
test_agenda_keeps_a_call_that_comes_while_a_claim_is_in_flight(void **state)
{
    struct desk desk;
    struct agenda_answer answer = {.group = 0, .reach = REACH_FRONT, .asked = ROOM};

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    answer.sent_ms = desk.now_ms;
    agenda_on_sent(&desk.agenda, 0, false, desk.now_ms);
    agenda_call(&desk.agenda, desk.now_ms);
    desk.now_ms++;
    agenda_on_answer(&desk.agenda, &answer, &desk.rooms, desk.now_ms);
    find_nothing(&desk);
    assert_int_equal(desk.agenda.groups[0].claimed_ms + 1, desk.now_ms); /* It was looked at again. */
    tear_down(&desk);
}

/* A task may be committed after the claim has read, and its notification may arrive before the answer. */
static void
test_agenda_takes_no_group_for_empty_that_was_called_while_its_claim_was_in_flight(void **state)
{
    struct desk desk;
    struct agenda_answer answer = {.group = 0, .reach = REACH_FRONT, .asked = ROOM};

    (void)state;
    set_up(&desk);
    answer.sent_ms = desk.now_ms;
    agenda_on_sent(&desk.agenda, 0, false, desk.now_ms);
    agenda_call_late(&desk.agenda, ++desk.now_ms);
    agenda_on_answer(&desk.agenda, &answer, &desk.rooms, ++desk.now_ms);
    assert_int_not_equal(desk.agenda.groups[0].shown, SHOWN_EMPTY);
    claim(&desk, 0, REACH_OVERLAP, 0);
    assert_int_not_equal(desk.agenda.groups[0].shown, SHOWN_EMPTY);
    tear_down(&desk);
}

/* The clock of the worker stood still for longer than the wait, so the task is due and the answer leaves it out. */
static void
test_agenda_looks_when_a_due_time_that_was_known_is_gone(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    agenda_on_due(&desk.agenda, 4000, desk.now_ms);
    desk.now_ms += 1000;
    agenda_on_due(&desk.agenda, 3000, desk.now_ms);
    assert_int_equal(pick(&desk), -1);
    desk.now_ms += 1000;
    agenda_on_due(&desk.agenda, AGENDA_NEVER, desk.now_ms);
    assert_int_not_equal(pick(&desk), -1);
    tear_down(&desk);
}

static void
test_agenda_asleep_looks_first_for_the_kind_of_work_that_a_queue_had(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    agenda_call_queue(&desk.agenda, 2, desk.now_ms);
    assert_int_equal(pick(&desk), 2);
    assert_int_equal(reach_of(&desk, 2), REACH_OVERLAP);
    /* The others follow, even if nothing is found there. */
    for (int i = 0; i < 2; i++)
        assert_true(desk.agenda.groups[i].look_ms <= desk.now_ms + BOUND_STALE_MS);
    claim(&desk, 2, REACH_OVERLAP, 1);
    desk.now_ms += BOUND_STALE_MS;
    assert_true(pick(&desk) >= 0 && pick(&desk) != 2);
    tear_down(&desk);
}

static void
test_agenda_does_not_sleep_between_tasks_that_come_fast(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    for (int i = 0; i < 2 * BOUND_AHEAD_MS; i++) {
        agenda_call_group(&desk.agenda, 0, desk.now_ms);
        claim(&desk, 0, REACH_OVERLAP, 5);
    }
    while (pick(&desk) > 0 || desk.agenda.groups[0].look_ms <= desk.now_ms)
        claim(&desk, pick(&desk), REACH_FRONT, 0);
    assert_int_equal(desk.agenda.mood, MOOD_BUSY);
    assert_true(agenda_wake_ms(&desk.agenda, desk.now_ms) <= desk.now_ms + BOUND_AWAKE_MS);
    desk.agenda.may_stay_awake = false;
    find_nothing(&desk);
    desk.now_ms += BOUND_AWAKE_MS;
    find_nothing(&desk);
    assert_int_equal(desk.agenda.mood, MOOD_ASLEEP);
    tear_down(&desk);
}

static void
test_agenda_rests_after_an_error_and_then_asks_again(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    desk.agenda.groups[1].front_max_ms = AGENDA_NEVER;
    agenda_on_sent(&desk.agenda, 1, false, desk.now_ms);
    agenda_on_failed(&desk.agenda, 1, false, true, desk.now_ms);
    assert_int_equal(pick(&desk), -1);
    assert_int_equal(agenda_wake_ms(&desk.agenda, desk.now_ms) <= desk.now_ms + BOUND_BUSY_RETRY_MS, 1);
    desk.now_ms += BOUND_BUSY_RETRY_MS;
    assert_int_equal(pick(&desk), 1);
    assert_int_equal(reach_of(&desk, 1), REACH_FRONT);
    tear_down(&desk);
}

static void
test_agenda_waits_for_an_event_where_there_is_no_room(void **state)
{
    struct desk desk;

    (void)state;
    set_up(&desk);
    find_nothing(&desk);
    desk.room[0] = 0;
    agenda_call_group(&desk.agenda, 0, desk.now_ms);
    assert_int_equal(pick(&desk), -1);
    assert_true(agenda_wake_ms(&desk.agenda, desk.now_ms) > desk.now_ms);
    desk.room[0] = 1;
    assert_int_equal(pick(&desk), 0);
    tear_down(&desk);
}

static uint32_t
draw_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (*seed >> 8) % below;
}

/* A world with one claim at a time.  Tasks of a group are found by claims that reach far enough. */
struct world {
    struct desk desk;
    uint32_t seed;
    int exact[GROUPS]; /* tasks behind the last position */
    int late[GROUPS];  /* tasks that only a claim from the front finds */
    int64_t late_ms[GROUPS];
    int64_t exact_ms[GROUPS];
    int claims;
    int found;
};

static void
arrive(struct world *world, bool is_told)
{
    int group = (int)draw_number(&world->seed, GROUPS);
    int count = 1 + (int)draw_number(&world->seed, 30);
    bool is_late = draw_number(&world->seed, 10) == 0;

    if (is_late && world->late[group] == 0)
        world->late_ms[group] = world->desk.now_ms;
    if (!is_late && world->exact[group] == 0)
        world->exact_ms[group] = world->desk.now_ms;
    *(is_late ? &world->late[group] : &world->exact[group]) += count;
    if (is_told && draw_number(&world->seed, 2) == 0)
        agenda_call_queue(&world->desk.agenda, group, world->desk.now_ms);
    else if (is_told)
        agenda_call_late(&world->desk.agenda, world->desk.now_ms);
}

static void
claim_in(struct world *world, int group)
{
    struct desk *desk = &world->desk;
    struct agenda_answer answer = {.group = group, .asked = ROOM, .sent_ms = desk->now_ms};
    int left;

    answer.reach = agenda_reach(&desk->agenda, group, desk->agenda.groups[group].claimed_ms > 0, desk->now_ms);
    answer.is_gate_held = desk->agenda.mood != MOOD_BUSY;
    agenda_on_sent(&desk->agenda, group, false, desk->now_ms);
    desk->now_ms += draw_number(&world->seed, 8) == 0 ? 20 : 1;
    answer.count = world->exact[group] < ROOM ? world->exact[group] : ROOM;
    world->exact[group] -= answer.count;
    left = ROOM - answer.count;
    if (answer.reach == REACH_FRONT) {
        int late = world->late[group] < left ? world->late[group] : left;

        world->late[group] -= late;
        answer.count += late;
    }
    world->claims++;
    world->found += answer.count;
    if (answer.count > 0)
        agenda_on_found(&desk->agenda, group, answer.count, desk->now_ms);
    agenda_on_answer(&desk->agenda, &answer, &desk->rooms, desk->now_ms);
}

static void
check_world(const struct world *world)
{
    for (int i = 0; i < GROUPS; i++) {
        if (world->exact[i] > 0)
            assert_true(world->desk.now_ms - world->exact_ms[i] <= POLL_MS + 1000);
        if (world->late[i] > 0)
            assert_true(world->desk.now_ms - world->late_ms[i] <= BOUND_FRONT_MAX_MS + POLL_MS + 1000);
    }
}

/* With all notifications lost, what is there is found after the poll interval at the latest, and what is there from long
 * ago after the longest time between two looks at the front; and nothing is asked for again and again. */
static void
test_agenda_finds_everything_in_time_and_sleeps_when_there_is_nothing(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        struct world world = {.seed = seed};
        struct desk *desk = &world.desk;
        bool is_told = seed % 2 == 0;
        int64_t end_ms;

        set_up(desk);
        end_ms = desk->now_ms + 120000;
        while (desk->now_ms < end_ms) {
            int group = pick(desk);
            bool is_quiet_time = desk->now_ms > end_ms - 60000;
            int64_t wake_ms;

            if (group >= 0) {
                claim_in(&world, group);
                check_world(&world);
                continue;
            }
            wake_ms = agenda_wake_ms(&desk->agenda, desk->now_ms);
            if (agenda_asks_due(&desk->agenda, desk->now_ms)) {
                agenda_on_due_asked(&desk->agenda, desk->now_ms);
                agenda_on_due(&desk->agenda, AGENDA_NEVER, desk->now_ms);
                continue;
            }
            assert_true(wake_ms > desk->now_ms);
            assert_true(wake_ms <= desk->now_ms + POLL_MS);
            if (!is_quiet_time && draw_number(&world.seed, 3) == 0) {
                int64_t next_ms = desk->now_ms + draw_number(&world.seed, 2000);

                desk->now_ms = next_ms < wake_ms ? next_ms : wake_ms;
                arrive(&world, is_told);
            } else {
                desk->now_ms = wake_ms;
            }
            if (is_quiet_time && desk->now_ms - (end_ms - 60000) < 6000)
                world.claims = 0;
            agenda_on_time(&desk->agenda, desk->now_ms);
        }
        for (int i = 0; i < GROUPS; i++)
            assert_int_equal(world.exact[i] + world.late[i], 0);
        /* In the last minute nothing came: each poll interval every group is asked, twice at most. */
        assert_true(world.claims <= 60000 / POLL_MS * GROUPS * 3);
        assert_int_equal(desk->agenda.mood, MOOD_ASLEEP);
        tear_down(desk);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agenda_sleeps_when_every_group_is_empty_from_the_front),
        cmocka_unit_test(test_agenda_polls_a_group_however_busy_another_one_is),
        cmocka_unit_test(test_agenda_wakes_when_the_next_task_is_due),
        cmocka_unit_test(test_agenda_goes_on_where_a_claim_was_full_and_looks_elsewhere_in_between),
        cmocka_unit_test(test_agenda_reaches_further_where_a_claim_was_short),
        cmocka_unit_test(test_agenda_looks_less_often_at_a_front_that_costs_much),
        cmocka_unit_test(test_agenda_concludes_nothing_from_a_claim_that_passed_over_something),
        cmocka_unit_test(test_agenda_keeps_a_call_that_comes_while_a_claim_is_in_flight),
        cmocka_unit_test(test_agenda_takes_no_group_for_empty_that_was_called_while_its_claim_was_in_flight),
        cmocka_unit_test(test_agenda_looks_when_a_due_time_that_was_known_is_gone),
        cmocka_unit_test(test_agenda_asleep_looks_first_for_the_kind_of_work_that_a_queue_had),
        cmocka_unit_test(test_agenda_does_not_sleep_between_tasks_that_come_fast),
        cmocka_unit_test(test_agenda_rests_after_an_error_and_then_asks_again),
        cmocka_unit_test(test_agenda_waits_for_an_event_where_there_is_no_room),
        cmocka_unit_test(test_agenda_finds_everything_in_time_and_sleeps_when_there_is_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
