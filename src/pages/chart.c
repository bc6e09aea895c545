#include "pages/chart.h"

#include <string.h>

#include "pages/parts.h"

enum { BAR_WIDTH = 10, HEIGHT = 120, SPARK_HEIGHT = 18, SPARK_WIDTH = 5, FIRES = 60, SQUARE = 12 };

/* A height for a value, at least one unit if there is something to show. */
static int
scaled(double value, double most, int height)
{
    int result = most <= 0 ? 0 : (int)(value / most * height);

    return value > 0 && result == 0 ? 1 : result;
}

/* The next number that is easy to read, with one digit before its zeros. */
static long long
round_up(double value)
{
    static const int steps[] = {1, 2, 3, 4, 5, 6, 8};

    for (long long power = 1; power < 1000000000000LL; power *= 10) {
        for (size_t i = 0; i < LENGTH(steps); i++) {
            if ((double)(steps[i] * power) >= value)
                return steps[i] * power;
        }
    }
    return (long long)value;
}

void
chart_minutes(struct html *html, const json_t *rows, int count, const char *label)
{
    double most = 0;
    long long top;
    size_t index;
    const json_t *row;
    int width = count * BAR_WIDTH;

    json_array_foreach(rows, index, row)
    {
        double sum = part_real(row, "good") + part_real(row, "bad");

        most = sum > most ? sum : most;
    }
    top = round_up(most < 1 ? 1 : most);
    html_put(html, "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" preserveAspectRatio=\"none\">",
        width, HEIGHT, label);
    html_put(html,
        "<line class=\"grid\" x1=\"0\" y1=\"0\" x2=\"%d\" y2=\"0\"/><line class=\"grid\" x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
        "<line class=\"axis\" x1=\"0\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>",
        width, HEIGHT / 2, width, HEIGHT / 2, HEIGHT, width, HEIGHT);
    json_array_foreach(rows, index, row)
    {
        int good = scaled(part_real(row, "good"), (double)top, HEIGHT);
        int bad = scaled(part_real(row, "bad"), (double)top, HEIGHT);
        int x = (int)part_int(row, "minute_no") * BAR_WIDTH;
        struct part_word word;

        if (x < 0 || x >= width || good + bad == 0)
            continue;
        html_put(html, "<g><title>%s: %lld done, %lld failed</title>", part_text(row, "minute", &word), part_int(row, "good"),
            part_int(row, "bad"));
        html_put(html, "<rect class=\"bar-good\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", x + 1, HEIGHT - good,
            BAR_WIDTH - 2, good);
        html_put(html, "<rect class=\"bar-bad\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></g>", x + 1, HEIGHT - good - bad,
            BAR_WIDTH - 2, bad);
    }
    html_put(
        html, "</svg><div class=\"scale\"><span>%lld per minute</span><span>an hour ago \xe2\x86\x92 now</span></div>\n", top);
}

void
chart_spark(struct html *html, const json_t *numbers, const char *label)
{
    double most = 0;
    size_t index;
    const json_t *number;

    json_array_foreach(numbers, index, number)
    {
        most = json_number_value(number) > most ? json_number_value(number) : most;
    }
    html_put(html, "<svg class=\"spark\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"%s\">",
        (int)json_array_size(numbers) * SPARK_WIDTH, SPARK_HEIGHT, label);
    json_array_foreach(numbers, index, number)
    {
        int height = scaled(json_number_value(number), most, SPARK_HEIGHT);

        html_put(html, "<rect class=\"bar-good\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", (int)index * SPARK_WIDTH,
            SPARK_HEIGHT - (height == 0 ? 1 : height), SPARK_WIDTH - 1, height == 0 ? 1 : height);
    }
    html_put(html, "</svg>");
}

/* The colour of a fire: how its work ended, or why it was not fired. */
static const char *
fire_class(const json_t *fire)
{
    struct part_word word;
    const char *outcome = part_text(fire, "outcome", &word);

    if (!part_has(fire, "task_id"))
        return "fire-missed";
    if (outcome[0] == '\0')
        return "fire-open";
    return strcmp(outcome, "succeeded") == 0 || strcmp(outcome, "non_success") == 0 ? "fire-good" : "fire-bad";
}

void
chart_fires(struct html *html, const json_t *fires)
{
    size_t count = json_array_size(fires);
    size_t shown = count > FIRES ? FIRES : count;

    html_put(html,
        "<svg class=\"fires\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"The last %d decisions, oldest first\">",
        (int)shown * SQUARE, SQUARE, (int)shown);
    for (size_t i = 0; i < shown; i++) {
        const json_t *fire = json_array_get(fires, shown - 1 - i);
        struct part_word decision, slot, outcome;

        html_put(html, "<rect class=\"%s\" x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"><title>%s: %s %s</title></rect>",
            fire_class(fire), (int)i * SQUARE, SQUARE - 2, SQUARE, part_text(fire, "first_slot", &slot),
            part_text(fire, "decision", &decision), part_text(fire, "outcome", &outcome));
    }
    html_put(html, "</svg>");
}
