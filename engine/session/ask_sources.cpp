// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret_mask.h"
#include "base/thread_placement.h"
#include "counters/live/live_source.h"
#include "session/counter_sources.h"
#include "session/unusable_plan.h"

#include <loadstone/counters.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

namespace loadstone {

namespace {

using namespace std::chrono_literals;

void sleepFor(Nanoseconds time, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, time, [] { return false; });
}

SourceAnswer answerFrame(const plan::CounterSourceSpec& spec)
{
    SourceAnswer answer;
    answer.name = spec.name;
    answer.role = toString(spec.role);
    answer.origin = run::originOf(spec);
    return answer;
}

/// What the plan wants by name, in its words.
struct Wanted {
    std::vector<std::string> of(const plan::LocalHostSource& local) const { return of(local.reads); }
    std::vector<std::string> of(const plan::SshSource& ssh) const { return of(ssh.reads); }
    std::vector<std::string> of(const plan::OpenMetricsSource& exporter) const
    {
        std::vector<std::string> names;
        for (const auto& [role, devices] : exporter.volumes)
            names.push_back(role);
        return names;
    }
    std::vector<std::string> of(const plan::CommandSource& command) const
    {
        std::vector<std::string> names;
        for (const plan::CommandSource::Value& value : command.values)
            names.push_back(value.name);
        return names;
    }
    static std::vector<std::string> of(const plan::HostCounters& reads)
    {
        std::vector<std::string> names = reads.processes;
        names.insert(names.end(), reads.controlGroups.begin(), reads.controlGroups.end());
        for (const auto& [role, devices] : reads.volumes)
            names.push_back(role);
        return names;
    }
};

/// Every word that says which series a counter is; the parts of its key, not its path.
void addWords(const SeriesKey& key, std::set<std::string>& words)
{
    if (const auto& foreign = key.foreign) {
        words.insert(foreign->instance);
        words.insert(foreign->counter);
    }
    for (const std::string* word : { &key.subject.process, &key.subject.volume, &key.subject.device })
        words.insert(*word);
}

/// A wanted name is there when a counter of it has a value.
void findMissing(const plan::CounterSourceSpec& spec, SourceAnswer& answer)
{
    std::set<std::string> known, valued;
    for (const CounterValue& one : answer.counters) {
        addWords(one.info.key, known);
        // That there is none of its processes is known, and no value of them.
        if (!std::isnan(one.value) && one.info.key.quantity != Quantity::processInstances)
            addWords(one.info.key, valued);
    }
    for (const std::string& name :
        std::visit([](const auto& from) { return Wanted().of(from); }, spec.from)) {
        if (valued.contains(name))
            continue;
        answer.missing.push_back(fmt::format("{}: {}", name,
            known.contains(name) ? "its counters have no value now" : "the source has no counter of it"));
    }
}

/// Asks one source, on a thread of its own.
class SourceQuestion {
public:
    /// Adds the secrets that it reads to `secrets`.
    SourceQuestion(const plan::CounterSourceSpec& spec, bool agreed, std::vector<std::string>& secrets)
        : m_spec(spec)
        , m_answer(answerFrame(spec))
    {
        if (!agreed) {
            m_answer.trouble = "not asked: it needs your agreement (--allow-commands)";
            return;
        }
        auto made = session::makeSource(spec, secrets);
        if (made)
            m_source = std::move(made->source);
        else
            m_answer.trouble = made.error().message;
    }
    void ask(bool rates, const std::stop_token& stop)
    {
        if (m_source == nullptr)
            return;
        auto reading = m_source->read(stop);
        if (reading && rates) {
            note(*reading);
            sleepFor(1s, stop);
            reading = m_source->read(stop);
        }
        if (!reading) {
            m_answer.trouble = reading.error().message;
            return;
        }
        note(*reading);
        m_answer.answered = true;
        take(*reading);
        findMissing(m_spec, m_answer);
    }
    /// As ask(); the entry of a thread: no memory ends the question, not the program.
    void tryToAsk(bool rates, const std::stop_token& stop)
    {
        try {
            ask(rates, stop);
        } catch (const std::exception& e) {
            m_answer.answered = false;
            m_answer.counters.clear();
            m_answer.missing.clear();
            m_answer.trouble = e.what();
        }
    }
    SourceAnswer& answer() { return m_answer; }

private:
    void note(const counters::LiveReading& reading)
    {
        m_answer.notes.insert(m_answer.notes.end(), reading.notes.begin(), reading.notes.end());
    }
    void take(const counters::LiveReading& reading)
    {
        const std::vector<CounterInfo>& counters = m_source->counters();
        const double length = seconds(reading.end - reading.begin);
        for (std::size_t i = 0; i < counters.size(); ++i) {
            double value = i < reading.values.size() ? reading.values[i] : std::nan("");
            if (counters[i].kind == CounterKind::count)
                value = length > 0 ? value / length : std::nan("");
            m_answer.counters.push_back({ counters[i], value });
            m_answer.counters.back().info.id = static_cast<std::uint32_t>(i);
        }
    }

    const plan::CounterSourceSpec& m_spec;
    std::unique_ptr<counters::LiveSource> m_source;
    SourceAnswer m_answer;
};

/// What a source says may repeat what it was asked with.
void maskAnswer(SourceAnswer& answer, const SecretMask& secrets)
{
    if (secrets.empty())
        return;
    answer.origin = secrets.masked(answer.origin);
    answer.trouble = secrets.masked(answer.trouble);
    for (std::string& note : answer.notes)
        note = secrets.masked(note);
    for (std::string& one : answer.missing)
        one = secrets.masked(one);
    for (CounterValue& one : answer.counters)
        one.info = run::maskedCounter(one.info, secrets);
}

std::vector<SourceAnswer> answersOf(const plan::PlanHead& plan, const std::vector<std::string>& agreed,
    bool rates, const std::stop_token& stop)
{
    std::vector<std::string> secrets = session::statedSourceSecretsOf(plan);
    std::vector<SourceQuestion> questions;
    questions.reserve(plan.counters.size());
    for (const plan::CounterSourceSpec& spec : plan.counters) {
        const std::string text = agreementText(spec);
        questions.emplace_back(
            spec, text.empty() || std::find(agreed.begin(), agreed.end(), text) != agreed.end(), secrets);
    }
    {
        std::vector<std::jthread> threads;
        for (SourceQuestion& question : questions)
            threads.emplace_back([&question, rates, &stop] {
                blockBrokenPipeSignal();
                question.tryToAsk(rates, stop);
            });
    }
    const SecretMask mask(secrets);
    std::vector<SourceAnswer> answers;
    for (SourceQuestion& question : questions) {
        answers.push_back(std::move(question.answer()));
        maskAnswer(answers.back(), mask);
    }
    return answers;
}

Result<plan::LoadedPlan> usablePlan(const PlanInput& plan)
{
    auto loaded = plan::loadPlan(plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, plan.name());
    return loaded;
}

} // namespace

Result<std::vector<std::string>> agreementsOf(const PlanInput& plan)
{
    const auto loaded = usablePlan(plan);
    if (!loaded)
        return loaded.error();
    return session::agreementsOf(loaded->plan.head());
}

Result<void> checkAgreed(const PlanInput& plan, const std::vector<std::string>& agreed)
{
    const auto loaded = usablePlan(plan);
    if (!loaded)
        return loaded.error();
    return session::checkAgreed(loaded->plan.head(), plan.name(), agreed);
}

Result<std::vector<SourceAnswer>> askSources(const CounterQuery& query)
{
    const auto loaded = usablePlan(query.plan);
    if (!loaded)
        return loaded.error();
    auto answers = answersOf(loaded->plan.head(), query.agreed, query.rates, query.stop);
    if (query.stop.stop_requested())
        return fail("given up", make_error_code(boost::system::errc::operation_canceled));
    return answers;
}

namespace session {

std::vector<PreflightFinding> sourceFindings(
    const plan::PlanHead& plan, const std::vector<std::string>& agreed, const std::stop_token& stop)
{
    std::vector<PreflightFinding> findings;
    for (const SourceAnswer& answer : answersOf(plan, agreed, false, stop)) {
        PreflightFinding finding;
        finding.subject = "counters of " + answer.name;
        if (answer.answered)
            finding.found = fmt::format("answers with {} counters", answer.counters.size());
        else {
            finding.severity = Severity::warning;
            finding.found = "no answer: " + answer.trouble;
            finding.effect =
                "until it answers its counters are missing, and criteria on them cannot be judged";
        }
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace session

} // namespace loadstone
