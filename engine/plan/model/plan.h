// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/action_kind.h"
#include "plan/model/counter_source.h"
#include "plan/model/criteria.h"
#include "plan/model/health_limits.h"
#include "plan/model/load_point.h"
#include "plan/model/password_source.h"
#include "plan/model/profile.h"
#include "plan/model/queue_limits.h"
#include "plan/model/raw_test.h"
#include "plan/model/script.h"
#include "plan/model/storage_test.h"

#include <loadstone/plan_file.h>
#include <loadstone/run_lab.h>
#include <loadstone/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace loadstone::plan {

enum class TlsMode : std::uint8_t { none, starttls, implicit };
/// How a client proves who it is. `automatic`: the best the server offers over what the connection allows. `login`: IMAP's
/// command, elsewhere the mechanism of SASL, which is `saslLogin` everywhere.
enum class AuthMethod : std::uint8_t {
    none,
    automatic,
    plain,
    login,
    userPass,
    apop,
    saslLogin,
    cramMd5,
    scramSha1,
    scramSha256,
    xoauth2,
    oauthBearer
};

/// One service of the server under test.
struct Endpoint {
    bool present = false;
    std::string host = "127.0.0.1"; ///< a literal address or a name; loopback or private, or else authorised
    std::uint16_t port = 0;
    TlsMode tls = TlsMode::none;
    AuthMethod auth = AuthMethod::none;
    std::optional<bool> verifyCertificate; ///< as the plan states it; see verifies()
    std::string serverName; ///< asked for in TLS, and whom the certificate must name; empty: the host
    std::string login; ///< see Target::login; empty: the target's
    std::string caFile; ///< PEM file of the authorities to trust; empty: those of the system
    bool pipelining = false; ///< use it where the server offers it
    [[nodiscard]] std::string nameInTls() const
    {
        return serverName.empty() ? host.substr(0, host.find('%')) : serverName;
    } ///< without the scope of a link-local address, which means something on this machine alone
    /// The server has to show a certificate that is valid, trusted and its own.
    [[nodiscard]] bool verifies() const { return tls != TlsMode::none && verifyCertificate.value_or(true); }
    bool operator==(const Endpoint&) const = default;
};

struct SmtpEndpoint : Endpoint {
    bool lmtp = false;
    bool reuseConnection = false; ///< keep one connection per thread over iterations (closed pacing only)
    std::string helloName = "loadstone.invalid";
    bool operator==(const SmtpEndpoint&) const = default;
};

struct ImapEndpoint : Endpoint {
    bool idle =
        false; ///< sessions wait for news with IDLE where the server offers it, users between their actions
    Nanoseconds idleRenewal =
        std::chrono::minutes(25); ///< longer than this no IDLE lasts; servers end one of half an hour
    bool compress = false; ///< COMPRESS=DEFLATE, likewise
    bool condstore =
        false; ///< CONDSTORE, likewise: flags that changed are asked for by modification sequence
    bool operator==(const ImapEndpoint&) const = default;
};

/// A CalDAV or CardDAV service: HTTP with or without TLS, and where a user's collection lies.
struct DavEndpoint : Endpoint {
    std::string
        path; ///< "{user}" is the mailbox's name, "{domain}" the plan's domain; begins and ends with "/"
    bool basic = true; ///< log in (RFC 7617); otherwise nothing is said of who asks
    bool operator==(const DavEndpoint&) const = default;
};

/// Faults and service times of the embedded target: passed on to `loadstone target` word by word.
struct EmbeddedTarget {
    bool present = false;
    std::string serviceTime =
        "none"; ///< "none", "constant 5 ms", "exponential 20 ms", "lognormal 20 ms 1.5" (mean, sigma)
    unsigned capacity = 0; ///< commands served at once; 0: no limit
    Nanoseconds deliveryDelay {};
    std::vector<std::string> faults; ///< as `loadstone target --fault`
    bool operator==(const EmbeddedTarget&) const = default;
};

/// The server as a rehearsal takes it to be.
struct ModelledServer {
    std::string serviceTime = "constant 10 ms"; ///< of one action; see EmbeddedTarget
    unsigned capacity = 0; ///< actions served at once; 0: no limit
    double deliveriesPerSecond = 0; ///< copies put into mailboxes; 0: no limit
    Nanoseconds deliveryDelay {}; ///< beside any waiting
    bool operator==(const ModelledServer&) const = default;
};

struct Target {
    std::string item; ///< id of the lab's item that it is; empty: not said
    /// Who allowed load on hosts outside loopback and private ranges, and mail to domains that are not reserved; empty: nobody.
    std::string authorised;
    std::vector<std::string> authorisedDomains; ///< the organisation's own, with all below them
    EmbeddedTarget embedded; ///< when present, host and ports of the endpoints are filled in at the start
    SmtpEndpoint smtp;
    Endpoint pop3;
    ImapEndpoint imap;
    DavEndpoint caldav, carddav; ///< beside an embedded target, too: that has neither
    std::string domain = "load.test"; ///< reserved for tests, or below an authorised one
    /// Mailbox names: "{n}" is the mailbox's number, "{n:5}" the same padded with zeros to 5 digits.
    std::string user = "u{n}";
    std::uint64_t firstNumber = 0; ///< of mailbox 0
    /// As whom a client logs in: "{user}" is the mailbox's name, "{domain}" the plan's domain.
    std::string login = "{user}";
    PasswordSource password;
    std::vector<std::string>
        sourceAddresses; ///< local addresses to connect from, in turn; empty: the system's choice
    Nanoseconds connectTimeout = std::chrono::seconds(30);
    Nanoseconds commandTimeout = std::chrono::seconds(60);
    bool operator==(const Target&) const = default;
};

enum class Pacing : std::uint8_t {
    closed, ///< threads with think time: the next iteration begins when the last ended plus the think time
    open, ///< every mailbox acts at its rate on the intended clock, whatever the server's speed
    users, ///< every mailbox belongs to a user who lives a profile's day, on the intended clock
};
enum class Arrivals : std::uint8_t {
    even,
    poisson
}; ///< open pacing: equal intervals from a random offset, or exponential ones
/// How recipients are drawn. correspondents ("correspondents" in the file, the default): each mailbox writes to the
/// same others throughout, drawn from the seed, and is written to by as many, so that the load on every mailbox is
/// the same and steady; random ("random"): independently for each message.
enum class RecipientChoice : std::uint8_t { correspondents, random };

struct Retry {
    unsigned attempts = 0; ///< further attempts after a failed action
    Nanoseconds pause = std::chrono::seconds(1);
    bool operator==(const Retry&) const = default;
};

struct Workload {
    Pacing pacing = Pacing::closed;
    double iterationsPerSecond = 0; ///< open pacing: per mailbox
    Arrivals arrivals = Arrivals::even;
    RecipientChoice recipientChoice = RecipientChoice::correspondents;
    std::vector<Step> steps; ///< of all scripts, one behind the other
    std::vector<Script> scripts; ///< where the plan names them; empty: one of all steps
    Retry retry;
    unsigned maxSessions =
        0; ///< open pacing: connections open at once; 0: chosen from the limits of this process
    std::string profileName; ///< users: as the plan writes it
    std::optional<Profile> profile; ///< users
    Nanoseconds day {}; ///< users: how long a profile's day lasts here
    Nanoseconds logonOver {}; ///< users: they log on one after another within this time
    double oracle = 0.05; ///< users: share whose mailboxes are followed, 0 to 1
    /// What mailboxes are to hold: the profile's, or what the plan says instead or without one.
    std::optional<InitialMailbox> initial;
    bool initialise = false; ///< a run begins with that
    bool calendars = false, contacts = false; ///< users: the plan names a server for them
    [[nodiscard]] std::vector<ActionKind> stepKinds() const;
    /// The profile asks for a calendar or contacts action that the plan names no server for.
    [[nodiscard]] bool leavesOut(ActionKind kind) const;
    /// The clock brings it: the profile asks for it, and it is not left out.
    [[nodiscard]] bool plays(ActionKind kind) const;
    bool operator==(const Workload&) const = default;
};

/// One load point of a suite of mail.
struct Mix : LoadPoint {
    std::uint32_t clients = 1;
    std::uint32_t threadsPerClient = 1; ///< closed pacing
    std::uint32_t mailboxesPerClient = 1;
    Nanoseconds thinkTime {}; ///< in the mean, as the mix states it; its scripts may have their own
    PauseShape thinkShape;
    Pause request; ///< before each further request of an iteration, likewise
    std::vector<MixScript> scripts; ///< where the plan names scripts: those of this mix; see scriptsOf()
    [[nodiscard]] std::uint64_t mailboxes() const { return std::uint64_t { clients } * mailboxesPerClient; }
    [[nodiscard]] std::uint64_t threads() const { return std::uint64_t { clients } * threadsPerClient; }
    bool operator==(const Mix&) const = default;
};

/// The lab that a plan names.
struct LabReference {
    std::string file; ///< relative to the plan, or the name of one that comes with the program; empty: none
    std::string variant; ///< id; empty: the lab as it stands
    bool operator==(const LabReference&) const = default;
};

/// What a test plan has, whatever it tests.
struct PlanHead {
    std::string title, description;
    LabReference lab;
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< load threads; 0: chosen for this machine
    HealthLimits health;
    bool keepProcessorsAwake = true; ///< of the generator's machine, where that is allowed
    Criteria criteria;
    QueueLimits queues;
    std::vector<std::string> derived; ///< definitions of computed counters, see series/derived_text.h
    std::vector<CounterSourceSpec> counters; ///< of other computers, and more of this one
    bool operator==(const PlanHead&) const = default;
};

/// kind = "mail": load on one or several mail servers.
struct MailPlan : PlanHead {
    std::string targetName; ///< of a part
    Target target; ///< of several the first
    /// Where the plan names several targets: for each of them a plan of its own, with its users; seeds are partsOf()'s.
    std::vector<MailPlan> parts;
    Workload workload;
    ModelledServer rehearsal;
    std::vector<Mix> mixes;
    Nanoseconds finalWindow {}; ///< the end of each measurement phase that is reported on its own; 0: none
    Nanoseconds drain {}; ///< at most, after the last mix; 0 where nothing reads mailboxes
    Nanoseconds deliveryLimit = std::chrono::seconds(60); ///< later is late
    [[nodiscard]] Nanoseconds length() const; ///< all mixes, the quiet times between them, and the drain
    [[nodiscard]] bool readsMailboxes() const; ///< some step empties or reads mailboxes
    [[nodiscard]] std::uint64_t
    recipientsPerIteration() const; ///< of all scripts together; 0: nothing is sent
    /// Of the messages that a mix's scripts send; 0 where it sends none, or where its scripts differ in that and it is not known
    /// beforehand how often each is played.
    [[nodiscard]] double recipientsPerMessage(const Mix& mix) const;
    /// How the drain visits mailboxes: as the plan's own steps do. None: no step reads mailboxes.
    [[nodiscard]] std::optional<ActionKind> drainKind() const;
    /// Mailboxes of the largest mix: all mixes use the first of these.
    [[nodiscard]] std::uint64_t largestMix() const;
    bool operator==(const MailPlan&) const = default;
};

/// kind = "raw": transfers to a device or a file.
struct RawPlan : PlanHead {
    RawTest test;
    bool operator==(const RawPlan&) const = default;
};

/// kind = "storage": a programme of tests of databases and their logs.
struct StoragePlan : PlanHead {
    StorageTest test;
    bool operator==(const StoragePlan&) const = default;
};

/// A test plan, the only input of a run: one of the kinds above.
struct Plan {
    std::variant<MailPlan, RawPlan, StoragePlan> of;
    [[nodiscard]] RunKind kind() const { return static_cast<RunKind>(of.index()); }
    [[nodiscard]] const PlanHead& head() const;
    [[nodiscard]] PlanHead& head();
    // Each null unless the plan is of that kind:
    [[nodiscard]] const MailPlan* mail() const { return std::get_if<MailPlan>(&of); }
    [[nodiscard]] MailPlan* mail() { return std::get_if<MailPlan>(&of); }
    [[nodiscard]] const RawPlan* raw() const { return std::get_if<RawPlan>(&of); }
    [[nodiscard]] const StoragePlan* storage() const { return std::get_if<StoragePlan>(&of); }
    /// What its users do in a day; null where it has no such users.
    [[nodiscard]] const Profile* profile() const;
    /// Its mixes or tests, in order: a storage test is measured for its duration, or for as long as it takes.
    [[nodiscard]] std::vector<LoadPoint> loadPoints() const;
    [[nodiscard]] Nanoseconds
    length() const; ///< all mixes or tests, the quiet times between them, and the drain
    bool operator==(const Plan&) const = default;
};

/// The name of mailbox `index` (from 0) of a target: "u00042".
std::string mailboxName(const Target& target, std::uint64_t index);
void appendMailboxName(std::string& name, const Target& target, std::uint64_t index);

/// As whom a client logs in to an endpoint of a target for mailbox `index`: "u00042", "u00042@load.test".
std::string loginName(const Target& target, const Endpoint& endpoint, std::uint64_t index);

/// The path of a user's calendar or address book, encoded for a URL: "/u00042/calendar/".
std::string collectionPath(const Target& target, const DavEndpoint& endpoint, std::uint64_t index);

/// What each server under test is put to: the plan itself, or the parts of one that names several targets, each with a seed
/// of its own, so that users of equal number do not act alike.
std::vector<MailPlan> partsOf(const MailPlan& plan);

/// Appointments and contacts that initialisation leaves out of one of these, which names no server for them: one sentence each.
std::vector<std::string> leftOutOfInitial(const MailPlan& part);

/// Two parts would use mailboxes of the same names.
bool haveSameMailboxes(const MailPlan& a, const MailPlan& b);

/// "10.0.0.5:25", "[fe80::1%eth0]:25"
std::string hostAndPort(const Endpoint& endpoint);

/// What a reader of the plan should know though nothing is wrong: one sentence each.
std::vector<std::string> notesOf(const Plan& plan);

/// Whether an IMAP session of a script may send `command`: one line, of a command that needs no literal and leaves the
/// session as it is.
bool isSessionCommand(std::string_view command);

/// What loading a plan gives: always all problems; `plan` is meaningful only when none is an error.
struct LoadedPlan {
    Plan plan;
    std::string text; ///< as read
    std::string
        textWithoutSecrets; ///< passwords replaced by "***"; carries the profile that was read from a file
    std::vector<Problem> problems; ///< by line
    RunLab lab; ///< the lab that the plan names, as it was read
    [[nodiscard]] bool ok() const;
};

/// Gives the lab that a plan names, without its variant.
using LabSource = std::function<Result<RunLab>(const std::string& file)>;

/// Gives the text of the profile that a plan names.
using ProfileSource = std::function<Result<std::string>(const std::string& name)>;
/// Parses and checks. `name` stands in messages; nothing is read but `text` and what `profiles` gives; without it a plan
/// that names a profile has an error. Without `labs` the lab is not read, and what the plan says of it is not checked.
LoadedPlan parsePlan(const std::string& text, const std::string& name, const ProfileSource& profiles = {},
    const LabSource& labs = {});
/// The part of a plan that is for one of its targets. A target that the plan does not have is a problem of it.
LoadedPlan partFor(const LoadedPlan& whole, const std::string& target);
/// Reads the plan (at most 1 MB) and its profile: a file beside the plan, or one that comes with the program. An Error only
/// when the plan cannot be read.
Result<LoadedPlan> loadPlan(const PlanInput& plan);

/// The password that a source names, read now; of a prompt an Error, for asking is the programs' part. The error never
/// contains it.
Result<std::string> readPassword(const PasswordSource& source);

} // namespace loadstone::plan
