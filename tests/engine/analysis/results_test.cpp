// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history/sample_run.h"
#include "history/database.h"
#include "support/catch.h"

#include <loadstone/judgement.h>
#include <loadstone/merge.h>
#include <loadstone/recording.h>

#include <algorithm>
#include <map>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

// Two mixes of 20 s, each after 5 s of ramp-up; a writer that has come to the beginning of tick `ticks`.
void writeMixes(history::RecordingWriter& writer, std::uint64_t from, std::uint64_t ticks)
{
    for (std::uint64_t number = from; number < ticks; ++number) {
        const auto mix = static_cast<std::uint32_t>(number / 25);
        const bool measuring = number % 25 >= 5;
        const std::uint32_t index = mix * 2 + (measuring ? 1 : 0);
        const Nanoseconds begin = std::chrono::seconds(mix * 25 + (measuring ? 5 : 0));
        Phase phase { index, static_cast<std::int32_t>(mix), mix == 0 ? "500 users" : "1000 users",
            measuring ? PhaseKind::measurement : PhaseKind::rampUp, begin, begin + (measuring ? 20s : 5s),
            true };
        writer.putPhase(phase).value();
        writer.append(sampleTick(number, index)).value();
        phase.open = std::chrono::seconds(number + 1) < phase.end;
        writer.putPhase(phase).value();
    }
}

} // namespace

TEST_CASE("a mix's results cover its measurement and its final window", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 30);
    const auto results = computeResults(Recording::open(file).value()).value();
    CHECK(results.state == RunState::finished);
    CHECK(results.valid);
    REQUIRE(results.mixes.size() == 1);
    const MixResult& mix = results.mixes[0];
    CHECK(mix.name == "500 users");
    CHECK(mix.mailboxes == 500);
    CHECK(mix.threads == 50);
    CHECK(mix.recipientsPerMessage == 3.0);
    CHECK(mix.complete);
    CHECK(mix.measured.sent == 330);
    CHECK(mix.measured.sentPerSecond == Approx(11.0));
    CHECK(mix.measured.receivedToSent.value() == Approx(3.0));
    CHECK(mix.finalWindow.begin == 20s);
    CHECK(mix.finalWindow.end == 30s);
    CHECK(mix.finalWindow.sent == 111);
    CHECK(mix.attempts == 360);
    CHECK(mix.failures == 30);
    CHECK(mix.errorRate == Approx(30.0 / 360));
    REQUIRE(mix.actions.size() == 1);
    CHECK(mix.actions[0].response->count == 330);
    CHECK(mix.actions[0].service.minimum == 2ms);
    REQUIRE(mix.commands.size() == 1);
    CHECK(mix.commands[0].name == "SMTP RCPT");
    CHECK_FALSE(mix.commands[0].response);
    CHECK(mix.delivery.minimum == 4ms);
    REQUIRE(mix.errors.size() == 2);
    CHECK(
        mix.errors[0] == ErrorRow { "Send message", FailureKind::permanentReply, 550, 9, "no such mailbox" });
    CHECK(mix.errors[1] == ErrorRow { "POP3 PASS", FailureKind::timeout, 0, 6, "" });
    CHECK_FALSE(results.audit); // the plan reads no mailboxes
}

TEST_CASE("results of a live run grow with it and equal those read afresh", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    auto followed = Recording::open(file).value();
    CHECK(computeResults(followed).value().mixes.empty());
    for (std::uint64_t ticks = 1; ticks <= 50; ++ticks) {
        writeMixes(writer, ticks - 1, ticks);
        followed.refresh().value();
        const auto results = computeResults(followed).value();
        REQUIRE(results == computeResults(Recording::open(file).value()).value());
        REQUIRE(results.mixes.size() == (ticks > 30 ? 2U : ticks > 5 ? 1U : 0U));
        if (!results.mixes.empty()) {
            CHECK(results.mixes[0].complete == (ticks >= 25));
            CHECK(results.mixes[0].measured.end == std::chrono::seconds(std::min<std::uint64_t>(ticks, 25)));
            CHECK(results.mixes[0].actions[0].response->count == results.mixes[0].measured.sent);
        }
    }
    writer.finish({}).value();
    followed.refresh().value();
    const auto results = computeResults(followed).value();
    REQUIRE(results.mixes.size() == 2);
    CHECK(results.mixes[1].name == "1000 users");
    CHECK(results.mixes[1].measured.begin == 30s);
    CHECK(results.mixes[1].measured.end == 50s);
    CHECK(results.mixes[1].finalWindow.begin == 40s);
}

TEST_CASE("a mix that was cut short is not complete", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    writeSample(file, 15); // of 20 s
    const auto results = computeResults(Recording::open(file).value()).value();
    REQUIRE(results.mixes.size() == 1);
    CHECK_FALSE(results.mixes[0].complete);
    CHECK(results.mixes[0].measured.end == 15s);
    CHECK(results.mixes[0].finalWindow.begin == 5s);
}

TEST_CASE("a mail recording that does not count actions is not called valid", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    RunHeader header = sampleHeader();
    header.counters.resize(2); // messages alone
    auto writer = history::RecordingWriter::create(file, header, sampleSeries()).value();
    writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1s, false }).value();
    metrics::Tick tick = sampleTick(0);
    tick.values.resize(2);
    writer.append(tick).value();
    writer.finish({}).value();
    const RunResults results = computeResults(Recording::open(file).value()).value();
    REQUIRE(results.mixes.size() == 1);
    CHECK_FALSE(results.mixes[0].nothingSucceeded.empty());
    CHECK_FALSE(results.valid);
}

TEST_CASE("the end brings audit, exceptions and the reasons for which a run is invalid", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    AuditTotals audit;
    audit.accepted = 10;
    audit.expected = 30;
    const history::AuditAccount account { audit };
    writer.append(sampleTick(0), &account).value();
    CHECK(computeResults(Recording::open(file).value()).value().audit == audit);
    audit.deliveredOnce = 29;
    audit.lost = 1;
    history::RunEnd end { RunState::stopped, "by the user", audit, true,
        { { AuditFinding::lost, "abc", "u00007", 12s, "not in the mailbox" } },
        { history::InvalidReason { "The generator's CPU was at 97 %." } } };
    writer.finish(end).value();
    const auto results = computeResults(Recording::open(file).value()).value();
    CHECK(results.state == RunState::stopped);
    CHECK(results.audit == audit);
    CHECK(results.exceptions == end.exceptions);
    CHECK_FALSE(results.valid);
    CHECK(results.invalidReasons == std::vector { end.invalidReasons[0].text });
}

TEST_CASE("counters that count less than nothing are damage, not results", "[results]")
{
    const TemporaryFolder folder;
    const auto file = folder.path("run.loadstone");
    auto writer = history::RecordingWriter::create(file, sampleHeader(), sampleSeries()).value();
    writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1h, true }).value();
    metrics::Tick tick = sampleTick(0);
    tick.values[0] = -1;
    writer.append(tick).value();
    const auto results = computeResults(Recording::open(file).value());
    REQUIRE_FALSE(results);
    CHECK(results.error().message.find("Messages Sent") != std::string::npos);
}

TEST_CASE(
    "how many mailboxes the oracle compared at the end is told, where the recording has it", "[results]")
{
    for (const bool has : { false, true }) {
        const TemporaryFolder folder;
        const auto file = folder.path("run.loadstone");
        RunHeader header = sampleHeader();
        std::vector<double> levels { 15, 900, 0 };
        for (const Quantity quantity : { Quantity::oracleUsers, Quantity::oracleChecks,
                 Quantity::oracleFindings, Quantity::oracleCompared }) {
            if (quantity == Quantity::oracleCompared && !has)
                continue;
            header.counters.push_back(counterOf(quantity));
            header.counters.back().id = static_cast<std::uint32_t>(header.counters.size()) - 1;
        }
        auto writer = history::RecordingWriter::create(file, header, sampleSeries()).value();
        for (std::uint64_t number = 0; number < 3; ++number) {
            writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 1h, true }).value();
            metrics::Tick tick = sampleTick(number);
            tick.values.insert(tick.values.end(), levels.begin(), levels.end());
            if (has)
                tick.values.push_back(6.0 * static_cast<double>(number));
            writer.append(tick).value();
        }
        writer.finish({}).value();
        const auto results = computeResults(Recording::open(file).value()).value();
        REQUIRE(results.oracle);
        CHECK(results.oracle->users == 15);
        CHECK(results.oracle->compared == (has ? std::optional<std::uint64_t>(12) : std::nullopt));
        // Where no criterion is stated it is a remark.
        const RunVerdict verdict = verdictOf(Recording::open(file).value()).value();
        CHECK(verdict.good());
        CHECK(std::ranges::count(
                  verdict.reasons, "Mailbox oracle: 3 of 15 mailboxes were not compared at the end.")
            == (has ? 1 : 0));
    }
}

TEST_CASE("results and verdict of a merged recording are those of one recording of all samples", "[results]")
{
    const TemporaryFolder folder;
    const auto wholeFile = folder.path("whole"), east = folder.path("east"), west = folder.path("west");
    {
        const auto create = [](const std::filesystem::path& file, const char* id) {
            auto writer =
                history::RecordingWriter::create(file, sampleHeader(RunId::parse(id).value()), sampleSeries())
                    .value();
            writer.putPhase({ 0, 0, "500 users", PhaseKind::measurement, 0s, 20s, false }).value();
            return writer;
        };
        auto whole = create(wholeFile, "20261121-140305-0000");
        auto one = create(east, "20261121-140305-0001");
        auto two = create(west, "20261121-140305-0002");
        for (std::uint64_t n = 0; n < 20; ++n) {
            const metrics::Tick a = sampleTick(n);
            metrics::Tick b = sampleTick(n + 1);
            b.number = n;
            b.begin = a.begin;
            b.end = a.end;
            metrics::Tick both = a;
            for (std::size_t i = 0; i < both.values.size(); ++i)
                both.values[i] += b.values[i];
            std::map<std::uint32_t, Histogram> merged;
            const metrics::Tick* const parts[] = { &a, &b };
            for (const metrics::Tick* tick : parts)
                for (const auto& [id, bytes] : tick->histograms)
                    merged[id].mergeEncoded(bytes).value();
            both.histograms.clear();
            for (const auto& [id, histogram] : merged)
                both.histograms.emplace_back(id, histogram.encode());
            both.errors.insert(both.errors.end(), b.errors.begin(), b.errors.end());
            whole.append(both).value();
            one.append(a).value();
            two.append(b).value();
        }
        for (auto* writer : { &whole, &one, &two })
            writer->finish({}).value();
    }
    const std::vector<std::filesystem::path> parts { east, west };
    REQUIRE(mergeRecordings(parts, folder.path("merged")));
    const auto merged = Recording::open(folder.path("merged")).value();
    const auto whole = Recording::open(wholeFile).value();
    const RunResults results = computeResults(merged).value();
    CHECK(results == computeResults(whole).value());
    REQUIRE(results.mixes.size() == 1);
    CHECK(results.mixes[0].measured.sent > 400);
    CHECK(verdictOf(merged).value() == verdictOf(whole).value());
}
