// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/message/message_factory.h"
#include "mail/rehearse/model_server.h"
#include "mail/users/chain_tally.h"
#include "mail/users/distribution_lists.h"
#include "mail/users/pauses.h"
#include "mail/users/schedule.h"
#include "mail/users/user_decisions.h"
#include "plan/model/plan.h"

#include <loadstone/rehearsal.h>

#include <queue>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadstone::mail {

/// One mix of a plan in virtual time: its schedules, the message factory, and a modelled server in the place of the wire.
class VirtualRun {
public:
    /// `workers`: among how many schedules the users are divided. `progress`: as in RehearsalOptions, over this mix.
    VirtualRun(const plan::MailPlan& plan, const plan::Mix& mix, unsigned workers,
        std::function<bool(double)> progress);

    /// Ramp-up, measurement and ramp-down; false when `progress` gave up. Once.
    bool run();

    [[nodiscard]] const std::vector<RehearsedPhase>& phases() const noexcept { return m_phases; }
    [[nodiscard]] std::optional<Nanoseconds> queueStays() const; ///< as in Rehearsal, since this mix's begin
    [[nodiscard]] std::optional<Nanoseconds> queueFails() const;
    [[nodiscard]] std::uint64_t intentDigest() const noexcept { return m_intentDigest; }
    [[nodiscard]] std::uint64_t messageDigest() const noexcept { return m_messageDigest; }

private:
    struct UnderWay {
        MonoTime done;
        std::uint32_t worker, place; // in m_underWay
        std::uint32_t mailbox;
        bool operator>(const UnderWay& other) const
        {
            return done > other.done || (done == other.done && mailbox > other.mailbox);
        }
    };

    bool live(RehearsedPhase& phase, MonoTime end);
    MonoTime handOut(); ///< what is due now; gives when a schedule has something next
    void begin(std::uint32_t worker, Appointment action);
    void finish(std::uint32_t worker, Appointment& action);
    void send(const Appointment& action);
    void connect(std::uint32_t worker, const Appointment& action);
    void visit(const Appointment& action);
    void submit(const Appointment& action);
    void visitByCommands(const Appointment& action);
    void countCommands(const plan::Step& step, std::uint64_t messages);
    [[nodiscard]] Nanoseconds pausesWithin(const Appointment& action);
    void report(std::uint32_t worker, const Appointment& action, std::span<const SeenMessage> found);
    void tell(RehearsedPhase& phase) const; ///< actions and errors
    void tellCommands(RehearsedPhase& phase) const;
    void passTo(MonoTime when); ///< seconds and samples up to there
    void endSecond();

    const plan::MailPlan& m_plan;
    const plan::Mix& m_mix;
    std::uint32_t m_users;
    std::function<bool(double)> m_progress;
    const plan::Profile* m_profile; // null: a script
    DistributionLists m_lists;
    MessageFactory m_factory;
    ModelServer m_server;
    std::vector<std::unique_ptr<Schedule>> m_schedules;
    std::vector<Pauses> m_requestPauses; // by step
    std::vector<Appointment> m_underWay;
    std::vector<std::uint32_t> m_free; // places in it
    std::priority_queue<UnderWay, std::vector<UnderWay>, std::greater<>> m_ends;
    std::vector<std::uint32_t> m_messagesOf; // by user
    std::optional<ChainTally> m_tally; // none where there is no error to tell
    std::vector<bool> m_sendsOver; // by actor and worker: with an open connection to send over
    std::vector<std::pair<std::uint32_t, Appointment>> m_due; // by worker
    MonoTime m_now {};
    RehearsedPhase* m_phase = nullptr;
    std::vector<RehearsedPhase> m_phases;
    std::vector<std::uint64_t> m_counts; // of the phase, by kind
    std::map<std::string, std::uint64_t> m_commands; // of scripts, likewise, by name
    std::uint64_t m_secondActions = 0, m_secondSent = 0, m_secondRecipients = 0;
    MonoTime m_nextSecond {}, m_nextSample {};
    Nanoseconds m_sampleEvery {};
    struct QueueSample {
        Nanoseconds at;
        std::size_t copies;
    };
    std::vector<QueueSample> m_queue; // of the whole mix
    std::uint64_t m_intentDigest = 0, m_messageDigest = 0;
    // Kept between messages for their memory:
    Letter m_letter;
    Message m_message;
    std::vector<std::string> m_addresses;
    std::string m_sender;
};

} // namespace loadstone::mail
