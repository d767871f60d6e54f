// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/target_options.h"

#include "protocol/common/server_line.h"

#include <loadstone/units.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>

namespace loadstone::embedded {

namespace {

constexpr std::array kVerbs { "HELO", "EHLO", "LHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "EOD",
    "RSET", "NOOP", "VRFY", "QUIT", "CAPA", "STLS", "USER", "PASS", "APOP", "STAT", "LIST", "UIDL", "TOP",
    "RETR", "DELE", "CAPABILITY", "LOGIN", "AUTHENTICATE", "LOGOUT", "SELECT", "EXAMINE", "CREATE", "DELETE",
    "LSUB", "STATUS", "APPEND", "LITERAL", "CHECK", "CLOSE", "UNSELECT", "EXPUNGE", "SEARCH", "FETCH",
    "STORE", "COPY", "MOVE", "IDLE", "DONE", "ID", "ENABLE", "NAMESPACE", "SUBSCRIBE", "UNSUBSCRIBE" };

template <class Take>
void forEachPart(std::string_view list, Take&& take)
{
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        take(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
}

template <class Number>
bool readNumber(std::string_view text, Number& number)
{
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
}

template <class T>
Result<void> into(T& place, Result<T> value)
{
    if (!value)
        return value.error();
    place = std::move(*value);
    return {};
}

Result<void> setAddress(TargetOptions& options, const std::string& text)
{
    in_addr four {};
    in6_addr six {};
    const bool loopback = inet_pton(AF_INET, text.c_str(), &four) == 1 ? (ntohl(four.s_addr) >> 24) == 127
        : inet_pton(AF_INET6, text.c_str(), &six) == 1                 ? IN6_IS_ADDR_LOOPBACK(&six) != 0
                                                                       : false;
    if (!loopback)
        return fail(
            "\"" + text + "\": the target serves loopback only; use an address of 127.0.0.0/8 or ::1");
    options.address = text;
    return {};
}

Result<void> setFreeze(TargetOptions& options, const std::string& text)
{
    const auto colon = text.find(':');
    if (colon == std::string::npos)
        return fail("\"" + text + "\": write when and how long, as in \"30 s:2 s\"");
    if (auto r = into(options.freezeAfter, parseDuration(std::string_view(text).substr(0, colon))); !r)
        return r;
    return into(options.freezeFor, parseDuration(std::string_view(text).substr(colon + 1)));
}

template <class Number>
Result<void> setNumber(Number& place, const std::string& text)
{
    if (!readNumber(text, place))
        return fail("\"" + text + "\" is not a whole number in range");
    return {};
}

Result<void> setPort(std::optional<std::uint16_t>& place, const std::string& text)
{
    std::uint16_t port = 0;
    if (!readNumber(text, port))
        return fail("\"" + text + "\" is not a port; use 0 (any free one) to 65535");
    place = port;
    return {};
}

struct Option {
    const char* name;
    const char* value; // nullptr: a switch
    const char* help;
    Result<void> (*set)(TargetOptions&, const std::string&);
};

using Options = TargetOptions;
using Text = std::string;

const std::array<Option, 29> kOptions { {
    { "--address", "ADDRESS", "loopback address to listen on (127.0.0.1)", setAddress },
    { "--smtp-port", "PORT", "serve SMTP; 0: any free port",
        [](Options& o, const Text& t) { return setPort(o.smtpPort, t); } },
    { "--smtps-port", "PORT", "serve SMTP over implicit TLS",
        [](Options& o, const Text& t) { return setPort(o.smtpsPort, t); } },
    { "--lmtp-port", "PORT", "serve LMTP", [](Options& o, const Text& t) { return setPort(o.lmtpPort, t); } },
    { "--pop3-port", "PORT", "serve POP3", [](Options& o, const Text& t) { return setPort(o.pop3Port, t); } },
    { "--pop3s-port", "PORT", "serve POP3 over implicit TLS",
        [](Options& o, const Text& t) { return setPort(o.pop3sPort, t); } },
    { "--imap-port", "PORT", "serve IMAP", [](Options& o, const Text& t) { return setPort(o.imapPort, t); } },
    { "--imaps-port", "PORT", "serve IMAP over implicit TLS",
        [](Options& o, const Text& t) { return setPort(o.imapsPort, t); } },
    { "--domain", "NAME", "name in banners (load.test)",
        [](Options& o, const Text& t) -> Result<void> {
            if (t.empty() || t.size() > 255 || t.find_first_of(" \r\n<>@") != Text::npos)
                return fail("\"" + t + "\" is not a domain name");
            o.domain = t;
            return {};
        } },
    { "--users", "PATTERN", "mailboxes that exist: any, or \"u{0-999},postmaster\" (any)",
        [](Options& o, const Text& t) { return into(o.users, UserPattern::parse(t)); } },
    { "--password", "TEXT",
        "password of every mailbox; \"-\": the first line of standard input; without this option any "
        "password works and APOP is off",
        [](Options& o, const Text& t) -> Result<void> { return o.password = t, Result<void>(); } },
    { "--tls", nullptr,
        "offer STARTTLS and STLS, with a throw-away certificate unless --cert and --key are given",
        [](Options& o, const Text&) -> Result<void> { return o.tls = true, Result<void>(); } },
    { "--cert", "FILE", "certificate chain, PEM",
        [](Options& o, const Text& t) -> Result<void> { return o.certificateFile = t, Result<void>(); } },
    { "--key", "FILE", "its key, PEM",
        [](Options& o, const Text& t) -> Result<void> { return o.keyFile = t, Result<void>(); } },
    { "--service-time", "TEXT", "none, constant 5 ms, exponential 20 ms, lognormal 20 ms 1.5 (mean, sigma)",
        [](Options& o, const Text& t) -> Result<void> {
            auto parsed = ServiceTime::parse(t);
            if (!parsed)
                return fail(parsed.error().message + "; " + ServiceTime::kForms);
            o.serviceTime = *parsed;
            return {};
        } },
    { "--service-verbs", "LIST",
        "commands with that service time: all, or RETR,EOD,... ; \"banner\" adds the banner (all)",
        [](Options& o, const Text& t) { return into(o.timedVerbs, TimedVerbs::parse(t)); } },
    { "--capacity", "N", "commands in service at once, the others wait; 0: no limit (0)",
        [](Options& o, const Text& t) { return setNumber(o.capacity, t); } },
    { "--delivery-delay", "TIME", "time from acceptance until a message can be read",
        [](Options& o, const Text& t) { return into(o.deliveryDelay, parseDuration(t)); } },
    { "--freeze", "AT:FOR", "no replies for a while, counted from the first connection: \"30 s:2 s\"",
        setFreeze },
    { "--fault", "KIND:SHARE[:DETAIL]",
        "repeatable: lose, duplicate, damage, delay (:5 s), refuse (:reset), reject (:452), stall (:5 s), "
        "drop (:reset), slow (:10 ms), search, unread",
        [](Options& o, const Text& t) { return o.faults.add(t); } },
    { "--seed", "N", "seed of random times and faults (1)",
        [](Options& o, const Text& t) { return setNumber(o.seed, t); } },
    { "--log", "FILE", "one CSV line per command",
        [](Options& o, const Text& t) -> Result<void> { return o.logFile = t, Result<void>(); } },
    { "--message-log", "FILE", "one CSV line per accepted copy of a message",
        [](Options& o, const Text& t) -> Result<void> { return o.messageLogFile = t, Result<void>(); } },
    { "--max-memory", "SIZE", "size of all messages in total; beyond it mail is refused with 452 (512 MB)",
        [](Options& o, const Text& t) { return into(o.maxMemory, parseBytes(t)); } },
    { "--max-message", "SIZE", "largest size of a message (64 MB)",
        [](Options& o, const Text& t) { return into(o.maxMessage, parseBytes(t)); } },
    { "--max-connections", "N", "connections at once; further ones are refused (20000)",
        [](Options& o, const Text& t) { return setNumber(o.maxConnections, t); } },
    { "--stop-with-parent", nullptr, "end when standard input is closed or the parent ends",
        [](Options& o, const Text&) -> Result<void> { return o.stopWithParent = true, Result<void>(); } },
    { "--control", nullptr,
        "lines of standard input change the target while it serves: service-time, service-verbs, capacity, "
        "delivery-delay, each with its value, \"faults\" with a list (lose:0.01; drop:0.1), \"freeze\" with "
        "a "
        "time; each has a JSON line as its answer; ends when standard input is closed",
        [](Options& o, const Text&) -> Result<void> {
            o.control = o.stopWithParent = true;
            return {};
        } },
    { "--no-ready-line", nullptr, "leave out the JSON line that reports the ports",
        [](Options& o, const Text&) -> Result<void> { return o.readyLine = false, Result<void>(); } },
} };

} // namespace

Result<TimedVerbs> TimedVerbs::parse(std::string_view text)
{
    TimedVerbs verbs;
    verbs.m_all = false;
    std::string unknown;
    forEachPart(text, [&](std::string_view part) {
        if (part == "all") {
            verbs.m_all = true;
        } else if (part == "banner") {
            verbs.m_banner = true;
        } else {
            const auto* const known = std::find_if(kVerbs.begin(), kVerbs.end(),
                [&](const char* v) { return protocol::equalsIgnoringCase(v, part); });
            if (known == kVerbs.end())
                unknown = part;
            else
                verbs.m_names.emplace_back(*known);
        }
    });
    if (!unknown.empty() || text.empty())
        return fail("\"" + std::string(text) + "\": unknown command \"" + unknown
            + "\"; use all, banner, EOD (the end of a message) or command names, as in RETR,EOD");
    return verbs;
}

bool TimedVerbs::contains(std::string_view verb) const
{
    return m_all || std::find(m_names.begin(), m_names.end(), verb) != m_names.end();
}

Result<UserPattern> UserPattern::parse(std::string_view text)
{
    UserPattern pattern;
    if (text == "any")
        return pattern;
    bool wrong = text.empty();
    forEachPart(text, [&](std::string_view part) {
        Range range;
        const auto open = part.find('{');
        range.prefix = part.substr(0, open);
        if (open != std::string_view::npos) {
            const auto close = part.find('}', open);
            const auto inside = part.substr(open + 1, close == std::string_view::npos ? 0 : close - open - 1);
            const auto dash = inside.find('-');
            range.numbered = true;
            wrong = wrong || dash == std::string_view::npos
                || !readNumber(inside.substr(0, dash), range.first)
                || !readNumber(inside.substr(dash + 1), range.last) || range.last < range.first;
            if (close != std::string_view::npos)
                range.suffix = part.substr(close + 1);
        }
        wrong = wrong || part.empty();
        pattern.m_ranges.push_back(std::move(range));
    });
    if (wrong)
        return fail(
            "\"" + std::string(text) + R"(": write "any", or names with a range, "u{0-999},postmaster")");
    return pattern;
}

bool UserPattern::contains(std::string_view user) const
{
    return m_ranges.empty() || std::any_of(m_ranges.begin(), m_ranges.end(), [&](const Range& range) {
        if (!range.numbered)
            return user == range.prefix;
        if (user.size() <= range.prefix.size() + range.suffix.size() || !user.starts_with(range.prefix)
            || !user.ends_with(range.suffix))
            return false;
        const auto digits =
            user.substr(range.prefix.size(), user.size() - range.prefix.size() - range.suffix.size());
        std::uint64_t number = 0;
        return readNumber(digits, number) && number >= range.first && number <= range.last;
    });
}

Result<TargetOptions> parseTargetOptions(const std::vector<std::string>& arguments)
{
    TargetOptions options;
    // The faults take their seed when they are made, so it is looked for first.
    for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
        if (arguments[i] == "--seed" && !setNumber(options.seed, arguments[i + 1]))
            break; // reported below
    options.faults = Faults(options.seed);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string name = arguments[i];
        std::optional<std::string> value;
        if (const auto equals = name.find('='); name.starts_with("--") && equals != std::string::npos) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        if (name == "--help" || name == "-h") {
            options.help = true;
            return options;
        }
        const auto* const option =
            std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& o) { return name == o.name; });
        if (option == kOptions.end())
            return fail("unknown option \"" + name + "\"; see loadstone target --help");
        if (option->value == nullptr && value)
            return fail(name + " takes no value");
        if (option->value != nullptr && !value) {
            if (++i == arguments.size())
                return fail(name + ": " + option->value + " is missing");
            value = arguments[i];
        }
        if (auto set = option->set(options, value.value_or(std::string())); !set)
            return set.error().within(name);
    }
    if (!options.smtpPort && !options.smtpsPort && !options.lmtpPort && !options.pop3Port
        && !options.pop3sPort && !options.imapPort && !options.imapsPort)
        return fail("nothing to serve: give at least one of --smtp-port, --lmtp-port, --pop3-port, "
                    "--imap-port (0: any "
                    "free port)");
    if (options.certificateFile.empty() != options.keyFile.empty())
        return fail("--cert and --key go together");
    options.tls = options.tls || !options.certificateFile.empty();
    if (!options.tls && (options.smtpsPort || options.pop3sPort || options.imapsPort))
        return fail("--smtps-port, --pop3s-port and --imaps-port need --tls");
    return options;
}

Result<void> setTargetOption(TargetOptions& options, std::string_view name, const std::string& value)
{
    const auto* const option =
        std::find_if(kOptions.begin(), kOptions.end(), [&](const Option& o) { return name == o.name; });
    if (option == kOptions.end() || option->value == nullptr)
        return fail("unknown option \"" + std::string(name) + "\"; see loadstone target --help");
    return option->set(options, value);
}

std::string targetUsage()
{
    std::string text = "Usage: loadstone target --smtp-port PORT --pop3-port PORT [OPTION...]\n"
                       "A small mail server on loopback, in memory, for tests and calibration.\n\n";
    for (const Option& option : kOptions) {
        std::string left = std::string("  ") + option.name + (option.value != nullptr ? " " : "")
            + (option.value != nullptr ? option.value : "");
        left.resize(std::max<std::size_t>(left.size() + 2, 28), ' ');
        text += left + option.help + "\n";
    }
    return text;
}

} // namespace loadstone::embedded
