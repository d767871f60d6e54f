// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

KeyRow timeKey(std::string_view path, std::string_view help)
{
    return { .path = path, .type = KeyType::duration, .least = 0, .most = kLongestTime, .help = help };
}

KeyRow loadKey(std::string_view path, std::string_view help)
{
    return { .path = path, .type = KeyType::number, .least = 0, .most = kAnyValue, .help = help };
}

KeyRow statisticKey(std::string_view help)
{
    return { .path = "statistic",
        .type = KeyType::choice,
        .choices = { "total", "rate", "ratio", "share", "mean", "percentile", "minimum", "maximum", "level",
            "planned" },
        .help = help };
}

KeyRow printedKey(std::string_view path, std::string_view fallback, std::string_view help)
{
    return { .path = path,
        .type = KeyType::choice,
        .fallback = fallback,
        .choices = { "rounded", "cut", "about", "at least", "at most" },
        .help = help };
}

/// A row that applies where another key of its table is stated.
KeyRow applying(std::string_view other, KeyRow row)
{
    row.when = { { kept("." + std::string(other)), {} } };
    return row;
}

KeyRow tableKey(std::string_view path, std::string_view help)
{
    return { .path = path, .type = KeyType::table, .help = help };
}

KeyRows resultTopKeys()
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
            .choices = { "result" },
            .help = "Says that the file holds results from elsewhere." },
        textKey("title", "What the figures are of, in lists and comparisons.", true),
        textKey("report", "The title of the publication that prints them."),
        textKey("publisher", "Who published it."),
        textKey("date", "Its date, as printed."),
        textKey("source", "Page or table, where tables and values do not say another one."),
        textKey("tool", "What measured: \"LoadSim 2003\"."),
        { .path = "runs",
            .type = KeyType::choice,
            .choices = { "mail", "raw", "storage" },
            .help = "What was measured: mail servers, raw devices, or storage under databases. Without it "
                    "nothing is said." },
        textKey("client",
            "The kind of client that was simulated: \"online\", \"cached\", \"POP3 and SMTP\". Other clients "
            "are "
            "not comparable."),
        textKey("profile", "The profile of the load: \"medium\". Other profiles are not comparable."),
        textKey("note", "What a reader has to know of the figures."),
        textKey("load_unit", "What loads count: \"users\", \"clients\"."),
        timeKey("window", "Length of each measurement."),
        timeKey("warm_up", "Time under load before each measurement."),
        tableKey("actions",
            "How often a user does something each day, as printed, by the names that reports of runs have: "
            "\"Send "
            "message\" = \"12\". Users with other actions are not comparable."),
        tableKey("conditions",
            "What else decides whether figures can be compared, each a key of its own: page-size = \"4 "
            "KB\"."),
        { .path = "figure",
            .type = KeyType::tables,
            .most = 500,
            .help = "The figures that the tables have." },
        { .path = "system",
            .type = KeyType::tables,
            .most = 200,
            .help = "The systems, configurations or hosts that they are of; each becomes a column of a "
                    "comparison." },
        { .path = "point",
            .type = KeyType::tables,
            .most = 500,
            .help = "Loads at which systems were measured, where tables leave gaps or the report says "
                    "whether they passed." },
        { .path = "table", .type = KeyType::tables, .most = 500, .help = "Tables of figures." },
        { .path = "value", .type = KeyType::tables, .most = 10'000, .help = "Single figures." },
    };
}

KeyRows figureKeys()
{
    return {
        textKey("id", "How rows and columns name the figure: letters, digits, - and _.", true),
        textKey("name", "As the report prints it; without it the name of the figure or counter."),
        textKey("group", "Heading over rows of one kind: \"Server\"."),
        textKey("key",
            "Loadstone's figure that it is, such as \"mail.sent-rate\"; it then stands in one row with those "
            "of "
            "runs."),
        applying("key",
            textKey("of",
                "What the figure is of, for a key that has several: an action (\"Read message\"), a command "
                "(\"SMTP DATA\"), a volume and a class of I/O (\"db1: Database read\"), a storage group.")),
        textKey("counter",
            "The path of the counter that it is the mean of: '\\Processor(_Total)\\% Processor "
            "Time'."),
        applying("counter",
            { .path = "computer",
                .type = KeyType::text,
                .required = true,
                .help = "Name or role of the computer that the counter is of: \"sut\"." }),
        textKey("unit", "Of the numbers as printed: \"ms\", \"%\", \"Kbps\"; without it they are bare."),
        textKey("counts", "What one event is, where products differ: \"per message\", \"per recipient\"."),
        statisticKey("What the number is; without it that of the key, or nothing is said."),
        { .path = "better",
            .type = KeyType::choice,
            .choices = { "more", "less", "neither" },
            .help = "Which direction is better; without it that of the key or counter, else neither." },
        printedKey("printed", "rounded", "How printed numbers stand for the exact ones."),
        textKey("source", "Page or table."),
    };
}

KeyRows systemKeys()
{
    return {
        textKey("id", "How rows and columns name the system: letters, digits, - and _.", true),
        textKey("name", "For people; without it the id."),
        textKey("lab", "The lab that describes it: a file beside this one, or the name of a shipped lab."),
        textKey("variant", "The id of that lab's variant."),
        textKey("client", "The kind of client, instead of the file's."),
        textKey("profile", "The profile of the load, instead of the file's."),
        textKey("note", "What a reader has to know of this system."),
        { .path = "from",
            .type = KeyType::date,
            .help = "When the measurement began, by the report's clock: 2008-11-10 21:30:12." },
        { .path = "to", .type = KeyType::date, .help = "When it ended." },
        { .path = "invalid",
            .type = KeyType::texts,
            .most = 20,
            .help = "What speaks against its figures, one sentence each." },
        tableKey("actions", "How often its users do something each day, beside those of the file."),
        tableKey("conditions", "What decides whether its figures can be compared, beside those of the file."),
    };
}

/// What tables, rows and values state of the figures in them.
KeyRows placeKeys()
{
    return {
        textKey("figure", "The id of the figure, where rows and columns do not say it."),
        textKey("system", "The id of the system, likewise."),
        loadKey("load", "The load, in `load_unit`; without it the figures are of the whole run."),
        textKey("mix", "A name for what the figures are of, where several are of one load: \"final hour\"."),
    };
}

KeyRows timesAndSource()
{
    return {
        statisticKey("What the numbers are, instead of the figure's."),
        timeKey("window", "Length of the measurement, instead of the file's."),
        timeKey("warm_up", "Time under load before it, instead of the file's."),
        textKey("source", "Page or table, instead of the file's."),
    };
}

KeyRows tableKeys()
{
    KeyRows rows { textKey("title", "The table's title.") };
    for (KeyRow& row : placeKeys())
        rows.push_back(row);
    for (KeyRow& row : timesAndSource())
        rows.push_back(row);
    rows.push_back({ .path = "columns",
        .type = KeyType::texts,
        .least = 1,
        .most = 500,
        .required = true,
        .help = "For each column the id of a system, of a figure, or of both: \"ex1: processor\"." });
    rows.push_back({ .path = "rows",
        .type = KeyType::tables,
        .most = 10'000,
        .required = true,
        .help = "The rows: { figure = \"processor\", cells = [\"75%\", \"76%\"] }." });
    return rows;
}

KeyRows resultRowKeys()
{
    KeyRows rows = placeKeys();
    rows.push_back(textKey("source", "Page or table, instead of the table's."));
    rows.push_back({ .path = "cells",
        .type = KeyType::texts,
        .most = 500,
        .required = true,
        .help = "The numbers as printed, one for each column; \"\" or \"-\" where the report prints none." });
    return rows;
}

KeyRows pointKeys()
{
    return {
        textKey("system", "The id of the system; without it the only one."),
        { .path = "loads",
            .type = KeyType::numbers,
            .least = 1,
            .most = 1000,
            .required = true,
            .help = "The loads, in `load_unit`." },
        textKey("mix", "A name for them, as tables have it."),
        { .path = "passed",
            .type = KeyType::flag,
            .help = "Whether they passed, by the report's own words; without it nothing is said." },
        textKey("source", "Page or table, instead of the file's."),
    };
}

KeyRows valueKeys()
{
    KeyRows rows = placeKeys();
    rows.push_back(textKey("printed", "The number as printed: \"1.304\".", true));
    rows.push_back(printedKey("as", "", "How it stands for the exact one, instead of the figure's."));
    for (KeyRow& row : timesAndSource())
        rows.push_back(row);
    return rows;
}

} // namespace

std::span<const KeyRow> resultKeys()
{
    static const KeyRows rows = [] {
        KeyRows all = resultTopKeys();
        const KeyRow action =
            textKey("*", "An action and how often a user does it each day, as the report prints it.");
        const KeyRow condition = textKey("*", "A condition and its value, both as the report has them.");
        addBelow(all, "actions", { action });
        addBelow(all, "conditions", { condition });
        addBelow(all, "figure[]", figureKeys());
        addBelow(all, "system[]", systemKeys());
        addBelow(all, "system[].actions", { action });
        addBelow(all, "system[].conditions", { condition });
        addBelow(all, "point[]", pointKeys());
        addBelow(all, "table[]", tableKeys());
        addBelow(all, "table[].rows[]", resultRowKeys());
        addBelow(all, "value[]", valueKeys());
        completeConditions(all);
        return all;
    }();
    return rows;
}

} // namespace loadstone::document
