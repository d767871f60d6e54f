// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [target] and [[targets]]. Several endpoints have keys in common, and an entry of [[targets]] has all keys of [target].
#include "document/key_tables.h"

namespace loadstone::document {

namespace {

KeyRow hostKey()
{
    return { .path = "host",
        .type = KeyType::text,
        .fallback = "127.0.0.1",
        .help = "Address or name; loopback, link-local or private, unless \"authorised\" says who has "
                "allowed the "
                "load." };
}

KeyRow portKey(std::string_view help)
{
    return { .path = "port", .type = KeyType::integer, .least = 1, .most = 65535, .help = help };
}

KeyRow loginKey()
{
    return { .path = "login",
        .type = KeyType::text,
        .help = "The name with which clients log in here, as the login of [target]; without it that one.",
        .rare = true };
}

/// Whether and how the server's certificate is verified; `modes`: what tls has to be.
KeyRows certificateKeys(const std::vector<std::string_view>& modes)
{
    const KeyCondition tls { ".tls", modes };
    return {
        { .path = "verify_certificate",
            .type = KeyType::flag,
            .fallback = "true",
            .when = { tls },
            .help = "The certificate must be valid, be signed by a trusted authority, and name the server. "
                    "Without "
                    "that nothing proves that it is the intended server." },
        { .path = "server_name",
            .type = KeyType::text,
            .when = { tls },
            .help = "The name in the handshake (SNI), which the certificate must have; without it the host.",
            .rare = true },
        { .path = "ca_file",
            .type = KeyType::text,
            .when = { tls },
            .help = "A PEM file of the authorities to trust instead of the system's.",
            .rare = true },
    };
}

void append(KeyRows& to, KeyRows rows)
{
    for (KeyRow& row : rows)
        to.push_back(std::move(row));
}

/// SMTP, POP3 and IMAP.
KeyRows mailEndpointKeys(
    std::string_view portHelp, std::vector<std::string_view> mechanisms, std::string_view defaultMechanism)
{
    KeyRows rows {
        hostKey(),
        portKey(portHelp),
        { .path = "tls",
            .type = KeyType::choice,
            .fallback = "none",
            .choices = { "none", "starttls", "implicit" },
            .help = "TLS 1.2 or 1.3: none, after STARTTLS (in POP3 STLS), or from the first byte." },
        { .path = "auth",
            .type = KeyType::choice,
            .fallback = defaultMechanism,
            .choices = std::move(mechanisms),
            .help = "How clients log in." },
        loginKey(),
    };
    append(rows, certificateKeys({ "starttls", "implicit" }));
    rows.push_back({ .path = "pipelining",
        .type = KeyType::flag,
        .fallback = "false",
        .help = "Used where the server offers it; over IMAP for commands that do not depend on each other.",
        .rare = true });
    return rows;
}

KeyRows smtpKeys()
{
    KeyRows rows = mailEndpointKeys("Without it 25, 465 with implicit TLS, 24 with LMTP.",
        { "none", "automatic", "plain", "login", "sasl-login", "cram-md5", "scram-sha-1", "scram-sha-256",
            "xoauth2", "oauthbearer" },
        "none");
    append(rows,
        {
            { .path = "lmtp",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "Speak LMTP; without a login.",
                .label = "LMTP" },
            { .path = "reuse_connection",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "One connection per thread for all iterations (closed pacing), or per user." },
            { .path = "hello_name",
                .type = KeyType::text,
                .fallback = "loadstone.invalid",
                .help = "The name given in EHLO.",
                .rare = true },
        });
    return rows;
}

KeyRows pop3Keys()
{
    return mailEndpointKeys("Without it 110, or 995 with implicit TLS.",
        { "automatic", "user/pass", "apop", "plain", "login", "sasl-login", "cram-md5", "scram-sha-1",
            "scram-sha-256", "xoauth2", "oauthbearer" },
        "automatic");
}

KeyRows imapKeys()
{
    KeyRows rows = mailEndpointKeys("Without it 143, or 993 with implicit TLS.",
        { "automatic", "plain", "login", "sasl-login", "cram-md5", "scram-sha-1", "scram-sha-256", "xoauth2",
            "oauthbearer" },
        "automatic");
    append(rows,
        {
            { .path = "idle",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "Between their actions users wait in IDLE where the server offers it, so they need "
                        "not ask "
                        "for new messages." },
            { .path = "idle_renewal",
                .type = KeyType::duration,
                .least = 1,
                .most = 29 * kMinute,
                .fallback = "25 min",
                .when = { { ".idle", { "true" } } },
                .help = "IDLE begins again after this time.",
                .rare = true },
            { .path = "compress",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "COMPRESS=DEFLATE where the server offers it; counters of bytes count compressed "
                        "bytes." },
            { .path = "condstore",
                .type = KeyType::flag,
                .fallback = "false",
                .help = "CONDSTORE where the server offers it: flags that changed while another folder was "
                        "open are "
                        "fetched by modification sequence.",
                .rare = true },
        });
    return rows;
}

/// CalDAV and CardDAV.
KeyRows davKeys(std::string_view path)
{
    KeyRows rows {
        hostKey(),
        portKey("Without it 80, or 443 with TLS."),
        { .path = "tls",
            .type = KeyType::choice,
            .fallback = "none",
            .choices = { "none", "implicit" },
            .help = "Without TLS \"basic\" shows the password; preflight warns of that except on loopback." },
        { .path = "auth",
            .type = KeyType::choice,
            .fallback = "basic",
            .choices = { "basic", "none" },
            .help = "The login and the password (RFC 7617), or no login." },
        loginKey(),
    };
    append(rows, certificateKeys({ "implicit" }));
    rows.push_back({ .path = "path",
        .type = KeyType::text,
        .most = 500,
        .fallback = path,
        .help = "Of a user's calendar or address book: {user} is the mailbox name, {domain} the domain. "
                "Begins and "
                "ends with /." });
    return rows;
}

KeyRows embeddedKeys()
{
    return {
        { .path = "service_time",
            .type = KeyType::text,
            .fallback = "none",
            .help =
                "Service time of each command: \"none\", \"constant 5 ms\", \"exponential 20 ms\" (mean), "
                "\"lognormal 20 ms 1.5\" (mean, sigma of the logarithm)." },
        { .path = "capacity",
            .type = KeyType::integer,
            .least = 0,
            .most = 100'000,
            .fallback = "0",
            .help = "Commands in service at once, the others wait; 0: no limit." },
        { .path = "delivery_delay",
            .type = KeyType::duration,
            .least = 0,
            .most = kDay,
            .fallback = "0 s",
            .help = "From acceptance until the message is in the mailbox." },
        { .path = "faults",
            .type = KeyType::texts,
            .help = "Kind, share and detail of faults, as for \"loadstone target --fault\": \"lose:0.001\", "
                    "\"delay:0.01:5 s\".",
            .rare = true },
    };
}

KeyRows passwordKeys()
{
    return {
        { .path = "environment", .type = KeyType::text, .help = "The environment variable that holds it." },
        { .path = "file", .type = KeyType::text, .help = "The file whose first line it is." },
        { .path = "prompt", .type = KeyType::flag, .help = "True: it is asked for when the run begins." },
    };
}

/// Rows of [target], without the table itself.
KeyRows oneTargetKeys()
{
    KeyRows rows {
        { .path = "domain",
            .type = KeyType::text,
            .fallback = "load.test",
            .help = "Domain of all addresses, senders and recipients: one that exists only in laboratories, "
                    "or your "
                    "own, listed in authorised_domains." },
        { .path = "user",
            .type = KeyType::text,
            .most = 60,
            .fallback = "u{n}",
            .help = "Mailbox names: {n} is the number, {n:5} the number with at least five digits.",
            .label = "Mailbox names" },
        { .path = "first_number",
            .type = KeyType::integer,
            .least = 0,
            .most = 1e12,
            .fallback = "0",
            .help = "Number of the first mailbox." },
        { .path = "login",
            .type = KeyType::text,
            .most = 100,
            .fallback = "user",
            .help = "The name with which clients log in: \"user\" is the mailbox's name, \"address\" the "
                    "name with "
                    "the domain; or a pattern with {user} and, if needed, {domain}." },
        { .path = "password",
            .type = KeyType::secret,
            .help =
                "Needed to log in; the same for all mailboxes, with OAuth the token. It is never kept with a "
                "run." },
    };
    addBelow(rows, "password", passwordKeys());
    const auto endpoint = [&](std::string_view name, std::string_view help, const KeyRows& keys) {
        rows.push_back({ .path = name, .type = KeyType::table, .help = help });
        addBelow(rows, name, keys);
    };
    endpoint("smtp", "The server to which messages are sent.", smtpKeys());
    endpoint("pop3", "The server from which steps read mailboxes.", pop3Keys());
    endpoint("imap", "The server from which users and steps read mailboxes.", imapKeys());
    endpoint("caldav", "The server of calendars, for simulated users.", davKeys("/{user}/calendar/"));
    endpoint("carddav", "The server of contacts, for simulated users.", davKeys("/{user}/contacts/"));
    endpoint("embedded", "Instead of a server: Loadstone's own small one on this machine.", embeddedKeys());
    append(rows,
        {
            { .path = "authorised",
                .type = KeyType::text,
                .least = 10,
                .help = "Needed for hosts outside of private ranges and for your own mail domains: a "
                        "sentence that "
                        "says who has allowed this load, and when. Printed in the report.",
                .rare = true },
            { .path = "authorised_domains",
                .type = KeyType::texts,
                .when = { { ".authorised", {} } },
                .help = "Your own mail domains, with all domains below them. Printed in the report.",
                .rare = true },
            { .path = "item",
                .type = KeyType::text,
                .when = { { "lab", {} } },
                .help = "The id of the lab's item that this server is.",
                .rare = true },
            { .path = "source_addresses",
                .type = KeyType::texts,
                .help = "Addresses of this machine to connect from, in turn; loopback or private.",
                .rare = true },
            { .path = "connect_timeout",
                .type = KeyType::duration,
                .least = kMillisecond,
                .most = kHour,
                .fallback = "30 s",
                .help = "How long a connection may take to be made.",
                .rare = true },
            { .path = "command_timeout",
                .type = KeyType::duration,
                .least = kMillisecond,
                .most = kHour,
                .fallback = "60 s",
                .help = "For each complete reply to a command; an action that waits longer fails.",
                .rare = true },
        });
    return rows;
}

} // namespace

KeyRows targetKeys()
{
    KeyRows rows;
    addBelow(rows, "target", oneTargetKeys());
    addBelow(rows, "targets[]",
        {
            { .path = "name",
                .type = KeyType::text,
                .least = 1,
                .most = 40,
                .help = "A different one for each entry, without : and not beginning with _; without it "
                        "\"Target 1\" "
                        "and so on." },
            { .path = "share",
                .type = KeyType::integer,
                .least = 1,
                .most = 1'000'000,
                .fallback = "1",
                .help =
                    "Part of the users of every mix (with scripts: of the clients), relative to the other "
                    "shares: 3 and 1 are three quarters and one quarter." },
            { .path = "profile",
                .type = KeyType::text,
                .when = { { "workload.pacing", { "users" } } },
                .help = "The profile of this target's users; without it that of [workload]." },
        });
    addOverridesBelow(rows, "targets[]", oneTargetKeys());
    return rows;
}

} // namespace loadstone::document
