// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/resources.h"
#include "base/secret_mask.h"
#include "counters/host/generator_counters.h"
#include "counters/host/host_counters.h"
#include "counters/host/process_counters.h"
#include "lab/host_facts.h"
#include "mail/run/mail_workload.h"
#include "mail/run/several_targets.h"
#include "plan/model/plan.h"
#include "plan/read/addresses.h"
#include "plan/read/secrets.h"
#include "run/controller.h"
#include "run/mix_commands.h"
#include "session/addresses.h"
#include "session/counter_sources.h"
#include "session/load.h"
#include "session/setup.h"
#include "session/target_process.h"
#include "session/unusable_plan.h"

#include <loadstone/lab.h>
#include <loadstone/program.h>
#include <loadstone/run.h>

#include <algorithm>
#include <unistd.h>

namespace loadstone {

namespace {

using session::Load;
using session::TargetProcess;
using session::unusablePlan;

class LocalRun final : public Run {
public:
    LocalRun(RunId id, std::filesystem::path file, std::unique_ptr<run::Controller> controller)
        : m_id(std::move(id))
        , m_file(std::move(file))
        , m_controller(std::move(controller))
    {
    }
    [[nodiscard]] RunId id() const override { return m_id; }
    [[nodiscard]] std::filesystem::path file() const override { return m_file; }
    [[nodiscard]] RunStatus status() const override { return m_controller->status(); }
    void stop() override { m_controller->stop(); }
    bool waitFor(Nanoseconds limit) override { return m_controller->waitFor(limit); }
    Result<RunResults> wait() override
    {
        while (!m_controller->waitFor(std::chrono::hours(1))) { }
        if (const auto outcome = m_controller->outcome(); !outcome)
            return outcome.error();
        const auto recording = Recording::open(m_file);
        if (!recording)
            return recording.error();
        return computeResults(*recording);
    }

private:
    RunId m_id;
    std::filesystem::path m_file;
    std::unique_ptr<run::Controller> m_controller;
};

/// What is added to a plan's title to make that of the run.
const char* titleEnd(RunPurpose purpose)
{
    switch (purpose) {
    case RunPurpose::run:
        break;
    case RunPurpose::initialise:
        return ": initialisation";
    case RunPurpose::cleanUp:
        return ": clean-up";
    case RunPurpose::verify:
        return ": verification";
    case RunPurpose::recover:
        return ": recovery";
    }
    return "";
}

/// Ids of the response times of what users wait for, of all targets together.
std::vector<std::uint32_t> responseHistograms(const std::vector<HistogramInfo>& series)
{
    std::vector<std::uint32_t> ids;
    for (const HistogramInfo& info : series)
        if (info.key.quantity == Quantity::actionTime && info.key.clock == LatencyClock::response
            && info.key.subject.target.empty())
            ids.push_back(info.id);
    return ids;
}

Result<Load> mailLoad(
    const plan::MailPlan& plan, const RunOptions& options, const RunId& id, const History& history)
{
    std::vector<std::unique_ptr<mail::MailSetup>> setups;
    std::vector<std::shared_ptr<TargetProcess>> embedded;
    const std::vector<plan::MailPlan> parts = plan::partsOf(plan);
    for (const plan::MailPlan& part : parts) {
        const std::string& name = part.targetName;
        auto setup = session::makeSetup(part, options, id, session::oneOf(parts, setups.size()));
        if (!setup)
            return unusablePlan(session::withTarget(name, setup.error()));
        (*setup)->spillFolder = history.folder();
        if ((*setup)->plan.target.embedded.present) {
            const auto program = TargetProcess::find(options.targetProgram, programFile());
            if (!program)
                return program.error();
            auto started = TargetProcess::start(
                *program, (*setup)->plan.target, (*setup)->password, (*setup)->plan.seed);
            if (!started)
                return started.error();
            embedded.push_back(std::move(*started));
        }
        const TargetProcess* own = (*setup)->plan.target.embedded.present ? embedded.back().get() : nullptr;
        if (const auto placed = session::placeEndpoints(**setup, own); !placed)
            return unusablePlan(session::withTarget(name, placed.error()));
        for (const auto& other : setups)
            if (const auto apart = session::checkApart(*other, **setup); !apart)
                return unusablePlan(session::withTarget(name, apart.error()));
        if (const auto finished = (*setup)->finish(); !finished)
            return unusablePlan(session::withTarget(name, finished.error()));
        setups.push_back(std::move(*setup));
    }

    Load load;
    load.started = setups.front()->started;
    std::vector<std::string> names; // of the embedded ones
    for (const plan::MailPlan& part : parts)
        if (part.target.embedded.present)
            names.push_back(part.targetName);
    for (std::size_t i = 0; i < embedded.size(); ++i)
        load.watched.push_back(
            { embedded[i]->pid(), "loadstone target" + (names[i].empty() ? "" : " " + names[i]) });
    if (!embedded.empty())
        load.atEnd = [embedded, names](history::RunEnd& end) {
            for (std::size_t i = 0; i < embedded.size(); ++i)
                if (embedded[i]->stop().empty())
                    end.invalidReasons.push_back(
                        { "the embedded target ended before the run did", names[i] });
        };
    if (setups.size() == 1)
        load.workload = std::make_unique<mail::MailWorkload>(std::move(setups.front()));
    else
        load.workload = std::make_unique<mail::SeveralTargets>(plan, std::move(setups));
    load.responseHistograms = responseHistograms(load.workload->series().histograms);
    return load;
}

Result<Load> loadOf(
    const plan::Plan& plan, const RunOptions& options, const RunId& id, const History& history)
{
    if (const plan::RawPlan* raw = plan.raw())
        return session::rawLoad(*raw, options, history.folder());
    if (const plan::StoragePlan* storage = plan.storage())
        return session::storageLoad(*storage, options, history.folder());
    return mailLoad(*plan.mail(), options, id, history);
}

} // namespace

Run::~Run() = default;

bool isUnusablePlan(const Error& error)
{
    return error.code == unusablePlan({}).code;
}

Result<std::unique_ptr<Run>> Run::start(const RunOptions& options)
{
    const std::string name = options.plan.name();
    auto loaded = plan::loadPlan(options.plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, name);
    const bool ofDatabases = options.purpose == RunPurpose::verify || options.purpose == RunPurpose::recover;
    if (ofDatabases && loaded->plan.storage() == nullptr)
        return unusablePlan(
            fail(name + ": has no databases to verify or recover; only plans with kind = \"storage\" have"));
    const bool asksSources = options.purpose == RunPurpose::run;
    if (asksSources)
        if (const auto agreed = session::checkAgreed(loaded->plan.head(), name, options.agreed); !agreed)
            return agreed.error();
    for (const MixCommand& command : options.mixCommands)
        if (std::ranges::find(options.agreed, command.command) == options.agreed.end())
            return unusablePlan(fail(name + ": a command between mixes needs your agreement: " + command.command));
    auto history = History::open(options.historyFolder);
    if (!history)
        return history.error();

    // What is kept with the run is all that later says what its figures mean.
    if (ofDatabases) {
        auto text = session::withTestFor(options.purpose, loaded->textWithoutSecrets);
        if (!text)
            return unusablePlan(text.error().within(name));
        loaded->textWithoutSecrets = *std::move(text);
    }
    const auto kept = plan::parsePlan(loaded->textWithoutSecrets, name);
    if (!kept.ok() && ofDatabases)
        return unusablePlan(fail(name
            + ": cannot be verified or recovered, for that is one more test than a plan can have; write at "
              "most 99 tests"));
    if (!kept.ok())
        return session::problemsOf(kept, name);
    plan::Plan& plan = loaded->plan;
    std::vector<std::string> secrets = session::statedSourceSecretsOf(plan.head());
    if (ofDatabases)
        plan = kept.plan;
    plan::PlanHead& head = plan.head();
    if (options.seed)
        head.seed = *options.seed;
    if (plan.mail() != nullptr)
        for (std::string& secret : session::secretsOf(*plan.mail(), options.password))
            secrets.push_back(std::move(secret));
    std::vector<run::NamedSource> liveSources;
    if (asksSources) {
        auto made = session::makeSources(head, secrets);
        if (!made)
            return made.error();
        liveSources = *std::move(made);
    }
    const SecretMask mask(secrets);
    const RunId id = RunId::make();
    auto load = loadOf(plan, options, id, *history);
    if (!load)
        return load.error();
    if (!options.mixCommands.empty())
        load->workload = std::make_unique<run::WithMixCommands>(
            std::move(load->workload), options.mixCommands, plan.storage() != nullptr);

    const lab::HostFacts host = lab::readHostFacts();
    run::ControllerSetup controller;
    controller.header.id = id;
    controller.header.title = mask.masked(head.title) + titleEnd(options.purpose);
    controller.header.started = load->started;
    controller.header.planName = name;
    controller.header.planText = plan::withoutSecretsAnywhere(loaded->textWithoutSecrets, secrets,
        [&](const std::string& text) { return plan::parsePlan(text, controller.header.planName).ok(); });
    controller.secrets = mask;
    controller.header.seed = head.seed;
    controller.header.kind = plan.kind();
    controller.header.study = options.study;
    controller.before = options.before;
    controller.header.lab = std::move(loaded->lab);
    if (RunLab& lab = controller.header.lab; !lab.empty())
        lab.text = plan::withoutSecretsAnywhere(lab.text, secrets,
            [&](const std::string& text) { return readLab(text, lab.name, lab.variant).usable(); });
    controller.header.versionsJson = versionsJson();
    controller.header.hostJson = lab::toJson(host);
    controller.header.computer = host.hostName;
    controller.header.plannedLength = options.purpose == RunPurpose::run ? plan.length() : Nanoseconds(0);
    controller.file = history->fileOf(id);
    controller.health = head.health;
    controller.keepProcessorsAwake = head.keepProcessorsAwake;
    controller.responseHistograms = load->responseHistograms;
    controller.atEnd = load->atEnd;
    controller.liveSources = std::move(liveSources);
    std::vector<std::unique_ptr<counters::CounterSource>> sources;
    sources.push_back(counters::makeHostCounters());
    std::vector<counters::WatchedProcess> watched { { ::getpid(), "loadstone" } };
    watched.insert(watched.end(), load->watched.begin(), load->watched.end());
    sources.push_back(counters::makeProcessCounters(watched));
    sources.push_back(counters::makeGeneratorCounters(
        [workload = load->workload.get()] { return workload->loadThreads(); }));

    auto started =
        run::Controller::start(std::move(controller), std::move(load->workload), std::move(sources));
    if (!started)
        return started.error();
    if (!options.tags.empty())
        if (const auto tagged = history->setTags(id, options.tags); !tagged)
            return tagged.error();
    if (!options.note.empty())
        if (const auto noted = history->setNote(id, options.note); !noted)
            return noted.error();
    return std::unique_ptr<Run>(std::make_unique<LocalRun>(id, history->fileOf(id), std::move(*started)));
}

} // namespace loadstone
