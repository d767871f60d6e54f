// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

KeyRow textsKey(std::string_view path, double most, std::string_view help, bool required = false)
{
    return { .path = path, .type = KeyType::texts, .most = most, .required = required, .help = help };
}

KeyRows studyTopKeys()
{
    return {
        { .path = "format",
            .type = KeyType::integer,
            .least = 1,
            .most = 1'000'000,
            .help = "The version of the format: 1.",
            .rare = true },
        { .path = "kind",
            .type = KeyType::choice,
            .required = true,
            .choices = { "study" },
            .help = "Says that the file describes a study." },
        textKey("name",
            "By which recordings know the study: letters, digits, - and _. Runs that were made under another "
            "name "
            "do not belong to it.",
            true),
        textKey("title", "The study's name in lists and documents; without it `name`."),
        textKey("description", "The question that it is to answer."),
        textKey("baseline",
            "The id of the case or set that others are compared with; without it the first case."),
        { .path = "matters",
            .type = KeyType::percent,
            .least = 0,
            .most = 100,
            .fallback = "2 %",
            .help = "A difference below this does not matter, even where it is shown." },
        { .path = "confidence",
            .type = KeyType::percent,
            .least = 50,
            .most = 99.9,
            .fallback = "95 %",
            .help = "Of the intervals and critical differences." },
        { .path = "order",
            .type = KeyType::choice,
            .fallback = "A B B A",
            .choices = { "as given", "A B A B", "A B B A", "A B A" },
            .help =
                "The order of the runs: all repeats of a case, then of the next; in turn; each round in the "
                "opposite order; or the baseline before and after each other case." },
        { .path = "case",
            .type = KeyType::tables,
            .most = 100,
            .required = true,
            .help = "The configurations." },
        { .path = "set",
            .type = KeyType::tables,
            .most = 50,
            .help = "Cases that were measured at once and count as one, such as the hosts of one storage "
                    "solution." },
        { .path = "ratio",
            .type = KeyType::tables,
            .most = 50,
            .help = "Figures that are quotients of two others." },
        { .path = "comparison", .type = KeyType::tables, .most = 100, .help = "Questions with names." },
        { .path = "command",
            .type = KeyType::tables,
            .most = 100,
            .help = "What is done before or after runs and mixes." },
    };
}

KeyRows caseKeys()
{
    return {
        textKey("id", "How the other tables name the case: letters, digits, - and _.", true),
        textKey("title", "For people; without it the id."),
        textKey("lab",
            "The lab of its runs: a file beside the study, or the name of a shipped lab; without it "
            "that of the plan."),
        textKey("variant", "The id of that lab's variant."),
        textKey("plan", "The plan of its runs: a file beside the study, or the name of a shipped plan."),
        { .path = "repeats",
            .type = KeyType::integer,
            .least = 1,
            .most = 100,
            .fallback = "3",
            .when = { { ".plan", {} } },
            .help = "How often the plan is run." },
        textsKey("runs", 100, "Ids of runs of the history that belong to the case."),
        textKey("result", "Results from elsewhere: a file beside the study, or the name of a shipped one."),
        textKey(
            "system", "The id of the system in them; without it the only one, or that with the case's id."),
        textKey("notes", "What a reader has to know of the case."),
    };
}

KeyRows setKeys()
{
    return {
        textKey("id", "How the other tables name the set: letters, digits, - and _.", true),
        textKey("title", "For people; without it the id."),
        textsKey("hosts", 100, "The ids of its cases.", true),
        { .path = "window",
            .type = KeyType::choice,
            .fallback = "common",
            .choices = { "common", "own" },
            .help =
                "Runs of the hosts count over the time in which all of them measured, or each over its own "
                "measurements." },
        { .path = "keep_hosts",
            .type = KeyType::flag,
            .fallback = "false",
            .help = "The hosts are columns of their own, beside the set." },
        { .path = "row",
            .type = KeyType::tables,
            .most = 500,
            .help = "How the values of the hosts become one; rates and totals without a rule are added up, "
                    "others are left out." },
    };
}

KeyRows studyRowKeys()
{
    return {
        textKey("figure",
            "The figure: Loadstone's key (\"io.reads-per-second\"), the path of a counter, or the name that "
            "a "
            "result gives it.",
            true),
        { .path = "rule",
            .type = KeyType::choice,
            .required = true,
            .choices = { "sum", "mean", "weighted mean", "largest", "smallest", "none" },
            .help = "How the values of the hosts become one." },
        textsKey("of", 50,
            "Figures of a host that are put together by the same rule first, such as those of its volumes; "
            "without it "
            "`figure` itself."),
        { .path = "weights",
            .type = KeyType::texts,
            .most = 50,
            .required = true,
            .when = { { ".rule", { "weighted mean" } } },
            .help = "For each figure of `of` the one of the same host by which it is weighted, such as its "
                    "transfers." },
        textKey("unit", "Of the values: \"ms\"; without it that of the first of these figures."),
        { .path = "decimals",
            .type = KeyType::integer,
            .least = 0,
            .most = 9,
            .help = "The hosts' own values are shown with so many decimals, rounded half up; the set's is "
                    "made of what is "
                    "not rounded." },
    };
}

KeyRows ratioKeys()
{
    return {
        textKey("name", "The figure's name: \"Users a processor\".", true),
        textKey("of", "The figure above the line, named as in rows of sets.", true),
        textKey("per", "The figure below it.", true),
        textKey("unit", "Of the quotient; without it that of the figure above the line."),
    };
}

KeyRows comparisonKeys()
{
    return {
        textKey("id", "Letters, digits, - and _.", true),
        textKey("title", "The question: \"Scale-up\"; without it the id."),
        textKey("baseline", "The id of a case or set; without it the study's."),
        textsKey("with", 20, "The ids of the cases or sets that are compared with it.", true),
        textsKey("figures", 100, "The figures that it is about; without them all."),
    };
}

KeyRows commandKeys()
{
    return {
        { .path = "when",
            .type = KeyType::choice,
            .required = true,
            .choices = { "before run", "after run", "before mix", "after mix" },
            .help = "When it is run. Before and after mixes the load rests." },
        textKey("run", "The command, for /bin/sh. Users agree to it word by word.", true),
        textsKey("cases", 100, "The ids of the cases that it is for; without it all."),
        { .path = "time_limit",
            .type = KeyType::duration,
            .least = 1,
            .most = kDay,
            .fallback = "10 min",
            .help = "Then it is ended, with all that it started, and has failed." },
        { .path = "go_on",
            .type = KeyType::flag,
            .fallback = "false",
            .help = "The study goes on when it fails." },
    };
}

} // namespace

std::span<const KeyRow> studyKeys()
{
    static const KeyRows rows = [] {
        KeyRows all = studyTopKeys();
        addBelow(all, "case[]", caseKeys());
        addBelow(all, "set[]", setKeys());
        addBelow(all, "set[].row[]", studyRowKeys());
        addBelow(all, "ratio[]", ratioKeys());
        addBelow(all, "comparison[]", comparisonKeys());
        addBelow(all, "command[]", commandKeys());
        completeConditions(all);
        return all;
    }();
    return rows;
}

} // namespace loadstone::document
