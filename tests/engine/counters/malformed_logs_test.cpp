// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Thirty and more malformed logs: each is refused, or read without its bad part, with the line and the reason.
#include "log_file.h"

using namespace loadstone;
using namespace loadstone::counters;
using namespace loadstone::test;
using Catch::Matchers::Contains;

namespace {

const std::string kPdh = "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\M\\a\",\"\\\\A\\M\\b\"\n";
const std::string kRow = "\"05/15/2017 06:49:37\",\"1\",\"2\"\n";
const std::string kSadf = "# hostname;interval;timestamp;CPU;%user\n";
const std::string kSar = "EX2;31;2019-04-18 13:20:19 UTC;-1;2\n";
const std::string kVmstat =
    "procs ---memory-- ----timestamp----\n r  free                 CET\n 1 5 2026-11-23 10:47:38\n";
const std::string kIostat =
    "Linux 6.1.0 (ex2) \t11/23/26 \t_x86_64_\t(2 CPU)\n\n11/23/26 10:47:39\nDevice r/s\nvda 1\n\n";

struct Malformed {
    std::string text;
    const char* line; ///< "line 2"; empty: it is the whole file
    const char* reason;
};

/// Those that are refused altogether.
const std::vector<Malformed>& refused()
{
    static const std::vector<Malformed> all {
        { "", "", "is empty" },
        { "\n \n\n", "", "is empty" },
        { "time,value\n1,2\n", "line 1", "not the beginning of a log" },
        { "\n\n<html>\n", "line 3", "not the beginning of a log" },
        { std::string("\0\0\0\0", 4), "line 1", "not the beginning of a log" },
        { "\xFF\xFE(\0P\0D\0H\0", "", "UTF-16" },
        { "\"(PDH-CSV 4.0) (UTC)(x)\",\"\\\\A\\M\\a\"\n", "line 1", "the bias \"x\"" },
        { "\"(PDH-CSV 4.0) (UTC)(9000)\",\"\\\\A\\M\\a\"\n", "line 1", "within a day" },
        { "\"(PDH-CSV 4.0) UTC\",\"\\\\A\\M\\a\"\n", "line 1", "the zone \"UTC\"" },
        { "\"(PDH-CSV 4.0) (UTC)\",\"\\\\A\\M\\a\"\n", "line 1", "is not written like" },
        { "\"(PDH-CSV 4.0) (UTC)(0)\"\n", "line 1", "names no counter" },
        { "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\M\n", "line 1", "has no end" },
        { kSadf, "", "has no values" },
        { kSadf + "EX2;31\n", "line 2", "2 fields where its heading has 5" },
        { "{\"a\": 1}", "", "not the JSON of sadf" },
        { "{\"sysstat\": {\"hosts\": [", "", "not the JSON of sadf" },
        { R"({"sysstat": {"hosts": [{"nodename": "A", "statistics": [{"queue": {"runq-sz": 3}}]}]}})", "line",
            "without a time" },
        { "procs ---memory--\n r  free\n 1 5\n", "line 3", "with a date and a time" },
        { "Linux 6.1.0 (ex2) 11/23/26 _x86_64_ (2 CPU)\n\nDevice r/s\nvda 1\n", "line 4",
            "not a line of iostat -t" },
        { kIostat, "", "no second report" },
        { "Time\n2026-11-23 10:47:42\n", "line 1", "not the beginning of a log" },
    };
    return all;
}

/// Those of which the rest is read.
const std::vector<Malformed>& repaired()
{
    static const std::vector<Malformed> all {
        { kPdh + kRow + "\"18:41.5\",\"1\",\"2\"\n", "line 3", "a spreadsheet may have changed it" },
        { kPdh + kRow + "\"02/30/2017 06:49:38\",\"1\",\"2\"\n", "line 3", "is not a time" },
        { kPdh + kRow + "\"05/15/2017 06:49:38\",\"1\",\"2\",\"3\"\n", "line 3",
            "3 values where the first line names 2" },
        { kPdh + kRow + "\"05/15/2017 06:49:38\",\"1\"\n", "line 3", "1 values of 2" },
        { kPdh + kRow + "\"05/15/2017 06:49:38\",\"1\",\"2", "line 3", "cut short" },
        { kPdh + kRow + "\"05/15/2017 06:49:38\",\"1\",\"2\n\"05/15/2017 06:49:39\",\"1\",\"2\"\n", "line 3",
            "cut short" },
        { kPdh + kRow + kRow, "line 3", "not after that of the row before" },
        { kPdh + kRow + "\"05/15/2017 05:00:00\",\"1\",\"2\"\n", "line 3",
            "not after that of the row before" },
        { kSadf + kSar + "EX2;31;noon;-1;3\n", "line 3", "\"noon\" is not a time" },
        { kSadf + kSar + "EX2;31;2019-04-18 13:20:50 CET;-1;3\n", "line 3",
            "in the zone of the lines before" },
        { kSadf + kSar + "EX2;31;2019-04-18 13:20:50 UTC;-1;3;4;5\n", "line 3",
            "7 fields where its heading has 5" },
        { kSadf + kSar + "EX2;31;2019-04-18 13:20:50 UTC;-1;3", "line 3", "cut short" },
        { kSadf + "EX2;31;2019-04-17 13:20:19 CET;-1;2\nEX2;31;2019-04-17 13:20:50 EST;-1;3\n", "line 3",
            "no hour is repeated" },
        { kVmstat + " 2 6 2026-11-23 10:47:39\n 2 6\n", "line 5", "is not a line of vmstat -t" },
        { kVmstat + " 2 6 2026-11-23 10:47:39\n 2 6 2026-11-23 10.47\n", "line 5", "is not a time" },
        { kVmstat + " 2 6 2026-11-23 10:47:39\n 2 6 2026-11-23 10:47:39\n", "line 5",
            "not after that of the line before" },
        { kIostat + "11/23/26 10:47:40\nDevice r/s\nvda 1\nvdb 1 2 3\n", "line 10",
            "is not a line of iostat" },
        { "Time,a\n2026-11-23 10:47:42,1\nyesterday,2\n", "line 3", "\"yesterday\" is not a time" },
        { "Time,a\n2026-11-23 10:47:42,1\n2026-11-23 10:47,2\n", "line 3", "is not a time" },
        { "Time,a\n2026-11-23 10:47:42,1\n2026-11-23 10:47:43,2", "line 3", "cut short" },
    };
    return all;
}

} // namespace

TEST_CASE("a malformed log is refused with its name, its line and the reason", "[malformed]")
{
    REQUIRE(refused().size() + repaired().size() >= 30);
    for (const Malformed& one : refused()) {
        INFO(one.text);
        const WrittenLog file(one.text);
        const auto log = openCounterLog(file.path());
        REQUIRE_FALSE(log);
        CHECK_THAT(log.error().message, Contains("log.csv") && Contains(one.line) && Contains(one.reason));
    }
}

TEST_CASE(
    "of a log with bad lines the others are read, and a note has the line and the reason", "[malformed]")
{
    for (const Malformed& one : repaired()) {
        INFO(one.text);
        const WrittenLog file(one.text);
        const auto log = file.open();
        CHECK_FALSE(allSamples(*log).empty());
        const auto notes = log->notes();
        REQUIRE_FALSE(notes.empty());
        INFO(notes.front());
        CHECK_THAT(notes.front(), Contains(one.line) && Contains(one.reason));
    }
}
