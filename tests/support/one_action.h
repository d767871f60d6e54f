// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/action/action_shell.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::test {

struct ActionEnd {
    protocol::Failure failure;
    std::string where; ///< the command that failed
    std::string transcript;
    unsigned errors = 0; ///< counted for the recording
    bool dropped = false;
    std::vector<mail::SeenMessage> found;
    std::vector<mail::Renumbered> renumbered;
    std::vector<std::string> notes, warnings; ///< for the event log
    std::uint64_t appended = 0; ///< messages, by filling a mailbox
    std::uint64_t retrieved = 0; ///< whole messages
    std::size_t readToEnd = 0; ///< mailboxes
    std::vector<mail::AcceptedCopy> accepted; ///< as the audit is told
    std::vector<mail::RetrievedCopy> copies;
    std::uint64_t sent = 0, recipients = 0; ///< counted: messages and copies that were accepted
    Nanoseconds paused {}; ///< by the plan's own pauses
};

/// A plan of two mailboxes that takes only this action: over POP3 or SMTP as a step, logon and readMailbox of `users` over
/// IMAP. `target`: its tables from [target] on.
std::string planOf(plan::ActionKind kind, const std::string& target, bool users = false);

/// Carries out actions as a load thread would, on this thread, without a run around it. What one leaves behind, such as a
/// user's session, the next one finds.
class ActionStage {
public:
    /// Throws std::runtime_error where the plan is none.
    explicit ActionStage(const std::string& plan);
    ~ActionStage();
    /// Throws std::runtime_error where the action has not ended within `limit`. Its times are set here.
    ActionEnd play(mail::Appointment action, std::chrono::seconds limit = std::chrono::seconds(20));
    ActionEnd play(plan::ActionKind kind);
    [[nodiscard]] const mail::MailSetup& setup() const;
    /// Called where an action begins a pause of its plan's.
    void onPause(std::function<void()> call);
    /// What the ledger misses, as a drain's pass tells its workers.
    void owe(mail::OwedCopies owed);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// One action for the first mailbox.
ActionEnd carryOut(
    plan::ActionKind kind, const std::string& plan, std::chrono::seconds limit = std::chrono::seconds(20));

} // namespace loadstone::test
