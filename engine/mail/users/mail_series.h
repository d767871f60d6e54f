// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/recorder.h"
#include "plan/model/plan.h"
#include "protocol/dav/dav_request.h"
#include "protocol/imap/imap_client.h"
#include "protocol/pop3/pop3_client.h"
#include "protocol/smtp/smtp_client.h"
#include "series/series_list.h"

#include <loadstone/results.h>
#include <loadstone/run.h>

#include <array>
#include <optional>
#include <vector>

namespace loadstone::mail {

/// What a mail run records. Immutable once it is made: any thread may read.
class MailSeries {
public:
    /// What a run of the plan can fill; of a plan with several targets, what a run on any of them can. `workers`: of all.
    MailSeries(const plan::MailPlan& plan, RunPurpose purpose, unsigned workers);

    [[nodiscard]] const series::SeriesList& list() const { return m_list; }

    /// Of all users and mailboxes together.
    struct Total {
        series::CountHandle sent; ///< messages accepted by the server
        series::CounterHandle received; ///< copies at their first retrieval: the ledger counts them
        series::CountHandle recipients; ///< copies accepted
        series::CountHandle ended, failed; ///< actions
        series::CountHandle connections; ///< opened
        series::CountHandle bytesSent, bytesReceived;
        series::CountHandle retrieved; ///< messages handed out by mailboxes, however often
        // Levels, filled in by the workload:
        series::CounterHandle sessions, users, outstanding, late, twice, damaged, lost, busiestWorker,
            loopLag, oracleUsers, oracleChecks, oracleFindings, oracleCompared;
    };
    [[nodiscard]] const Total& total() const { return m_total; }
    /// CPU use of each worker, %.
    [[nodiscard]] const std::vector<series::CounterHandle>& workers() const { return m_workers; }

    /// One of metrics::kPreparationCounters. None where the run neither fills nor cleans mailboxes.
    [[nodiscard]] std::optional<series::CountHandle> preparation(Quantity quantity) const;
    /// Mailboxes to do. None likewise.
    [[nodiscard]] std::optional<series::CounterHandle> toDo() const { return m_toDo; }
    /// What one tick has counted of preparations.
    [[nodiscard]] PreparationTotals preparationIn(const metrics::Slab& slab) const;

    /// The kinds of action that the run can perform, ascending.
    [[nodiscard]] const std::vector<plan::ActionKind>& kinds() const { return m_kinds; }
    /// Of a kind of action.
    struct Counts {
        series::CounterHandle due;
        series::CountHandle begun, failed;
        series::CountHandle givenUp; ///< due and not begun when another mix took the place of theirs
    };
    struct Times {
        series::HistogramHandle response, service;
    };
    // Each throws std::bad_optional_access for a kind that is not one of kinds().
    [[nodiscard]] const Counts& counts(plan::ActionKind kind) const { return m_counts[at(kind)].value(); }
    [[nodiscard]] const Times& times(plan::ActionKind kind) const { return m_times[at(kind)].value(); }
    /// Of actions that have not ended: how long they have lasted so far.
    [[nodiscard]] series::HistogramHandle age(plan::ActionKind kind) const
    {
        return m_ages[at(kind)].value();
    }

    /// Service time of a command. None where the run has no use for it.
    [[nodiscard]] std::optional<series::HistogramHandle> command(protocol::SmtpVerb verb) const
    {
        return m_smtp[at(verb)];
    }
    [[nodiscard]] std::optional<series::HistogramHandle> command(protocol::Pop3Verb verb) const
    {
        return m_pop3[at(verb)];
    }
    [[nodiscard]] std::optional<series::HistogramHandle> command(protocol::ImapVerb verb) const
    {
        return m_imap[at(verb)];
    }
    [[nodiscard]] std::optional<series::HistogramHandle> command(protocol::DavVerb verb) const
    {
        return m_dav[at(verb)];
    }

    /// None where nothing is sent.
    [[nodiscard]] std::optional<series::HistogramHandle> delivery() const { return m_delivery; }
    [[nodiscard]] series::HistogramHandle slip() const { return m_slip; } ///< of timers
    [[nodiscard]] series::HistogramHandle lag() const { return m_lag; } ///< of a worker's loop

private:
    template <std::size_t N>
    using CommandTimes = std::array<std::optional<series::HistogramHandle>, N>;
    template <class Enum>
    static constexpr std::size_t at(Enum value)
    {
        return static_cast<std::size_t>(value);
    }
    using Parts = std::vector<plan::MailPlan>; ///< one for each target
    MailSeries(const Parts& parts, RunPurpose purpose, unsigned workers);
    Total addTotal();
    std::vector<series::CounterHandle> addWorkers(unsigned workers);
    std::vector<series::CountHandle> addPreparation(bool prepares);
    std::array<std::optional<Counts>, plan::kActionKinds> addCounts();
    std::array<std::optional<Times>, plan::kActionKinds> addTimes();
    template <class Verb, std::size_t N, class Uses>
    CommandTimes<N> addCommands(const Parts& parts, Uses&& uses); ///< `uses(part, verb)`
    std::array<std::optional<series::HistogramHandle>, plan::kActionKinds> addAges();

    // In the order in which a recording has them:
    series::SeriesList m_list;
    std::vector<plan::ActionKind> m_kinds;
    Total m_total;
    std::vector<series::CounterHandle> m_workers;
    std::vector<series::CountHandle> m_preparation; // in the order of metrics::kPreparationCounters, or none
    std::optional<series::CounterHandle> m_toDo;
    std::array<std::optional<Counts>, plan::kActionKinds> m_counts;
    std::array<std::optional<Times>, plan::kActionKinds> m_times;
    CommandTimes<protocol::kSmtpVerbs> m_smtp;
    CommandTimes<protocol::kPop3Verbs> m_pop3;
    CommandTimes<protocol::kImapVerbs> m_imap;
    CommandTimes<protocol::kDavVerbs> m_dav;
    std::optional<series::HistogramHandle> m_delivery;
    series::HistogramHandle m_slip, m_lag;
    std::array<std::optional<series::HistogramHandle>, plan::kActionKinds> m_ages;
};

} // namespace loadstone::mail
