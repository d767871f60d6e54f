// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/problems.h"
#include "plan/model/plan.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::document {
class TableReader;
}

namespace loadstone::plan {

/// What is stated of a pause, each part by itself.
struct PauseValues {
    std::optional<Nanoseconds> mean, least, most;
    std::optional<PauseShape::Kind> kind;
    std::string table; ///< that states some of it; of two the mix itself. Empty: none does
    [[nodiscard]] bool any() const { return mean || least || most || kind; }
};

/// A workload that a mix names, with its share.
struct NamedShare {
    std::string name, field; ///< field: where the name stands
    std::uint32_t share = 1;
};

/// What one table of mix values states; an entry of mixes is laid over the defaults of [mix].
struct MixValues {
    PauseValues think, request;
    std::optional<std::vector<NamedShare>> workloads;
    bool namesTwice = false; ///< workload and workloads
    std::optional<std::int64_t> users, clients, threadsPerClient, mailboxesPerClient;
    std::optional<Nanoseconds> rampUp, measurement, total, rampDown, quietTime;
};

/// What the checks need to know of the text beyond the plan's values.
struct StatedValues {
    std::vector<MixValues> mixes; ///< with the defaults laid under them
    std::vector<std::pair<PauseValues, PauseValues>>
        scriptPauses; ///< think time and request pause, by script
    std::string profile; ///< text that the plan carries itself
    const document::Node* initial = nullptr; ///< [workload.initial]
    bool drain = false, password = false, smtpPort = false, pop3Port = false, imapPort = false;
    bool workloads = false, arrivals = false, maxSessions = false, day = false, logonOver = false,
         recipientChoice = false, oracle = false;
};

/// A plan and what is wrong with it.
struct CheckedPlan {
    Plan plan;
    std::vector<Problem> problems; ///< by line
    std::map<std::string, std::string> profiles; ///< those that were read from files: their texts, by name
};
/// Reads and checks a plan of one target, its profile included.
CheckedPlan readOneTarget(const document::Node& root, const std::string& name, const ProfileSource& profiles);
/// The same for a plan with [[targets]]: for each a plan as if it named that target alone.
CheckedPlan readSeveralTargets(
    const document::Node& root, const std::string& name, const ProfileSource& profiles);

/// Reads the values of a document by type, range and spelling, and reports what is wrong with each one.
Plan readPlan(
    const document::Node& root, const std::string& name, StatedValues& stated, document::Problems& problems);

/// The [workload] table and the [[workloads]], for readPlan.
void readWorkload(
    const document::Node* node, document::Problems& problems, Workload& to, StatedValues& stated);
void readNamedWorkloads(
    document::TableReader& top, document::Problems& problems, Workload& to, StatedValues& stated);
/// The keys of a mix or a named workload.
PauseValues readThinkTime(document::TableReader& table);
PauseValues readRequestPause(document::TableReader& table);

/// Reads a profile's document; reports what is wrong with it.
Profile readProfile(const document::Node& root, const std::string& name, document::Problems& problems);

/// What a mailbox holds, in a profile ([initial]) or a plan ([workload.initial]); what is not stated stays as it is in `to`.
void readInitial(
    const document::Node* node, const char* path, document::Problems& problems, InitialMailbox& to);

/// The tables of a raw device test, for readPlan; `busyStated`: how busy its load threads may be.
void readRawTest(document::TableReader& top, document::Problems& problems, RawPlan& plan, bool busyStated);

/// The tables of a storage stress test, for readPlan.
void readStorageTest(document::TableReader& top, document::Problems& problems, StorageTest& test);

/// The [target] table, for readPlan.
void readTarget(const document::Node* node, document::Problems& problems, Target& to, StatedValues& stated);

/// A password, as a text or as the name of what holds it; `field`: where it stands in the plan.
void readPasswordSource(
    const document::Node* node, const std::string& field, document::Problems& problems, PasswordSource& to);

/// The tables [[counters]], at most `most`, for readPlan; null: there are none.
void readCounterSources(const document::Node* list, std::size_t most, document::Problems& problems,
    std::vector<CounterSourceSpec>& to);

/// The [criteria] table, for readPlan.
void readCriteria(const document::Node* node, document::Problems& problems, Criteria& to);
/// The [[derived]] tables, at most `most`, for readPlan.
void readDerived(
    const document::Node* list, std::size_t most, document::Problems& problems, std::vector<std::string>& to);
/// The [queues] table, for readPlan.
void readQueues(const document::Node* node, document::Problems& problems, QueueLimits& to);
/// What criteria ask for that the plan cannot give.
void checkCriteria(const MailPlan& plan, document::Problems& problems);

/// What is wrong with the target as the steps or users need it; completes an embedded one.
void checkTarget(MailPlan& plan, const StatedValues& stated, document::Problems& problems);
/// Which scripts each mix plays, with which threads and pauses; reports what of that cannot be.
void settleWorkloads(MailPlan& plan, const StatedValues& stated, document::Problems& problems);
/// Reports what is wrong between values, each of them good by itself; completes the plan where values follow
/// from others (measurement from total, drain from quiet time).
void checkPlanValues(MailPlan& plan, const StatedValues& stated, document::Problems& problems);

} // namespace loadstone::plan
