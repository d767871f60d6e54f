// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mail/users/schedule.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace loadstone::mail {

/// What a population does, counted by origin: by the user whose clock began the chain of mail that an action belongs to.
/// From this follow the standard errors of the population's totals.
///
/// Mail breeds mail: one new message brings its readers' reads, answers, their reads, and so on, and readers on a
/// distribution list share it. Users' own counts are therefore not independent of each other, and their spread says too
/// little. Whole chains are independent: what follows from a message is drawn for each reader again. So the sums over all that
/// one user's clock began are independent and equally distributed between users, and the variance of their total follows from
/// their spread (Cochran, Sampling Techniques, 3rd edition 1977, chapter 2; of a quotient of totals, linearised, chapter 6).
/// Chains that began before a phase, or go on after it, count with the part that lies within.
///
/// That is the variance for given times at which readers look into their Inboxes. These times matter as well, for what is found
/// at one look is read together, in this phase or the next: a few members of lists read much of all mail. A reader looks
/// without memory, and a copy that has been read brings m others in the mean, each after a lag with mean G. Then a look that
/// finds n copies at t moves the expected number of first reads of a phase that ends at e by n exp(-s (e - t)) and, before its
/// begin b, by -n (exp(-s (b - t)) - exp(-s (e - t))), with s = (1 - m) / G; the squares of these jumps of a martingale add up to its
/// variance (Karr, Point Processes and their Statistical Inference, 2nd edition 1991, chapter 2). Of other figures as many follow as
/// come to a first read. Looks at even intervals move less; for them this is an upper bound.
///
/// Chains that wait for each other at a server of limited speed are not independent. One thread.
class ChainTally {
public:
    /// `day`: as long as a profile's day lasts.
    ChainTally(std::uint32_t users, Nanoseconds day, MonoTime begin);

    void beginPhase(MonoTime now);
    void finished(const Appointment& action, MonoTime now);
    /// One that sends has submitted its message, the next one of this mailbox, to so many recipients.
    void sent(const Appointment& action, std::size_t recipients, MonoTime now);
    /// A look into an Inbox has found so many copies.
    void looked(std::size_t found, MonoTime now);
    void endPhase(MonoTime now);

    /// The standard error of the phase's total, per user. After endPhase().
    [[nodiscard]] double error(std::initializer_list<plan::ActionKind> kinds) const;
    [[nodiscard]] double errorOfCopies() const;
    /// Of all copies per one of these actions; 0 when there were none.
    [[nodiscard]] double errorOfCopiesPer(std::initializer_list<plan::ActionKind> kinds) const;

private:
    struct Message {
        std::uint32_t origin; // whose clock began its chain
        MonoTime sent;
    };
    using Counts = std::array<std::uint32_t, plan::kActionKinds + 1>; // the last: copies
    [[nodiscard]] const Message* causeOf(const Appointment& action) const;
    [[nodiscard]] double togetherUntil(double when, double decay) const;
    template <class Value>
    double errorOf(Value&& value) const;

    MonoTime m_begin, m_phaseBegin {};
    double m_bin; // seconds, of m_together
    std::vector<std::vector<Message>> m_messages; // by sender and number
    std::vector<Counts> m_counts; // of the phase, by origin
    std::array<std::uint64_t, plan::kActionKinds + 1>
        m_following {}; // of them, those that follow from first reads
    double m_lags = 0; // of the phase's first reads since the sending, seconds
    std::vector<double> m_together; // by minute since the begin: pairs of copies found at one look, in order
    double m_moved = 0; // variance of first reads by the times of looks
};

} // namespace loadstone::mail
