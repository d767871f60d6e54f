// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/judgement_tables.h"
#include "report/result_tables.h"
#include "report/svg.h"
#include "report/text_tables.h"
#include "report/wording.h"
#include "support/catch.h"
#include "support/table_rows.h"

#include <loadstone/report.h>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace loadstone;
using namespace loadstone::report;
using namespace std::chrono_literals;

namespace {

LatencySummary latency(std::uint64_t count, Nanoseconds p50)
{
    return { count, p50, p50 / 2, p50 * 9, p50, p50 * 2, p50 * 4, p50 * 8 };
}

RunResults twoMixes()
{
    RunResults results;
    results.state = RunState::finished;
    for (int i = 0; i < 2; ++i) {
        MixResult mix;
        mix.mix = i;
        mix.name = i == 0 ? "33,320 users" : "83,300 users";
        mix.mailboxes = i == 0 ? 33320 : 83300;
        mix.recipientsPerMessage = 3;
        mix.complete = true;
        mix.measured = { 60s, 300s, 4318, 11722, 11722, 17.99, 48.84, 48.84, 2.7147 };
        mix.finalWindow = { 240s, 300s, 1386, 4152, 4152, 23.1, 69.2, 69.2, 2.9957 };
        mix.actions = { { "Send message", LatencyScope::action, latency(4318, 232ms), latency(4318, 200ms) },
            { "Hold session", LatencyScope::action, std::nullopt, latency(10, 1s) } };
        mix.commands = { { "SMTP RCPT", LatencyScope::command, std::nullopt, latency(12954, 900us) } };
        mix.delivery = latency(11722, 31s);
        mix.attempts = 8636;
        mix.failures = i == 0 ? 0 : 27;
        mix.errorRate = i == 0 ? 0 : 27.0 / 8636;
        if (i == 1)
            mix.errors = { { "SMTP RCPT", FailureKind::transientReply, 450, 20, "busy" },
                { "Send message", FailureKind::timeout, 0, 7, "" } };
        mix.figures = figuresOf({ mix });
        results.mixes.push_back(mix);
    }
    results.audit = AuditTotals { 8636, 25908, 25908, 0, 0, 0, 0, 0, 0 };
    results.figures = figuresOf(*results.audit, { 0s, 300s });
    return results;
}

/// Of a plan without criteria.
RunVerdict headlineOf(const RunResults& results)
{
    return verdictOf(results, Judgement {});
}

std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        all.push_back(line);
    return all;
}

} // namespace

TEST_CASE("numbers are rounded in one way")
{
    CHECK(count(0) == "0");
    CHECK(count(83300) == "83,300");
    CHECK(count(1234567) == "1,234,567");
    CHECK(grouped(999.994, 2) == "999.99");
    CHECK(grouped(29420.9876, 2) == "29,420.99");
    CHECK(grouped(-1234567.5, 1) == "-1,234,567.5");
    CHECK(grouped(-123, 0) == "-123");
    CHECK(grouped(std::nan(""), 2) == "nan");
    CHECK(rate(17.994) == "17.99");
    CHECK(rate(0.1234) == "0.123");
    CHECK(rate(1234.6) == "1,235");
    CHECK(rate(0) == "0");
    CHECK(format(Number { 2.9957, Unit::one, { Notation::plain, 2 } }) == "3.00");
    CHECK(format(Number { {}, Unit::one, { Notation::plain, 2 } }) == "-");
    CHECK(format(Number { 0, Unit::share, { Notation::percent, 2 } }) == "0 %");
    CHECK(format(Number { 27.0 / 8636, Unit::share, { Notation::percent, 2 } }) == "0.31 %");
    CHECK(plural(1, "message") == "1 message");
    CHECK(plural(2000, "message") == "2,000 messages");
}

TEST_CASE("texts are cut by characters, not by bytes")
{
    CHECK(shortened("Lyon", 4) == "Lyon");
    CHECK(shortened("München-Süd", 8) == "Münche..");
    CHECK(textWidth("München") == 7);
    CHECK(shortened("abc", 1) == ".");
}

TEST_CASE("a clean run's verdict says so and counts the copies")
{
    RunResults clean = twoMixes();
    for (MixResult& mix : clean.mixes)
        mix.failures = 0;
    const RunVerdict verdict = headlineOf(clean);
    CHECK(verdict.good());
    CHECK(verdict.headline.find("Valid") == 0);
    const auto sentences = sentencesOf(clean, verdict);
    REQUIRE(sentences.size() == 1);
    CHECK(sentences[0]
        == "The delivery audit found each of 25,908 copies of 8,636 messages accepted delivered once, "
           "in time and "
           "complete.");
}

TEST_CASE("a generator-bound run is called invalid first of all, with the reasons")
{
    RunResults results = twoMixes();
    results.valid = false;
    results.invalidReasons = { "Timer slip p99 was 12 ms." };
    const RunVerdict verdict = headlineOf(results);
    CHECK_FALSE(verdict.good());
    CHECK(verdict.headline.find("INVALID") == 0);
    CHECK(sentencesOf(results, verdict).front() == "Timer slip p99 was 12 ms.");
    CHECK(formatResultTable(results, headlineOf(results)).find("INVALID") == 0);
}

TEST_CASE("lost, doubled and damaged copies fail the audit, late and outstanding ones do not")
{
    RunResults results = twoMixes();
    results.audit = AuditTotals { 10, 30, 25, 2, 0, 0, 0, 3, 0 };
    CHECK(headlineOf(results).good());
    CHECK(auditSentence(*results.audit).find("The delivery audit is not settled: 25 of 30") == 0);
    RunResults late = results;
    late.audit->outstanding = 0;
    CHECK(auditSentence(*late.audit).find("The delivery audit passed, with findings: 25 of 30") == 0);
    late.audit->lost = 1;
    CHECK(auditSentence(*late.audit).find("The delivery audit FAILED: 25 of 30") == 0);
    CHECK(auditSentence(*results.audit).find("2 late, 3 not retrieved and not proven lost")
        != std::string::npos);
    results.audit->unknown = 4; // sent and refused, or never sent
    CHECK(auditSentence(*results.audit).find("4 not known to be accepted") != std::string::npos);
    results.audit->lost = 1;
    CHECK_FALSE(headlineOf(results).good());
    CHECK(auditSentence(*results.audit).find("FAILED") != std::string::npos);
    CHECK(auditSentence(*results.audit).find("1 lost") != std::string::npos);
}

TEST_CASE("the oracle says how many mailboxes it came to compare at the end, once the run is over")
{
    OracleTotals oracle { 15, 900, 0, 15 };
    CHECK(oracleSentence(oracle, RunState::finished)
        == "The oracle followed the mailboxes of 15 users: all of 900 checks passed. All were compared "
           "message "
           "by "
           "message at the end.");
    oracle.compared = 12;
    CHECK(oracleSentence(oracle, RunState::stopped)
        == "The oracle followed the mailboxes of 15 users: all of 900 checks passed. 3 of 15 could NOT be "
           "compared "
           "message by message at the end.");
    const std::string checked = "The oracle followed the mailboxes of 15 users: all of 900 checks passed.";
    CHECK(oracleSentence(oracle, RunState::running) == checked);
    oracle.compared.reset(); // a recording from before this figure
    CHECK(oracleSentence(oracle, RunState::finished) == checked);
    RunResults results = twoMixes();
    results.oracle = { 15, 900, 0, 12 };
    CHECK(sentencesOf(results, headlineOf(results)).back() == oracleSentence(*results.oracle, results.state));
}

TEST_CASE("what a storage test was judged by is worded with its volume, its limit and what was found")
{
    Criterion samples;
    samples.kind = Criterion::Kind::sampleLatency;
    samples.subject = "vdb: Database read";
    samples.sampleLimit = 0.05;
    samples.sampleLength = 15s;
    samples.most = 6;
    samples.value = 7;
    samples.reason = "of 40 the highest was 60.0 ms, 03:30 - 03:45";
    samples.failedSince = 645s;
    CHECK(describe(samples).what == "vdb: Database read, samples of 15 s above 50 ms");
    CHECK(describe(samples).limit == "<= 6");
    CHECK(describe(samples).value == "7");
    CHECK(describe(samples).explanation == "of 40 the highest was 60.0 ms, 03:30 - 03:45; since 10:45");
    Criterion rate;
    rate.kind = Criterion::Kind::transferRate;
    rate.least = 570;
    rate.value = 567.96;
    CHECK(describe(rate).limit == ">= 570/s");
    CHECK(describe(rate).value == "568.0/s");
    Criterion damage;
    damage.kind = Criterion::Kind::damage;
    damage.most = 0;
    damage.reason = "nothing was read";
    CHECK(describe(damage).value == "-");
    CHECK(describe(damage).explanation == "nothing was read");

    Judgement judgement;
    judgement.kind = RunKind::storage;
    judgement.stated = true;
    judgement.mixes.push_back({ 0, "Performance", {}, { samples, damage } });
    judgement.mixes[0].criteria[0].met = true;
    CHECK(failureSentences(judgement)
        == std::vector<std::string> {
            "Performance, Damaged pages, log files, log segments: nothing was read." });
    CHECK(criteriaTable(judgement).rows.size() == 2);
    CHECK(criteriaTable(judgement).note.find("need not be the cause") != std::string::npos);

    Judgement early; // nothing that was not met had been measured when it failed
    early.stated = early.cutShort = true;
    CHECK(criteriaSentence(early)
        == "The run ended before all that the plan has was measured: the plan is NOT met.");
    CHECK_FALSE(early.met());
    Judgement refused; // its only criterion, the audit say, has nothing against it
    refused.stated = refused.nothingSucceeded = true;
    CHECK(criteriaSentence(refused) == "In a measurement nothing succeeded: the plan is NOT met.");
    CHECK_FALSE(refused.met());
}

TEST_CASE("runs that did not reach their end say what their figures are worth")
{
    RunResults results = twoMixes();
    results.state = RunState::interrupted;
    results.mixes[1].complete = false;
    results.audit.reset();
    const RunVerdict verdict = headlineOf(results);
    CHECK_FALSE(verdict.good());
    const auto sentences = sentencesOf(results, verdict);
    REQUIRE(sentences.size() == 3);
    CHECK(sentences[0].find("died") != std::string::npos);
    CHECK(sentences[1].find("\"83,300 users\" did not run to its end") != std::string::npos);
    CHECK(sentences[2].find("No delivery audit") == 0);
    CHECK(messageTable(results).rows[1][0] == "83,300 users *");
    CHECK(messageTable(results).note.find("* The measurement") == 0);
}

TEST_CASE("the tables have the mixes as rows, with rates, ratio and errors")
{
    const RunResults results = twoMixes();
    CHECK(messageTable(results).rows[1]
        == std::vector<std::string> { "83,300 users", "83,300", "-", "4,318", "11,722", "17.99", "48.84",
            "2.71", "8,636", "27", "0.31 %" });
    CHECK(finalWindowTable(results).rows[0]
        == std::vector<std::string> {
            "33,320 users", "1 min", "1,386", "4,152", "23.10", "69.20", "3.00", "3", "-0.1 %" });
    CHECK(
        actionTable(results, LatencyClock::response).rows.size() == 2); // only one action has a response time
    CHECK(actionTable(results, LatencyClock::service).rows.size() == 4);
    CHECK(errorTable(results).rows[1]
        == std::vector<std::string> { "83,300 users", "Send message", "timeout", "-", "7", "" });
    for (const Table& table : { messageTable(results), finalWindowTable(results), errorTable(results),
             actionTable(results, LatencyClock::response), actionTable(results, LatencyClock::service),
             commandTable(results), deliveryTable(results), auditTable(results), exceptionTable(results) })
        for (const auto& row : table.rows)
            CHECK(row.size() == table.columns.size());
}

TEST_CASE("results without a mix or without a sample make tables without invented numbers")
{
    CHECK(messageTable({}).empty());
    CHECK(auditTable({}).empty());
    RunResults results;
    results.mixes.resize(1);
    results.mixes[0].mailboxes = 28;
    results.mixes[0].actions.resize(1);
    results.mixes[0].figures = figuresOf({ results.mixes[0] });
    CHECK(finalWindowTable(results).empty());
    CHECK(deliveryTable(results).empty());
    CHECK(actionTable(results, LatencyClock::service).empty());
    CHECK(messageTable(results).rows[0]
        == std::vector<std::string> { " *", "28", "-", "0", "0", "0", "0", "-", "0", "0", "0 %" });
    results.mixes[0].mailboxes = 0; // of a storage test
    CHECK(messageTable(results).empty());
    CHECK(ioTable(results).empty());
    CHECK_FALSE(formatResultTable(results, headlineOf(results)).empty());
}

TEST_CASE("the terminal's table fits its width, whatever the names are")
{
    RunResults results = twoMixes();
    results.mixes[0].name =
        "a very long name of a mix that nobody would give to one in earnest, but who knows";
    results.mixes[1].name = "escape \x1b[31m and tab \t";
    for (const std::size_t width : { 100, 92 })
        for (const std::string& line : lines(formatResultTable(results, headlineOf(results), width))) {
            INFO(line);
            CHECK(textWidth(line) <= width);
            CHECK(line.find('\x1b') == std::string::npos);
        }
}

TEST_CASE("markup, control characters and broken UTF-8 in texts do no harm on a page")
{
    CHECK(escaped("<b>&\"'</b>") == "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;");
    CHECK(escaped("M\xC3\xBC") == "M\xC3\xBC");
    CHECK(escaped("\xFF") == "\xEF\xBF\xBD");
    CHECK(escaped("\xC3") == "\xEF\xBF\xBD");
    CHECK(escaped(std::string("\0", 1)) == "\xEF\xBF\xBD");
    CHECK(escaped("\x1b[0m") == "\xEF\xBF\xBD[0m");
    CHECK(escaped("a\n") == "a\n");
}

TEST_CASE("a counter's path that is too long for its column keeps its end, which tells it from others")
{
    CHECK(shortenedName(R"(\Processor(_Total)\% Processor Time)", 30) == R"(\Process..al)\% Processor Time)");
    CHECK(
        shortenedName(R"(\Processor(_Total)\% Privileged Time)", 30) == R"(\Process..l)\% Privileged Time)");
    CHECK(shortenedName(R"(\Mail Queue(Eingänge ä)\Einträge)", 17) == R"(\Mai..ä)\Einträge)");
    CHECK(shortenedName(R"(\System\Processes)", 17) == R"(\System\Processes)");
    CHECK(shortenedName("a mix with a long name", 10) == "a mix wi..");
}

TEST_CASE("a reason that is too long for its column goes on below it")
{
    Table table { "Criteria", "", { { "Mix", false }, { "Value" }, { "Explanation", false } },
        { { "5 users", "-", "cannot tell: no counters of server since 00:50" }, { "10 users", "7", "" } } };
    std::string text;
    appendTable(text, table, 40);
    CHECK(text
        == "\nCriteria\n"
           "Mix       Value  Explanation\n"
           "5 users       -  cannot tell: no\n"
           "                 counters of server\n"
           "                 since 00:50\n"
           "10 users      7\n");
}

TEST_CASE("headings of a table that is too wide go on below, and stand on their rows")
{
    Table table { "Wide", "",
        { { "Figure", false }, { "A server with a long name" }, { "Another server, long too" } },
        { { "Sent", "17.99", "1,234.5" } } };
    std::string text;
    appendTable(text, table, 44);
    CHECK(text
        == "\nWide\n"
           "                            Another\n"
           "        A server with  server, long\n"
           "Figure    a long name           too\n"
           "Sent            17.99       1,234.5\n");
    text.clear();
    appendTable(text, table, 80); // it fits
    CHECK(text.find("Figure  A server with a long name  Another server, long too\n") != std::string::npos);
}
