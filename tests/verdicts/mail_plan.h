// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scene.h"

#include <string>

namespace loadstone::test {

/// Limits of the generator's health that nothing exceeds: where the generator is not what is looked at, other programs on the
/// machine must not decide.
std::string wideHealth();

/// A plan of some seconds against targets of a scene. What is not said is what a sound run needs.
struct MailPlan {
    MailPlan();
    std::string top; ///< further keys
    std::string target; ///< further keys of [target]
    std::string servers; ///< tables of servers, or [[targets]], instead of the servers of the first
    std::string workload = "pacing = \"closed\"";
    std::string steps;
    std::string mix = "threads_per_client = 2\nmailboxes_per_client = 6\nthink_time = \"50 ms\"";
    std::string clients = "clients = 1";
    std::string rampUp = "1 s", measurement = "3 s", drain = "10 s";
    std::string criteria = "response_time = \"20 s\"\nerror_rate = \"5 %\"\naudit = true";
    std::string health = wideHealth();
};

/// Sends at 40 a second, whatever the server's speed. From the run's begin, so that the target's log and the measurement have
/// the same messages.
MailPlan openPlan();

/// Writes it into the scene's folder; gives the file.
std::string write(Scene& scene, const MailPlan& plan);

/// Tables of these protocols' servers: serversOf(target, { "smtp", "imap" }).
std::string serversOf(const SceneTarget& target, const std::vector<std::string>& protocols);

/// Of the measurements: "due", "begun", "ended", "failed" or "unfinished" actions; of one action alone where it is named.
std::uint64_t counted(const RunEnd& end, const std::string& column, const std::string& action = "");
/// Errors of the measurements at a place, such as "SMTP RCPT", and of a kind where one is named.
std::uint64_t errorsAt(const RunEnd& end, const std::string& where, const std::string& kind = "");
/// The longest response time of an action in the first measurement, s.
double longestResponse(const RunEnd& end, const std::string& action);

/// Messages that the audit and the target have accepted.
std::string compareAccepted(const RunEnd& end, SceneTarget& target);
/// Copies that nobody has fetched, as the audit and the target have them. One that was on its way at the run's end is in one
/// count only: `tolerance`.
std::string compareOutstanding(const RunEnd& end, SceneTarget& target, std::uint64_t tolerance);
/// A number in one of the run's reasons to be invalid, behind these words. Throws where there is none.
double reasonsNumber(const RunEnd& end, const std::string& behind);

/// The longest time in which the target sent no reply, s, and how many replies of a kind it had sent before.
struct Silence {
    double length = 0;
    std::uint64_t before = 0;
};
Silence silenceOf(SceneTarget& target, const std::string& verb, const std::string& reply);

} // namespace loadstone::test
