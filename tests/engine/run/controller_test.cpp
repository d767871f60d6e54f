// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/controller.h"
#include "support/catch.h"
#include "support/named_series.h"
#include "support/program.h"

#include <csignal>
#include <optional>
#include <stdexcept>
#include <sys/resource.h>

using namespace loadstone;
using namespace loadstone::run;
using namespace std::chrono_literals;

namespace {

constexpr TimeWindow kAll { 0s, 100h };
constexpr Nanoseconds kSlow = 600ms;

/// What the controller asked of a workload; read after the run's end.
struct Record {
    std::vector<std::string> calls;
    std::vector<Nanoseconds> lengths;
    std::vector<std::uint32_t> phases;
    int collected = 0;
};

struct Behaviour {
    std::vector<PlannedPhase> phases { { 0, "mix", PhaseKind::measurement, 1h } };
    int throwAt = -1; ///< this call of collect() throws
    int slowAt = -1; ///< this one takes kSlow
    int completeAt = -1; ///< phaseComplete() from this call of collect() on
    std::string startError;
    bool concludeThrows = false;
    std::optional<Nanoseconds> left; ///< the estimate of each tick
    std::uint64_t hanging = 0; ///< actions that are 5 s old at the end of each tick
};

/// Sends one message per tick.
class FakeWorkload final : public Workload {
public:
    FakeWorkload(Behaviour behaviour, Record& record)
        : m_behaviour(std::move(behaviour))
        , m_record(record)
    {
    }
    std::vector<PlannedPhase> phases() const override { return m_behaviour.phases; }
    WorkloadSeries series() const override
    {
        WorkloadSeries series;
        for (const Quantity quantity : { Quantity::messagesSent, Quantity::messagesReceived,
                 Quantity::actionsEnded, Quantity::actionsFailed, Quantity::recipientsAccepted })
            series.counters.push_back(counterOf(quantity));
        series.histograms = { test::latencyNamed(
                                  0, LatencyScope::action, LatencyClock::response, "Send message"),
            test::latencyNamed(1, LatencyScope::generator, LatencyClock::slip, "Timer slip"),
            test::latencyNamed(2, LatencyScope::action, LatencyClock::age, "Send message") };
        series.results = { 0s, { { "mix", 10, 5, 1, 1h } } };
        return series;
    }
    Result<void> start(MonoTime origin) override
    {
        m_origin = origin;
        m_record.calls.emplace_back("start");
        return m_behaviour.startError.empty() ? Result<void>() : fail(m_behaviour.startError);
    }
    void enter(const PlannedPhase& phase, MonoTime begin, MonoTime end) override
    {
        CHECK(end - begin == phase.length);
        m_record.calls.push_back(std::string("enter ") + toString(phase.kind) + " "
            + std::to_string(
                std::chrono::duration_cast<std::chrono::milliseconds>(begin - m_origin).count()));
    }
    bool phaseComplete() const override
    {
        return m_behaviour.completeAt >= 0 && m_record.collected >= m_behaviour.completeAt;
    }
    void collect(WorkloadTick& tick, std::uint32_t phase, Nanoseconds length) override
    {
        if (m_record.collected == m_behaviour.slowAt)
            for (const MonoTime end = monoNow() + kSlow; monoNow() < end;) { }
        if (m_record.collected++ == m_behaviour.throwAt)
            throw std::runtime_error("no more memory");
        m_record.lengths.push_back(length);
        m_record.phases.push_back(phase);
        tick.values[0] = tick.values[1] = tick.values[2] = 1;
        tick.values[3] = 0;
        tick.values[4] = 5;
        tick.histograms.resize(3);
        tick.histograms[0].record(7ms);
        if (m_behaviour.hanging > 0)
            tick.histograms[2].record(5s, m_behaviour.hanging);
        tick.sent = tick.received = 1;
        tick.errors = { { "SMTP connect", FailureKind::refused, 0, 2, {} } };
        tick.users = 10;
        tick.phaseLeft = m_behaviour.left;
        tick.audit.accepted = tick.audit.expected = tick.audit.deliveredOnce =
            static_cast<std::uint64_t>(m_record.collected);
    }
    void stop() override { m_record.calls.emplace_back("stop"); }
    void conclude(history::RunEnd& end) override
    {
        m_record.calls.emplace_back("conclude");
        if (m_behaviour.concludeThrows)
            throw std::runtime_error("the audit broke");
        end.audited = true;
        end.audit.accepted = end.audit.expected = end.audit.deliveredOnce = 42;
    }

private:
    Behaviour m_behaviour;
    Record& m_record;
    MonoTime m_origin {};
};

struct Fixture {
    test::ScratchFolder folder;
    Record record;
    std::filesystem::path file = folder.path() / "run.loadstone";

    std::unique_ptr<Controller> start(
        const Behaviour& behaviour, Nanoseconds tick = 10ms, Nanoseconds tooLate = 1h)
    {
        ControllerSetup setup;
        setup.header.id = RunId::make();
        setup.header.title = "Fake";
        setup.header.started = wallNow();
        setup.file = file;
        setup.responseHistograms = { 0 };
        setup.tick = tick;
        setup.tooLate = tooLate;
        setup.atEnd = [this](history::RunEnd&) { record.calls.emplace_back("at end"); };
        return std::move(
            Controller::start(std::move(setup), std::make_unique<FakeWorkload>(behaviour, record), {})
                .value());
    }
    [[nodiscard]] Recording recording() const { return Recording::open(file).value(); }
    [[nodiscard]] std::string events() const
    {
        std::string all;
        for (const RunEvent& event : recording().events().value())
            all += event.text + "\n";
        return all;
    }
};

const std::vector<std::string> kEnd { "stop", "conclude", "at end" };

bool endsInOrder(const Record& record)
{
    return record.calls.size() >= kEnd.size() && std::equal(kEnd.rbegin(), kEnd.rend(), record.calls.rbegin())
        && std::count(record.calls.begin(), record.calls.end(), "stop") == 1;
}

} // namespace

TEST_CASE("a tick that could not be ended in time is as long as it was, and so is its phase")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.phases = { { 0, "mix", PhaseKind::measurement, 300ms }, { 0, "mix", PhaseKind::quiet, 5ms } };
    behaviour.slowAt = 0;
    const auto run = fixture.start(behaviour, 100ms, 400ms);
    REQUIRE(run->waitFor(30s));
    REQUIRE(fixture.record.lengths.size() >= 3);
    CHECK(fixture.record.lengths[0] == 100ms);
    CHECK(fixture.record.lengths[1] >= kSlow); // from the first one's end to when its collecting was over
    const Recording recording = fixture.recording();
    REQUIRE(recording.phases().size() == 2);
    CHECK(recording.phases()[0].end == fixture.record.lengths[0] + fixture.record.lengths[1]);
    CHECK(recording.phases()[1].begin == recording.phases()[0].end);
}

TEST_CASE("a run's ticks follow each other without a gap, end where phases end, and lose no measurement")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.phases = { { 0, "mix", PhaseKind::rampUp, 45ms }, { 0, "mix", PhaseKind::measurement, 60ms },
        { 0, "mix", PhaseKind::rampDown, 0ms }, { 0, "mix", PhaseKind::quiet, 7ms } };
    const auto controller = fixture.start(behaviour);
    REQUIRE(controller->waitFor(60s));
    CHECK(controller->outcome());
    CHECK(controller->status().state == RunState::finished);
    CHECK(fixture.record.calls
        == std::vector<std::string> { "start", "enter ramp-up 0", "enter measurement 45", "enter quiet 105",
            "stop", "conclude", "at end" });

    const Recording recording = fixture.recording();
    CHECK(recording.state() == RunState::finished);
    CHECK(recording.length() == 112ms);
    const auto points = recording.counter(0, kAll).value();
    REQUIRE(points.size() == recording.ticks());
    REQUIRE(points.size() == fixture.record.lengths.size());
    std::vector<Nanoseconds> ends;
    Nanoseconds sum {};
    for (std::size_t i = 0; i < points.size(); ++i) {
        sum += fixture.record.lengths[i];
        CHECK(points[i].at == sum);
        ends.push_back(points[i].at);
    }
    CHECK(ends
        == std::vector<Nanoseconds> {
            10ms, 20ms, 30ms, 40ms, 45ms, 50ms, 60ms, 70ms, 80ms, 90ms, 100ms, 105ms, 110ms, 112ms });
    CHECK(fixture.record.phases == std::vector<std::uint32_t> { 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2 });
    const auto& phases = recording.phases();
    REQUIRE(phases.size() == 3);
    CHECK(phases[0] == Phase { 0, 0, "mix", PhaseKind::rampUp, 0ms, 45ms, false });
    CHECK(phases[1] == Phase { 1, 0, "mix", PhaseKind::measurement, 45ms, 105ms, false });
    CHECK(phases[2] == Phase { 2, 0, "mix", PhaseKind::quiet, 105ms, 112ms, false });
    const RunResults results = computeResults(recording).value();
    REQUIRE(results.mixes.size() == 1);
    CHECK(results.mixes[0].measured.sent == 7);
    REQUIRE(results.audit);
    CHECK(results.audit->deliveredOnce == 42);
}

TEST_CASE("a drain that has nothing left to do ends the run early")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.phases = { { -1, "", PhaseKind::drain, 1h } };
    behaviour.completeAt = 3;
    const auto controller = fixture.start(behaviour, 5ms);
    REQUIRE(controller->waitFor(60s));
    CHECK(fixture.recording().state() == RunState::finished);
    CHECK(fixture.recording().length() == 15ms);
    CHECK_FALSE(fixture.recording().phases().at(0).open);
}

TEST_CASE("a phase whose end is open ends with its work")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.phases = { { 0, "mix", PhaseKind::measurement, 168h, true } };
    behaviour.completeAt = 3;
    const auto controller = fixture.start(behaviour, 5ms);
    REQUIRE(controller->waitFor(60s));
    CHECK(fixture.recording().state() == RunState::finished);
    CHECK(
        fixture.recording().phases().at(0) == Phase { 0, 0, "mix", PhaseKind::measurement, 0s, 15ms, false });
}

TEST_CASE(
    "what is left of a phase whose end is open is as estimated, and of the run what is planned behind it")
{
    Fixture fixture;
    Behaviour behaviour;
    const PhaseKind kind = GENERATE(PhaseKind::measurement, PhaseKind::initialisation);
    behaviour.phases = { { 0, "mix", kind, 168h, true }, { 0, "mix", PhaseKind::quiet, 1h },
        { -1, "", PhaseKind::measurement, 168h, true } };
    const int estimate = GENERATE(0, 90); // seconds; 0: none
    if (estimate > 0)
        behaviour.left = std::chrono::seconds(estimate);
    const auto controller = fixture.start(behaviour);
    while (!controller->status().lastTick)
        controller->waitFor(5ms);
    const RunStatus status = controller->status();
    CHECK(status.phaseLeft == std::chrono::seconds(estimate));
    CHECK(status.totalLeft == status.phaseLeft + 1h);
    CHECK(status.leftAtLeast); // the last phase has no planned end
    REQUIRE(status.phase);
    CHECK(status.phase->end == status.phase->begin); // when is not known
    controller->stop();
    REQUIRE(controller->waitFor(60s));
    CHECK(fixture.recording().phases().at(0).end == fixture.recording().length());
}

TEST_CASE("a run that is stopped ends within a second and keeps what was measured")
{
    Fixture fixture;
    const auto controller = fixture.start({});
    while (!controller->status().lastTick || *controller->status().lastTick < 5)
        controller->waitFor(5ms);
    const RunStatus status = controller->status();
    CHECK(status.state == RunState::running);
    CHECK(status.users == 10);
    CHECK(status.p95 >= 7ms);
    CHECK(status.p95 < 8ms);
    CHECK_FALSE(status.p95AtLeast);
    CHECK(status.phase->kind == PhaseKind::measurement);
    CHECK(status.totalLeft > 59min);
    CHECK_FALSE(status.leftAtLeast);
    const MonoTime asked = monoNow();
    controller->stop();
    controller->stop();
    REQUIRE(controller->waitFor(60s));
    CHECK(monoNow() - asked < 1s);
    CHECK(endsInOrder(fixture.record));
    CHECK(controller->status().state == RunState::stopped);
    CHECK(controller->status().errors == 2 * fixture.record.lengths.size());
    const Recording recording = fixture.recording();
    CHECK(recording.state() == RunState::stopped);
    CHECK(recording.ticks() == fixture.record.lengths.size());
    REQUIRE(recording.phases().size() == 1);
    CHECK_FALSE(recording.phases()[0].open);
    CHECK(recording.phases()[0].end == recording.length());
    CHECK_THAT(fixture.events(), ContainsSubstring("stopped by the user"));
    CHECK_FALSE(computeResults(recording).value().mixes.at(0).complete);
}

TEST_CASE("what hangs counts with its age in the status of a run, as a lower bound")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.hanging = 2;
    const auto controller = fixture.start(behaviour);
    while (!controller->status().lastTick || *controller->status().lastTick < 2)
        controller->waitFor(5ms);
    const RunStatus status = controller->status();
    CHECK(status.p95 >= 4900ms);
    CHECK(status.p95 < 5100ms);
    CHECK(status.p95AtLeast);
    controller->stop();
    REQUIRE(controller->waitFor(60s));
}

TEST_CASE("a run without an owner is stopped in order")
{
    Fixture fixture;
    fixture.start({}).reset();
    CHECK(endsInOrder(fixture.record));
    CHECK(fixture.recording().state() == RunState::stopped);
}

TEST_CASE(
    "a workload that throws fails its run: the load ends, the reason is recorded, the ticks before are kept")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.throwAt = 4;
    behaviour.concludeThrows = GENERATE(false, true);
    const auto controller = fixture.start(behaviour, 5ms);
    REQUIRE(controller->waitFor(60s));
    CHECK(controller->outcome());
    CHECK(controller->status().state == RunState::failed);
    CHECK(endsInOrder(fixture.record));
    const Recording recording = fixture.recording();
    CHECK(recording.state() == RunState::failed);
    CHECK(recording.ticks() == 4);
    CHECK_FALSE(recording.phases().at(0).open);
    CHECK_THAT(fixture.events(), ContainsSubstring("the run failed: no more memory")); // the first cause
}

TEST_CASE("a workload that does not start fails its run with its own words")
{
    Fixture fixture;
    Behaviour behaviour;
    behaviour.startError = "trace.csv: permission denied";
    const auto controller = fixture.start(behaviour);
    REQUIRE(controller->waitFor(60s));
    CHECK(fixture.recording().state() == RunState::failed);
    CHECK(endsInOrder(fixture.record));
    CHECK_THAT(fixture.events(), ContainsSubstring("trace.csv: permission denied"));
}

TEST_CASE("a recording that cannot be created is an error at once")
{
    Fixture fixture;
    fixture.file = fixture.folder.path() / "no such folder" / "run.loadstone";
    Record record;
    ControllerSetup setup;
    setup.header.id = RunId::make();
    setup.file = fixture.file;
    CHECK_FALSE(Controller::start(std::move(setup), std::make_unique<FakeWorkload>(Behaviour(), record), {}));
    CHECK(record.calls.empty());
}

namespace {

/// Has a counter that no recording takes.
class UnusableSource final : public counters::LiveSource {
public:
    UnusableSource()
    {
        m_counters.push_back(counterOf(ForeignCounter { "ex1", "Memory", "", "Available MBytes" }));
        m_counters.back().kind = CounterKind::latency;
    }
    const std::vector<CounterInfo>& counters() const override { return m_counters; }
    Result<counters::LiveReading> read(std::stop_token /*stop*/) override { return fail("not asked"); }

private:
    std::vector<CounterInfo> m_counters;
};

} // namespace

TEST_CASE("a run whose sources find no place in the recording leaves no recording behind")
{
    const Fixture fixture;
    Record record;
    ControllerSetup setup;
    setup.header.id = RunId::make();
    setup.file = fixture.file;
    setup.liveSources.push_back({ {}, std::make_unique<UnusableSource>() });
    const auto started =
        Controller::start(std::move(setup), std::make_unique<FakeWorkload>(Behaviour(), record), {});
    REQUIRE_FALSE(started);
    CHECK_THAT(started.error().message, ContainsSubstring("counter 0 of a source"));
    CHECK(record.calls.empty());
    CHECK(std::filesystem::is_empty(fixture.folder.path()));
}

namespace {

/// No file may grow beyond so many bytes: what a full disk is to a writer.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
    {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit limit = m_before;
        limit.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before {};
};

} // namespace

TEST_CASE("a full disk neither holds up a run nor costs it a tick once there is room again")
{
    Fixture fixture;
    const auto controller = fixture.start({}, 5ms);
    {
        const FullDisk full(200'000);
        const MonoTime patience = monoNow() + 60s;
        while (controller->status().message.find("cannot be written") == std::string::npos
            && monoNow() < patience)
            controller->waitFor(5ms);
        CHECK_THAT(controller->status().message, ContainsSubstring("trying again"));
        const Nanoseconds before = controller->status().elapsed;
        controller->waitFor(50ms);
        CHECK(controller->status().elapsed > before);
        CHECK(controller->status().state == RunState::running);
    }
    controller->stop();
    REQUIRE(controller->waitFor(60s));
    CHECK(controller->outcome());
    CHECK(fixture.recording().state() == RunState::stopped);
    CHECK(fixture.recording().ticks() == fixture.record.lengths.size());
    CHECK_THAT(fixture.events(), ContainsSubstring("cannot be written"));
}

TEST_CASE("a store that never gets room gives up in bounded time and says why")
{
    test::ScratchFolder folder;
    Record record;
    const FakeWorkload workload(Behaviour(), record);
    RunHeader header;
    header.id = RunId::make();
    header.counters = workload.series().counters;
    for (std::size_t i = 0; i < header.counters.size(); ++i)
        header.counters[i].id = static_cast<std::uint32_t>(i);
    header.histograms = workload.series().histograms;
    const auto file = folder.path() / "run.loadstone";
    StoreThread store(history::RecordingWriter::create(file, header, workload.series().results).value());
    const FullDisk full(1000);
    store.push(RunEvent { 1ms, Severity::info, "never written" });
    const Result<void> finished = store.finish({}, 100ms);
    REQUIRE_FALSE(finished);
    CHECK_THAT(finished.error().message, ContainsSubstring("could not be completed"));
    CHECK(finished.error().message.size() > 45); // and why
}
