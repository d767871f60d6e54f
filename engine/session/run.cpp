// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "base/resources.h"
#include "counters/host_counters.h"
#include "counters/process_counters.h"
#include "lab/host_facts.h"
#include "mail/mail_series.h"
#include "mail/mail_workload.h"
#include "plan/addresses.h"
#include "plan/plan.h"
#include "run/controller.h"
#include "session/addresses.h"
#include "session/setup.h"
#include "session/target_process.h"
#include "session/unusable_plan.h"

#include <loadstone/program.h>
#include <loadstone/run.h>

#include <fmt/format.h>

#include <algorithm>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace loadstone {

namespace {

using session::TargetProcess;
using session::unusablePlan;

/// How many sessions a preparation has open at once.
unsigned preparationSessions(unsigned asked, const plan::Plan& plan, std::size_t most)
{
    constexpr unsigned kDefault = 32;
    const unsigned planned = plan.workload.maxSessions > 0 ? plan.workload.maxSessions : kDefault;
    return static_cast<unsigned>(std::min<std::size_t>(
        { asked > 0 ? asked : planned, most, std::max<std::uint64_t>(1, plan.largestMix()) }));
}

/// What filling and cleaning mailboxes needs of a plan.
Result<void> checkPurpose(const plan::Plan& plan, RunPurpose purpose)
{
    if (purpose == RunPurpose::run)
        return {};
    if (plan.target.embedded.present)
        return fail(
            "the embedded target begins empty with each run and goes with it; write initialise = true in "
            "[workload] and run the plan");
    if (!plan.target.imap.present)
        return fail("mailboxes are filled and cleaned over IMAP, and the plan names no such server; add "
                    "[target.imap] with host and port");
    if (plan.target.password == plan::PasswordSource())
        return fail(
            "target.password is missing, and the mailboxes are logged on to; write password = \"...\", "
            "{ environment = \"NAME\" } or { file = \"/path\" } below [target]");
    if (purpose == RunPurpose::initialise && !plan.workload.initial)
        return fail(
            "nothing says what the mailboxes are to hold; add [workload.initial] with inbox = 10, folders "
            "= 5, messages_per_folder = 20");
    return {};
}

unsigned workersFor(unsigned asked, const plan::Plan& plan)
{
    if (asked != 0)
        return asked;
    if (plan.workers != 0)
        return plan.workers;
    const unsigned cpus = std::max(1U, std::thread::hardware_concurrency());
    return std::clamp(cpus / 2, 1U, 8U); // the other half for the server, or for the network
}

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

/// Ids of the response times of what users wait for.
std::vector<std::uint32_t> responseHistograms(const std::vector<std::uint32_t>& recorded)
{
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < recorded.size() && recorded[id] < mail::kSmtpHistograms; ++id)
        if (recorded[id] % 2 == 0)
            ids.push_back(id);
    return ids;
}

} // namespace

Run::~Run() = default;

bool isUnusablePlan(const Error& error)
{
    return error.code == unusablePlan({}).code;
}

Result<std::unique_ptr<Run>> Run::start(const RunOptions& options)
{
    auto loaded = plan::loadPlan(options.plan);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return session::problemsOf(*loaded, options.plan);
    auto history = History::open(options.historyFolder);
    if (!history)
        return history.error();

    auto setup = std::make_unique<mail::MailSetup>();
    setup->plan = std::move(loaded->plan);
    setup->purpose = options.purpose;
    if (const auto fits = checkPurpose(setup->plan, options.purpose); !fits)
        return unusablePlan(fits.error());
    if (options.seed)
        setup->plan.seed = *options.seed;
    auto password = options.password ? Result<std::string>(*options.password)
                                     : plan::readPassword(setup->plan.target.password);
    if (!password)
        return unusablePlan(password.error());
    setup->password = std::move(*password);
    const RunId id = RunId::make();
    setup->runKey =
        static_cast<std::uint32_t>(hashOf({ std::hash<std::string>()(id.text()), setup->plan.seed }));
    setup->started = wallNow();
    setup->maxSessions = session::sessionLimit(setup->plan.workload);
    setup->preparationSessions = preparationSessions(options.sessions, setup->plan, setup->maxSessions);
    if (options.purpose != RunPurpose::run)
        setup->maxSessions = setup->preparationSessions;
    else if (setup->plan.workload.pacing == plan::Pacing::users) {
        const std::uint64_t kept = setup->plan.largestMix()
            * (1 + setup->plan.target.smtp.reuseConnection + setup->plan.target.caldav.present
                + setup->plan.target.carddav.present);
        if (kept >= setup->maxSessions)
            return unusablePlan(
                fail(fmt::format("{} connections stay open, but this process may have {}; raise its limit of "
                                 "open files (ulimit -Hn) to {} or more",
                    kept, setup->maxSessions, kept + 3 * session::kSpareDescriptors)));
        setup->maxSessions -= kept; // each action has one more at most
    }
    setup->workers = static_cast<unsigned>(
        std::min<std::size_t>(workersFor(options.workers, setup->plan), setup->maxSessions));
    setup->spillFolder = history->folder();
    setup->commandTrace = options.commandTrace;

    std::shared_ptr<TargetProcess> embedded;
    if (setup->plan.target.embedded.present) {
        const auto program = options.targetProgram.empty() ? programFile() : options.targetProgram;
        auto started = TargetProcess::start(program, setup->plan.target, setup->password, setup->plan.seed);
        if (!started)
            return started.error();
        embedded = std::move(*started);
    }
    if (const auto placed = session::placeEndpoints(*setup, embedded.get()); !placed)
        return unusablePlan(placed.error());
    if (const auto finished = setup->finish(); !finished)
        return unusablePlan(finished.error());

    const lab::HostFacts host = lab::readHostFacts();
    run::ControllerSetup controller;
    controller.header.id = id;
    controller.header.title = setup->plan.title
        + (options.purpose == RunPurpose::initialise     ? ": initialisation"
                : options.purpose == RunPurpose::cleanUp ? ": clean-up"
                                                         : "");
    controller.header.started = setup->started;
    controller.header.planName = options.plan.filename().string();
    controller.header.planText = loaded->textWithoutSecrets;
    controller.header.seed = setup->plan.seed;
    controller.header.versionsJson = versionsJson();
    controller.header.hostJson = lab::toJson(host);
    controller.header.computer = host.hostName;
    controller.header.plannedLength =
        options.purpose == RunPurpose::run ? setup->plan.length() : Nanoseconds(0);
    controller.file = history->fileOf(id);
    controller.health.slipP99 = Nanoseconds(static_cast<std::int64_t>(setup->plan.maxSlipP99Ms * 1e6));
    controller.health.workerCpu = setup->plan.maxWorkerCpu;
    controller.keepProcessorsAwake = setup->plan.keepProcessorsAwake;
    const std::vector<std::uint32_t> recorded = mail::recordedHistograms(setup->plan, options.purpose);
    controller.slipHistogram = mail::idOf(recorded, mail::kSlipHistogram);
    controller.busiestWorkerCounter = static_cast<std::uint32_t>(mail::MailCounter::busiestWorker);
    controller.responseHistograms = responseHistograms(recorded);
    std::vector<std::unique_ptr<counters::CounterSource>> sources;
    sources.push_back(counters::makeHostCounters());
    std::vector<counters::WatchedProcess> watched { { ::getpid(), "loadstone" } };
    if (embedded)
        watched.push_back({ embedded->pid(), "loadstone target" });
    sources.push_back(counters::makeProcessCounters(watched));
    if (embedded)
        controller.atEnd = [embedded](history::RunEnd& end) {
            if (embedded->stop().empty())
                end.invalidReasons.push_back("the embedded target ended before the run did");
        };

    auto workload = std::make_unique<mail::MailWorkload>(std::move(setup));
    auto started = run::Controller::start(std::move(controller), std::move(workload), std::move(sources));
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
