// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/setup.h"

#include "base/random.h"
#include "base/secret_mask.h"
#include "plan/read/addresses.h"
#include "session/addresses.h"
#include "session/target_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/resource.h>
#include <thread>

namespace loadstone::session {

std::size_t sessionLimit(const plan::Workload& workload)
{
    rlimit limit {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const std::size_t room =
        limit.rlim_cur > 2 * kSpareDescriptors ? limit.rlim_cur - kSpareDescriptors : kSpareDescriptors;
    const bool bounded = workload.pacing == plan::Pacing::open && workload.maxSessions > 0;
    return bounded ? std::min<std::size_t>(room, workload.maxSessions) : room;
}

namespace {

/// How many sessions a preparation has open at once.
unsigned preparationSessions(unsigned asked, const plan::MailPlan& plan, std::size_t most, OneOf one)
{
    constexpr unsigned kDefault = 32;
    const unsigned planned = plan.workload.maxSessions > 0 ? plan.workload.maxSessions : kDefault;
    return static_cast<unsigned>(std::min<std::size_t>(
        { one.of(asked > 0 ? asked : planned), most, std::max<std::uint64_t>(1, plan.largestMix()) }));
}

/// What filling and cleaning mailboxes needs of a plan.
Result<void> checkPurpose(const plan::MailPlan& plan, RunPurpose purpose)
{
    if (purpose == RunPurpose::run)
        return {};
    if (plan.target.embedded.present)
        return fail(
            "the embedded target begins empty with each run and ends with it; write initialise = true in "
            "[workload] and run the plan");
    if (!plan.target.imap.present)
        return fail("mailboxes are filled and cleaned over IMAP, and the plan names no IMAP server; add "
                    "[target.imap] with host and port");
    if (plan.target.password == plan::PasswordSource())
        return fail("target.password is missing, and filling or cleaning needs to log on to the mailboxes; "
                    "write password = \"...\", "
                    "{ environment = \"NAME\" } or { file = \"/path\" } below [target]");
    if (purpose == RunPurpose::initialise && !plan.workload.initial)
        return fail("the plan does not say what the mailboxes should hold; add [workload.initial] with inbox "
                    "= 10, folders "
                    "= 5, messages_per_folder = 20");
    return {};
}

unsigned workersFor(unsigned asked, const plan::MailPlan& plan)
{
    if (asked != 0)
        return asked;
    if (plan.workers != 0)
        return plan.workers;
    const unsigned cpus = std::max(1U, std::thread::hardware_concurrency());
    return std::clamp(cpus / 2, 1U, 8U); // the other half for the server, or for the network
}

} // namespace

std::size_t OneOf::of(std::size_t all) const
{
    const auto before =
        static_cast<double>(all) * static_cast<double>(mailboxes) / static_cast<double>(allMailboxes);
    return std::max<std::size_t>(1, static_cast<std::size_t>(before));
}

OneOf oneOf(const std::vector<plan::MailPlan>& parts, std::size_t index)
{
    OneOf one { index, parts.size(), std::max<std::uint64_t>(1, parts[index].largestMix()), 0 };
    for (const plan::MailPlan& part : parts)
        one.allMailboxes += std::max<std::uint64_t>(1, part.largestMix());
    return one;
}

Result<std::unique_ptr<mail::MailSetup>> makeSetup(
    plan::MailPlan plan, const RunOptions& options, const RunId& id, OneOf one)
{
    auto setup = std::make_unique<mail::MailSetup>();
    setup->plan = std::move(plan);
    setup->purpose = options.purpose;
    if (const auto fits = checkPurpose(setup->plan, options.purpose); !fits)
        return fits.error();
    auto password = passwordOf(setup->plan, options.password);
    if (!password)
        return password.error();
    setup->password = std::move(*password);
    setup->runKey =
        static_cast<std::uint32_t>(hashOf({ std::hash<std::string>()(id.text()), setup->plan.seed }));
    setup->started = wallNow();
    setup->maxSessions = one.of(sessionLimit(setup->plan.workload));
    setup->preparationSessions = preparationSessions(options.sessions, setup->plan, setup->maxSessions, one);
    if (options.purpose != RunPurpose::run)
        setup->maxSessions = setup->preparationSessions;
    else if (setup->plan.workload.pacing == plan::Pacing::users) {
        const std::uint64_t kept = setup->plan.largestMix()
            * (1 + setup->plan.target.smtp.reuseConnection + setup->plan.target.caldav.present
                + setup->plan.target.carddav.present);
        if (kept >= setup->maxSessions)
            return fail(
                fmt::format("{} connections stay open, but this process may have {}{}; raise its limit "
                            "of open files (ulimit -Hn) to {} or more",
                    kept, setup->maxSessions, one.count > 1 ? " for this target" : "",
                    kept * one.allMailboxes / one.mailboxes + 3 * kSpareDescriptors));
        setup->maxSessions -= kept; // each action has one more at most
    }
    setup->workers = static_cast<unsigned>(
        std::min<std::size_t>(one.of(workersFor(options.workers, setup->plan)), setup->maxSessions));
    setup->commandTrace = options.commandTrace;
    if (one.count > 1 && !setup->commandTrace.empty())
        setup->commandTrace += fmt::format(".{}", one.index + 1);
    return setup;
}

Result<void> checkApart(const mail::MailSetup& a, const mail::MailSetup& b)
{
    const auto same = [](const auto& one, const auto& other) { return one.port() != 0 && one == other; };
    const bool oneServer = same(a.smtp, b.smtp) || same(a.pop3, b.pop3) || same(a.imap, b.imap);
    if (!oneServer || !plan::haveSameMailboxes(a.plan, b.plan))
        return {};
    return fail("its mailboxes are on the same server as those of \"" + a.plan.targetName
        + "\", and some are the same; write another first_number, user or domain");
}

Result<std::string> passwordOf(const plan::MailPlan& plan, const std::optional<std::string>& asked)
{
    // What was asked for is the answer to a prompt; another target may have its password elsewhere.
    const bool prompt = plan.target.password.kind == plan::PasswordSource::Kind::prompt;
    if (asked && (prompt || plan.targetName.empty()))
        return *asked;
    return plan::readPassword(plan.target.password);
}

std::vector<std::string> secretsOf(const plan::MailPlan& plan, const std::optional<std::string>& asked)
{
    std::vector<std::string> secrets;
    for (const plan::MailPlan& part : plan::partsOf(plan))
        if (auto password = passwordOf(part, asked); password && !password->empty())
            secrets.push_back(*std::move(password));
    if (!secrets.empty())
        keepOutOfCoreDumps();
    return secrets;
}

Result<void> placeEndpoints(mail::MailSetup& setup, const TargetProcess* embedded)
{
    using boost::asio::ip::tcp;
    const plan::Target& target = setup.plan.target;
    const auto place = [&](const plan::Endpoint& endpoint,
                           std::uint16_t embeddedPort) -> Result<tcp::endpoint> {
        if (!endpoint.present)
            return tcp::endpoint();
        if (embedded != nullptr)
            return tcp::endpoint(boost::asio::ip::address_v4::loopback(), embeddedPort);
        const auto address = resolveLocal(endpoint.host, !target.authorised.empty());
        if (!address)
            return address.error();
        return tcp::endpoint(*address, endpoint.port);
    };
    const auto smtp = place(target.smtp, embedded != nullptr ? embedded->smtpPort() : std::uint16_t { 0 });
    if (!smtp)
        return smtp.error();
    const auto pop3 = place(target.pop3, embedded != nullptr ? embedded->pop3Port() : std::uint16_t { 0 });
    if (!pop3)
        return pop3.error();
    const auto imap = place(target.imap, embedded != nullptr ? embedded->imapPort() : std::uint16_t { 0 });
    if (!imap)
        return imap.error();
    for (const auto& [endpoint, service] :
        { std::pair(&target.caldav, &setup.calendars), std::pair(&target.carddav, &setup.contacts) }) {
        if (!endpoint->present)
            continue;
        const auto address = resolveLocal(endpoint->host, !target.authorised.empty());
        if (!address)
            return address.error();
        service->address = tcp::endpoint(*address, endpoint->port);
    }
    setup.smtp = *smtp;
    setup.pop3 = *pop3;
    setup.imap = *imap;
    for (const std::string& text : target.sourceAddresses) {
        boost::system::error_code error;
        const auto address = boost::asio::ip::make_address(text, error);
        if (error || (target.authorised.empty() && !plan::isPrivateAddress(text)))
            return fail("source address \"" + text + "\": not a loopback or private address");
        if (address.is_v6() && address.to_v6().is_link_local() && address.to_v6().scope_id() == 0)
            return fail("source address \"" + text
                + "\": this machine has no such interface; check it against "
                  "\"ip link\"");
        setup.sources.push_back(address);
    }
    return {};
}

} // namespace loadstone::session
