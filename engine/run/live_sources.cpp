// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/live_sources.h"

#include "base/thread_placement.h"

#include <loadstone/source.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace loadstone::run {

namespace {

constexpr std::size_t kMostPendingTicks = 600; // while the recording cannot be written
constexpr std::size_t kMostNotesKept =
    100; // of one source: a source that changes all the time must not fill the log

struct Origin {
    std::string operator()(const plan::LocalHostSource& /*local*/) const { return "this machine"; }
    std::string operator()(const plan::SshSource& ssh) const { return "ssh " + ssh.destination; }
    std::string operator()(const plan::OpenMetricsSource& exporter) const
    {
        return "exporter " + exporter.url;
    }
    std::string operator()(const plan::CommandSource& command) const { return "command " + command.command; }
};

/// Those from the place `from` on, as the recording gets them.
std::vector<CounterInfo> countersFor(
    const std::vector<CounterInfo>& counters, std::size_t from, const SecretMask& secrets)
{
    std::vector<CounterInfo> fresh;
    for (std::size_t i = from; i < counters.size(); ++i) {
        fresh.push_back(maskedCounter(counters[i], secrets));
        fresh.back().id = static_cast<std::uint32_t>(i);
    }
    return fresh;
}

} // namespace

std::string originOf(const plan::CounterSourceSpec& spec)
{
    return std::visit(Origin {}, spec.from);
}

CounterInfo maskedCounter(const CounterInfo& info, const SecretMask& secrets)
{
    if (secrets.empty())
        return info;
    CounterInfo clean;
    if (const auto& foreign = info.key.foreign) {
        clean = counterOf(ForeignCounter { foreign->computer, secrets.masked(foreign->object),
            secrets.masked(foreign->instance), secrets.masked(foreign->counter) });
    } else {
        SeriesKey key = info.key;
        for (std::string* name : { &key.subject.device, &key.subject.process, &key.subject.volume })
            *name = secrets.masked(*name);
        clean = counterOf(std::move(key));
    }
    clean.id = info.id;
    clean.unit = secrets.masked(info.unit);
    clean.counts = secrets.masked(info.counts);
    clean.help = secrets.masked(info.help);
    clean.kind = info.kind;
    return clean;
}

/// One source, its thread and its place in the recording.
class LiveSources::Thread {
public:
    Thread(NamedSource source, SourceWriter writer, const SecretMask& secrets, const Tell& tell)
        : m_spec(std::move(source.spec))
        , m_source(std::move(source.source))
        , m_writer(std::move(writer))
        , m_secrets(secrets)
        , m_tell(tell)
    {
    }

    void start(MonoTime origin)
    {
        m_origin = origin;
        m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
    }
    void askToStop() { m_thread.request_stop(); }
    void join()
    {
        if (m_thread.joinable())
            m_thread.join();
    }

private:
    void work(const std::stop_token& stop)
    {
        nameThisThread("counters");
        blockBrokenPipeSignal();
        try { // thread entry: no memory ends the source, not the run
            while (!stop.stop_requested()) {
                ask(stop);
                waitForNext(stop);
            }
            finish();
        } catch (const std::exception& e) {
            m_writer.reset(); // so that the recording becomes one file again at its end
            say(Severity::error, fmt::format("are not read any more: {}", e.what()));
        }
    }

    void ask(const std::stop_token& stop)
    {
        auto reading = m_source->read(stop);
        if (stop.stop_requested() && !reading)
            return; // it was given up, which is nothing of the source's
        if (!reading) {
            if (!std::exchange(m_silent, true))
                say(Severity::warning,
                    fmt::format("no answer since {}: {}", formatClock(m_answered), reading.error().message));
            return;
        }
        m_answered = std::max(Nanoseconds(0), Nanoseconds(reading->end - m_origin));
        if (std::exchange(m_silent, false))
            say(Severity::info, fmt::format("an answer again at {}", formatClock(m_answered)));
        for (const std::string& note : reading->notes)
            sayNote(note);
        keep(*reading);
    }

    void sayNote(const std::string& note)
    {
        if (m_notes < kMostNotesKept)
            say(Severity::info, note);
        else if (m_notes == kMostNotesKept)
            say(Severity::info, "Further remarks on it are left out.");
        ++m_notes;
    }

    void keep(const counters::LiveReading& reading)
    {
        const auto onAxis = [&](MonoTime at) {
            return std::max(m_end, Nanoseconds(at - m_origin)); // in order, whatever a source says
        };
        SourceTick tick;
        tick.begin = onAxis(reading.begin);
        tick.end = std::max(tick.begin, onAxis(reading.end));
        tick.values = reading.values;
        m_end = tick.end;
        m_pending.push_back(std::move(tick));
        const Result<void> written = write();
        if (!written && !std::exchange(m_unwritten, true))
            say(Severity::warning, "cannot be written, trying again: " + written.error().message);
        if (written && std::exchange(m_unwritten, false))
            say(Severity::info, "are written again");
        if (m_pending.size() > kMostPendingTicks)
            m_pending.erase(m_pending.begin());
    }

    Result<void> write()
    {
        const std::vector<CounterInfo>& counters = m_source->counters();
        if (counters.size() > m_writer->counters())
            if (auto added = m_writer->addCounters(countersFor(counters, m_writer->counters(), m_secrets));
                !added)
                return added;
        const std::uint64_t before = m_writer->ticks();
        Result<void> written = m_writer->append(m_pending);
        m_pending.erase(m_pending.begin(),
            m_pending.begin()
                + static_cast<std::ptrdiff_t>(
                    std::min<std::uint64_t>(m_writer->ticks() - before, m_pending.size())));
        return written;
    }

    void finish()
    {
        Result<void> done = m_pending.empty() ? Result<void>() : write();
        if (done)
            done = m_writer->finish();
        if (!done)
            say(Severity::warning, "could not be completed: " + done.error().message);
        m_writer.reset(); // so that the recording becomes one file again at its end
    }

    /// The next multiple of the interval since the run's start: a reading that took too long leaves others out.
    void waitForNext(const std::stop_token& stop)
    {
        const Nanoseconds now = monoNow() - m_origin;
        const MonoTime next = m_origin + (now / m_spec.every + 1) * m_spec.every;
        std::unique_lock lock(m_mutex);
        m_wake.wait_until(lock, stop, next, [] { return false; });
    }

    void say(Severity severity, const std::string& what)
    {
        m_tell({ std::max(Nanoseconds(0), Nanoseconds(monoNow() - m_origin)), severity,
            fmt::format("Counters of {}: {}", m_spec.name, what) });
    }

    plan::CounterSourceSpec m_spec;
    std::unique_ptr<counters::LiveSource> m_source;
    std::optional<SourceWriter> m_writer; // none after the end
    SecretMask m_secrets;
    Tell m_tell;
    MonoTime m_origin {};
    Nanoseconds m_end {}; // of the last tick
    Nanoseconds m_answered {}; // when the last answer came, or the run's start
    bool m_silent = false, m_unwritten = false;
    std::size_t m_notes = 0;
    std::vector<SourceTick> m_pending; // not in the recording yet
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread;
};

Result<std::unique_ptr<LiveSources>> LiveSources::create(std::vector<NamedSource> sources,
    const std::filesystem::path& recording, const SecretMask& secrets, Tell tell)
{
    std::unique_ptr<LiveSources> all(new LiveSources);
    for (NamedSource& one : sources) {
        SourceFacts facts;
        facts.origin = secrets.masked(originOf(one.spec));
        facts.computer = one.spec.name;
        facts.role = toString(one.spec.role);
        facts.counters = countersFor(one.source->counters(), 0, secrets);
        auto writer = SourceWriter::create(recording, facts);
        if (!writer)
            return writer.error();
        all->m_threads.push_back(std::make_unique<Thread>(std::move(one), std::move(*writer), secrets, tell));
    }
    return all;
}

LiveSources::~LiveSources()
{
    stop();
}

void LiveSources::start(MonoTime origin)
{
    for (const auto& thread : m_threads)
        thread->start(origin);
}

void LiveSources::stop()
{
    for (const auto& thread : m_threads)
        thread->askToStop();
    for (const auto& thread : m_threads)
        thread->join();
}

} // namespace loadstone::run
