// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/rehearse/virtual_run.h"

#include "mail/users/recipients.h"
#include "metrics/trend.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace loadstone::mail {

using plan::ActionKind;
using namespace std::chrono_literals;

namespace {

/// The morning that every rehearsal begins on, so that equal seeds give equal messages: Monday, 5 January 2026, 08:00.
constexpr WallTime kMorning { std::chrono::sys_days { std::chrono::year { 2026 } / 1 / 5 } + 8h };
constexpr MonoTime kBegin { 1h };
constexpr std::uint32_t kRunKey = 0x7e4ea45a;
constexpr std::size_t kQueueSamples = 2000; // of a mix
constexpr std::size_t kQueueNormal = 50, kQueueFailing = 1000;

constexpr auto kSending = { ActionKind::sendMessage, ActionKind::reply, ActionKind::replyAll,
    ActionKind::forward };

bool sends(ActionKind kind)
{
    return std::find(kSending.begin(), kSending.end(), kind) != kSending.end();
}

bool isLimited(const plan::ModelledServer& server)
{
    return server.capacity > 0 || server.deliveriesPerSecond > 0;
}

/// The mean size of the profile's messages, header included, for those that lie in mailboxes from the beginning.
std::uint32_t meanSize(const plan::Profile* profile)
{
    if (profile == nullptr)
        return 0;
    double sum = 0, weights = 0;
    for (const plan::MessageKind& kind : profile->messages) {
        const double attachment = kind.attachment ? 4.0 / 3 * static_cast<double>(kind.attachmentSize) : 0;
        sum += kind.weight * (kSmallestMessage + static_cast<double>(kind.bodySize) + attachment);
        weights += kind.weight;
    }
    return static_cast<std::uint32_t>(std::min(sum / weights, 4e9));
}

} // namespace

VirtualRun::VirtualRun(
    const plan::MailPlan& plan, const plan::Mix& mix, unsigned workers, std::function<bool(double)> progress)
    : m_plan(plan)
    , m_mix(mix)
    , m_users(static_cast<std::uint32_t>(mix.mailboxes()))
    , m_progress(std::move(progress))
    , m_profile(plan.workload.profile ? &*plan.workload.profile : nullptr)
    , m_lists(m_profile != nullptr ? m_profile->addressing : plan::Addressing {}, plan.seed, m_users)
    , m_factory(plan.seed, kRunKey, plan.target.domain)
    , m_server(plan.rehearsal, m_profile != nullptr ? m_profile->initial : plan::InitialMailbox {},
          meanSize(m_profile), plan.seed, m_users,
          m_profile != nullptr && m_profile->reading.replyAllTo == plan::ReplyAllTo::everyone)
    , m_messagesOf(m_users)
    , m_now(kBegin)
    , m_counts(plan::kActionKinds)
    , m_nextSecond(kBegin + 1s)
    , m_nextSample(kBegin)
{
    if (m_profile != nullptr && m_users > 1 && !isLimited(plan.rehearsal))
        m_tally.emplace(m_users, m_plan.workload.day, kBegin);
    m_requestPauses.assign(plan.workload.steps.size(), Pauses({}));
    for (const plan::MixScript& script : plan::scriptsOf(plan.workload, mix))
        if (plan.workload.pacing == plan::Pacing::closed)
            std::fill_n(m_requestPauses.begin() + script.first, script.count, Pauses(script.request));
    m_sampleEvery = std::max<Nanoseconds>(1s, mix.total() / static_cast<std::int64_t>(kQueueSamples));
    for (unsigned i = 0; i < workers; ++i)
        m_schedules.push_back(makeSchedule(plan.workload, mix, plan.seed, { i, workers }, kBegin));
}

bool VirtualRun::run()
{
    const std::pair<PhaseKind, Nanoseconds> phases[] = { { PhaseKind::rampUp, m_mix.rampUp },
        { PhaseKind::measurement, m_mix.measurement }, { PhaseKind::rampDown, m_mix.rampDown } };
    MonoTime begin = kBegin;
    for (const auto& [kind, length] : phases) {
        if (length <= Nanoseconds(0))
            continue;
        RehearsedPhase phase;
        phase.mix = m_mix.name;
        phase.kind = kind;
        phase.begin = begin - kBegin;
        phase.length = length;
        phase.users = m_users;
        if (m_profile != nullptr)
            phase.userDays = m_users * (seconds(length) / seconds(m_plan.workload.day));
        begin += length;
        const bool whole = live(phase, begin);
        m_phases.push_back(std::move(phase));
        if (!whole)
            return false;
    }
    return true;
}

bool VirtualRun::live(RehearsedPhase& phase, MonoTime end)
{
    m_phase = &phase;
    std::fill(m_counts.begin(), m_counts.end(), 0);
    m_commands.clear();
    if (m_tally)
        m_tally->beginPhase(m_now);
    const std::uint64_t deliveredBefore = m_server.delivered(m_now);
    const std::size_t samplesBefore = m_queue.size();
    phase.queueBegin = m_server.deliveryQueue(m_now);
    unsigned rounds = 0;
    for (;;) {
        MonoTime next = handOut();
        if (!m_ends.empty())
            next = std::min(next, m_ends.top().done);
        if (next >= end)
            break;
        passTo(next);
        m_now = next;
        while (!m_ends.empty() && m_ends.top().done <= m_now) {
            const UnderWay ended = m_ends.top();
            m_ends.pop();
            Appointment action = std::move(m_underWay[ended.place]);
            m_free.push_back(ended.place);
            finish(ended.worker, action);
        }
        constexpr unsigned kRoundsPerLook = 1U << 16;
        if (m_progress && ++rounds % kRoundsPerLook == 0
            && !m_progress(seconds(m_now - kBegin) / seconds(m_mix.total())))
            return false;
    }
    passTo(end);
    m_now = end;
    if (m_tally)
        m_tally->endPhase(m_now);
    tell(phase);
    phase.received = m_server.delivered(m_now) - deliveredBefore;
    phase.queueEnd = m_server.deliveryQueue(m_now);
    std::vector<metrics::Sample> samples;
    for (std::size_t i = samplesBefore; i < m_queue.size(); ++i) {
        phase.queueMost = std::max<std::uint64_t>(phase.queueMost, m_queue[i].copies);
        samples.push_back({ seconds(m_queue[i].at), static_cast<double>(m_queue[i].copies) });
    }
    phase.queueSlope = metrics::robustSlope(samples);
    return true;
}

void VirtualRun::tell(RehearsedPhase& phase) const
{
    const double days = m_tally ? seconds(phase.length) / seconds(m_plan.workload.day) : 0;
    for (const ActionKind kind : plan::kAllActions) {
        const std::uint64_t count = m_counts[plan::indexOf(kind)];
        if (count == 0 && !m_plan.workload.plays(kind))
            continue;
        RehearsedAction& action = phase.actions.emplace_back();
        action.kind = kind;
        action.count = count;
        if (m_tally)
            action.error = m_tally->error({ kind }) / days;
    }
    tellCommands(phase);
    if (!m_tally)
        return;
    RehearsedErrors& errors = phase.errors.emplace();
    errors.sent = m_tally->error(kSending) / days;
    errors.received = m_tally->errorOfCopies() / days;
    errors.reads = m_tally->error({ ActionKind::readMessage }) / days;
    errors.deleted = m_tally->error({ ActionKind::deleteMessage }) / days;
    errors.moved = m_tally->error({ ActionKind::moveMessage }) / days;
    errors.recipients = m_tally->errorOfCopiesPer(kSending);
}

MonoTime VirtualRun::handOut()
{
    MonoTime next = MonoTime::max();
    m_due.clear();
    for (std::uint32_t worker = 0; worker < m_schedules.size(); ++worker) {
        for (;;) {
            Decision decision = m_schedules[worker]->next(m_now);
            if (decision.kind == Decision::Kind::act) {
                m_due.emplace_back(worker, std::move(decision.action));
                continue;
            }
            if (decision.kind == Decision::Kind::wait)
                next = std::min(next, decision.until);
            break;
        }
    }
    // What is due at one instant is served in the order of users, however these are divided.
    if (m_due.size() > 1)
        std::stable_sort(m_due.begin(), m_due.end(),
            [](const auto& a, const auto& b) { return a.second.mailbox < b.second.mailbox; });
    for (auto& [worker, action] : m_due)
        begin(worker, std::move(action));
    return next;
}

void VirtualRun::begin(std::uint32_t worker, Appointment action)
{
    const bool byClock = m_profile != nullptr && m_profile->perDayOf(action.kind) > 0;
    if (byClock)
        m_intentDigest += hashOf({ action.mailbox, static_cast<std::uint64_t>(action.kind), action.number(),
            static_cast<std::uint64_t>(action.intended.time_since_epoch().count()), action.folder(),
            std::bit_cast<std::uint64_t>(action.pick()) });
    MonoTime done = m_server.serve(action, m_now);
    if (action.kind == ActionKind::holdSession || action.kind == ActionKind::imapSession)
        done += m_plan.workload.steps[action.step()].hold;
    if (m_profile == nullptr)
        done += pausesWithin(action);
    std::uint32_t place = 0;
    if (m_free.empty()) {
        place = static_cast<std::uint32_t>(m_underWay.size());
        m_underWay.emplace_back();
    } else {
        place = m_free.back();
        m_free.pop_back();
    }
    m_ends.push({ done, worker, place, action.mailbox });
    m_underWay[place] = std::move(action);
}

void VirtualRun::finish(std::uint32_t worker, Appointment& action)
{
    ++m_counts[plan::indexOf(action.kind)];
    ++m_secondActions;
    if (m_tally)
        m_tally->finished(action, m_now);
    if (sends(action.kind)) {
        send(action);
        connect(worker, action);
    } else if (action.kind == ActionKind::smtpSession)
        submit(action);
    else if (action.kind == ActionKind::pop3Session)
        visitByCommands(action);
    else if (plan::isOf(action.kind, plan::ActionSet::script))
        visit(action);
    switch (action.kind) {
    case ActionKind::logon:
        ++m_phase->logons;
        ++m_phase->connections;
        break;
    case ActionKind::checkInbox:
        report(worker, action, m_server.newMail(action.mailbox, m_now));
        break;
    case ActionKind::browseFolder:
        report(worker, action, m_server.browse(action.mailbox, action.folder(), action.pick()));
        break;
    case ActionKind::readMessage:
        ++m_phase->reads;
        m_phase->firstReads += action.reading() == 0 ? 1 : 0;
        if (!m_profile->cached || action.reading() > 0)
            m_phase->bytesRead += action.message().size;
        break;
    case ActionKind::moveMessage:
        ++m_phase->moved;
        m_server.dispose(action.mailbox, action);
        break;
    case ActionKind::deleteMessage:
        ++m_phase->deleted;
        m_server.dispose(action.mailbox, action);
        break;
    case ActionKind::copyMessage:
        m_server.dispose(action.mailbox, action);
        break;
    case ActionKind::emptyDeletedItems:
        m_server.emptyFolder(action.mailbox, kDeletedItems);
        break;
    default:
        break;
    }
    m_schedules[worker]->completed(action, true, m_now);
}

void VirtualRun::report(std::uint32_t worker, const Appointment& action, std::span<const SeenMessage> found)
{
    if (m_profile->cached
        && action.kind == ActionKind::checkInbox) // its client fetches what is new as a whole
        for (const SeenMessage& message : found)
            m_phase->bytesRead += message.size;
    if (m_tally && action.kind == ActionKind::checkInbox)
        m_tally->looked(found.size(), m_now);
    m_schedules[worker]->found(action, found);
}

void VirtualRun::send(const Appointment& action)
{
    const std::uint32_t number = m_messagesOf[action.mailbox]++;
    MessageOrder order;
    if (m_profile != nullptr) {
        decideLetter(*m_profile, m_lists, m_plan.seed, m_users, action,
            m_server.everyone(action.message().id), m_letter);
        order.kind = &m_profile->messages[m_letter.kind];
    } else {
        const plan::Step& step = m_plan.workload.steps[action.step()];
        drawRecipients(m_plan.workload.recipientChoice, m_plan.seed, m_users, action.mailbox, number,
            step.recipients, m_letter.recipients);
        order.size = step.size;
    }
    const auto address = [&](std::string& to, std::uint32_t mailbox) {
        to.clear();
        plan::appendMailboxName(to, m_plan.target, mailbox);
        to.append("@").append(m_plan.target.domain);
    };
    if (m_addresses.size() < m_letter.recipients.size())
        m_addresses.resize(m_letter.recipients.size());
    for (std::size_t i = 0; i < m_letter.recipients.size(); ++i)
        address(m_addresses[i], m_letter.recipients[i]);
    address(m_sender, action.mailbox);
    order.id = std::uint64_t { action.mailbox } << 32 | number;
    order.sender = m_sender;
    order.recipients = std::span<const std::string>(m_addresses).first(m_letter.recipients.size());
    order.date = kMorning + (m_now - kBegin);
    m_factory.make(order, m_message);
    m_messageDigest += hashOf({ order.id, m_message.token.digest });

    SeenMessage message;
    message.id = order.id;
    message.size = static_cast<std::uint32_t>(m_message.size);
    message.attachment = order.kind != nullptr && order.kind->attachment;
    m_server.submit(message, m_letter.recipients, m_now);
    if (m_tally)
        m_tally->sent(action, m_letter.recipients.size(), m_now);
    ++m_phase->sent;
    ++m_secondSent;
    m_phase->recipients += m_letter.recipients.size();
    m_secondRecipients += m_letter.recipients.size();
    m_phase->bytesSent += m_message.size;
}

/// To send one message, unless there is a connection from the last one.
void VirtualRun::connect(std::uint32_t worker, const Appointment& action)
{
    const std::size_t sender = action.actor * m_schedules.size() + worker; // a thread of a script, or a user
    if (m_sendsOver.size() <= sender)
        m_sendsOver.resize(sender + 1);
    const bool reuses = m_plan.target.smtp.reuseConnection;
    m_phase->connections += reuses && m_sendsOver[sender] ? 0 : 1;
    m_sendsOver[sender] = reuses;
}

void VirtualRun::endSecond()
{
    m_phase->peakActions = std::max(m_phase->peakActions, m_secondActions);
    m_phase->peakSent = std::max(m_phase->peakSent, m_secondSent);
    m_phase->peakRecipients = std::max(m_phase->peakRecipients, m_secondRecipients);
    m_secondActions = m_secondSent = m_secondRecipients = 0;
}

void VirtualRun::passTo(MonoTime when)
{
    while (m_nextSample <= when) {
        m_queue.push_back({ m_nextSample - kBegin, m_server.deliveryQueue(m_nextSample) });
        m_nextSample += m_sampleEvery;
    }
    if (m_nextSecond <= when) {
        endSecond();
        m_nextSecond += std::chrono::floor<std::chrono::seconds>(when - m_nextSecond) + 1s;
    }
}

std::optional<Nanoseconds> VirtualRun::queueStays() const
{
    if (m_queue.empty() || m_queue.back().copies <= kQueueNormal)
        return std::nullopt;
    const auto last = std::find_if(m_queue.rbegin(), m_queue.rend(),
        [](const QueueSample& sample) { return sample.copies <= kQueueNormal; });
    return last == m_queue.rend() ? m_queue.front().at : last->at + m_sampleEvery;
}

std::optional<Nanoseconds> VirtualRun::queueFails() const
{
    const auto first = std::find_if(m_queue.begin(), m_queue.end(),
        [](const QueueSample& sample) { return sample.copies > kQueueFailing; });
    return first == m_queue.end() ? std::nullopt : std::optional(first->at);
}

} // namespace loadstone::mail
