// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/faults.h"
#include "base/service_time.h"
#include "document/table_reader.h"
#include "plan/read/addresses.h"
#include "plan/read/read_plan.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::plan {

namespace {

bool printable(const std::string& text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

/// "user", "address", or a pattern.
void readLogin(document::TableReader& table, std::string& to)
{
    const auto login = table.text("login");
    if (!login)
        return;
    to = *login == "user" ? "{user}" : *login == "address" ? "{user}@{domain}" : *login;
    std::string fixed = to;
    unsigned users = 0, domains = 0;
    for (const auto& [variable, count] :
        { std::pair<std::string_view, unsigned*>("{user}", &users), { "{domain}", &domains } })
        for (auto at = fixed.find(variable); at != std::string::npos; at = fixed.find(variable, at)) {
            fixed.erase(at, variable.size());
            ++*count;
        }
    constexpr std::size_t kMost = 100;
    const std::string field = table.path("login");
    if (users != 1 || domains > 1)
        table.problems().error(field,
            users == 0
                ? fmt::format("\"{}\" does not say where the mailbox's name goes", document::shown(*login))
                : fmt::format("\"{}\" has a name or a domain twice", document::shown(*login)),
            "write \"user\", \"address\" (the name, @, and target.domain), or a pattern with {user} and "
            "{domain}, as in \"LAB\\\\{user}\"");
    else if (!printable(fixed) || fixed.find_first_of("{}\",=:") != std::string::npos
        || login->size() > kMost)
        table.problems().error(field, fmt::format("\"{}\" is not a login name", document::shown(*login)),
            fmt::format(
                "write printable ASCII without blanks, braces, quotes, commas, = and :, of at most {} "
                "characters",
                kMost));
}

/// `authorised`: the plan says who allowed load outside of laboratory networks.
void readHost(document::TableReader& table, Endpoint& to, bool authorised)
{
    document::Problems& problems = table.problems();
    if (const auto host = table.text("host")) {
        to.host = *host;
        const std::string field = table.path("host");
        if (isLiteralAddress(*host)) {
            if (!isPrivateAddress(*host) && !authorised)
                problems.error(field,
                    fmt::format("{} is a public address; load is allowed only on your own servers", *host),
                    "use a loopback or private address (127.*, 10.*, 172.16-31.*, 192.168.*, ::1, fd*), or "
                    "state under "
                    "target.authorised who has allowed this load");
            else if (lacksInterface(*host))
                problems.error(field, fmt::format("{} is link-local and does not name its interface", *host),
                    fmt::format("write the interface after it, as in \"{}%eth0\"", *host));
        } else if (!isHostName(*host)) {
            problems.error(field,
                fmt::format("\"{}\" is not a host name or an address", document::shown(*host)),
                "write an address such as 10.0.0.5 or a name such as mail.lab.test; the port goes into port");
        }
    }
}

/// Whether and how the server's certificate is looked at.
void readVerification(document::TableReader& table, Endpoint& to)
{
    to.verifyCertificate = table.flag("verify_certificate");
    document::Problems& problems = table.problems();
    if (const auto name = table.text("server_name")) {
        to.serverName = *name;
        if (!isHostName(*name) && !isLiteralAddress(*name))
            problems.error(table.path("server_name"),
                fmt::format("\"{}\" is not a host name or an address", document::shown(*name)),
                "write the name that the server's certificate has, such as mail.lab.test");
    }
    if (const auto file = table.text("ca_file")) {
        to.caFile = *file;
        if (file->empty() || file->find('\0') != std::string::npos)
            problems.error(table.path("ca_file"), "is not the path of a file",
                "write the path of a PEM file, or remove it");
    }
}

/// `plainPort` and `tlsPort`: where the protocol is usually found, without and with TLS from the first byte.
void readEndpoint(document::TableReader& table, Endpoint& to, std::uint16_t plainPort, std::uint16_t tlsPort,
    bool authorised)
{
    to.present = true;
    readHost(table, to, authorised);
    document::assign(to.tls,
        table.choice<TlsMode>("tls",
            { { "none", TlsMode::none }, { "starttls", TlsMode::starttls },
                { "implicit", TlsMode::implicit } }));
    document::assign(to.port, table.number("port"));
    document::assign(to.auth,
        table.choice<AuthMethod>("auth",
            { { "none", AuthMethod::none }, { "automatic", AuthMethod::automatic },
                { "plain", AuthMethod::plain }, { "login", AuthMethod::login },
                { "user/pass", AuthMethod::userPass }, { "apop", AuthMethod::apop },
                { "sasl-login", AuthMethod::saslLogin }, { "cram-md5", AuthMethod::cramMd5 },
                { "scram-sha-1", AuthMethod::scramSha1 }, { "scram-sha-256", AuthMethod::scramSha256 },
                { "xoauth2", AuthMethod::xoauth2 }, { "oauthbearer", AuthMethod::oauthBearer } }));
    readLogin(table, to.login);
    readVerification(table, to);
    document::assign(to.pipelining, table.flag("pipelining"));
    if (to.port == 0)
        to.port = to.tls == TlsMode::implicit ? tlsPort : plainPort;
}

/// CalDAV and CardDAV: HTTP, whose TLS comes first or not at all. `path`: where a user's collection lies by default.
void readDav(const document::Node* node, const std::string& name, const char* path,
    document::Problems& problems, DavEndpoint& to, bool authorised)
{
    if (node == nullptr)
        return;
    document::TableReader table(node, name, problems);
    to.present = true;
    readHost(table, to, authorised);
    document::assign(to.tls,
        table.choice<TlsMode>("tls", { { "none", TlsMode::none }, { "implicit", TlsMode::implicit } }));
    document::assign(to.port, table.number("port"));
    if (to.port == 0)
        to.port = to.tls == TlsMode::implicit ? 443 : 80;
    document::assign(to.basic, table.choice<bool>("auth", { { "basic", true }, { "none", false } }));
    readLogin(table, to.login);
    readVerification(table, to);
    to.path = table.text("path").value_or(path);
    table.finish();
    std::string fixed = to.path;
    for (const std::string_view variable : { "{user}", "{domain}" })
        for (auto at = fixed.find(variable); at != std::string::npos; at = fixed.find(variable))
            fixed.erase(at, variable.size());
    const bool whole = to.path.starts_with('/') && to.path.ends_with('/') && to.path.size() <= 500;
    if (!whole || !printable(to.path) || fixed.find_first_of("{}?#\\\"<>") != std::string::npos
        || to.path.find("{user}") == std::string::npos)
        problems.error(table.path("path"),
            fmt::format("\"{}\" is not the path of a user's collection", document::shown(to.path)),
            fmt::format("write one that begins and ends with / and has {{user}} in it, as in \"{}\"", path));
}

void readEmbedded(const document::Node* node, document::Problems& problems, EmbeddedTarget& to)
{
    document::TableReader table(node, "target.embedded", problems);
    to.present = table.present();
    if (const auto serviceTime = table.text("service_time")) {
        to.serviceTime = *serviceTime;
        if (const auto parsed = ServiceTime::parse(*serviceTime); !parsed)
            problems.error(
                table.path("service_time"), document::shown(parsed.error().message), ServiceTime::kForms);
    }
    document::assign(to.capacity, table.number("capacity"));
    document::assign(to.deliveryDelay, table.duration("delivery_delay"));
    if (const auto faults = table.texts("faults")) {
        to.faults = *faults;
        Faults known;
        for (std::size_t i = 0; i < faults->size(); ++i)
            if (const auto added = known.add((*faults)[i]); !added)
                problems.error(fmt::format("target.embedded.faults[{}]", i),
                    document::shown(added.error().message),
                    "write kind, share and detail, as in \"lose:0.001\" or \"delay:0.01:5 s\"");
    }
    table.finish();
}

void readUser(document::TableReader& table, std::string& to)
{
    // % and ! among them: relays read "a%b.org" and "b.org!a" as the mailbox a at b.org, as mail did before domains.
    constexpr const char* kNotInNames = "@<>()[]\\,;:\"%!";
    const auto user = table.text("user");
    if (!user)
        return;
    to = *user;
    const std::string field = table.path("user");
    const auto open = user->find('{');
    const auto close = user->find('}', open == std::string::npos ? 0 : open);
    const bool one = open != std::string::npos && close != std::string::npos
        && user->find_first_of("{}", close + 1) == std::string::npos;
    const std::string inner = one ? user->substr(open + 1, close - open - 1) : "";
    const bool width = inner.size() >= 3 && inner.size() <= 4 && inner.starts_with("n:")
        && std::all_of(inner.begin() + 2, inner.end(), [](char c) { return c >= '0' && c <= '9'; })
        && std::stoi(inner.substr(2)) >= 1 && std::stoi(inner.substr(2)) <= 18;
    if (!one || (inner != "n" && !width)) {
        table.problems().error(field,
            fmt::format("\"{}\" does not number the mailboxes", document::shown(*user)),
            "write {n}, or {n:5} for five digits, once where the number goes, as in \"u{n:5}\"");
        return;
    }
    if (!printable(*user) || user->size() > 60 || user->find_first_of(kNotInNames, close) != std::string::npos
        || user->substr(0, open).find_first_of(kNotInNames) != std::string::npos)
        table.problems().error(field, fmt::format("\"{}\" is not a mailbox name", document::shown(*user)),
            "write letters, digits, dots, - and _ around the {n}; the domain goes into target.domain, and "
            "login = "
            "\"address\" logs in with both");
}

/// Mail to strangers is no load test: whatever a relay on loopback is, it hands mail on to the domain that the addresses name.
void readDomain(document::TableReader& table, Target& to)
{
    document::Problems& problems = table.problems();
    if (const auto domains = table.texts("authorised_domains"))
        for (std::size_t i = 0; i < domains->size(); ++i) {
            std::string domain = (*domains)[i];
            if (!isHostName(domain) || domain.find('.') == std::string::npos)
                problems.error(fmt::format("{}[{}]", table.path("authorised_domains"), i),
                    fmt::format("\"{}\" is not the mail domain of an organisation", document::shown(domain)),
                    "write one such as \"lab.company.net\"; it stands for all domains below it, too");
            else
                to.authorisedDomains.push_back(std::move(domain));
        }
    if (table.has("authorised_domains") && to.authorised.empty())
        problems.error(table.path("authorised_domains"),
            "names domains, but target.authorised does not say who has allowed load on them",
            "state under target.authorised in a sentence who has allowed it, and when");
    const auto domain = table.text("domain");
    if (!domain)
        return;
    to.domain = *domain;
    const bool ours = isReservedDomain(*domain)
        || std::any_of(to.authorisedDomains.begin(), to.authorisedDomains.end(),
            [&](const std::string& own) { return isWithinDomain(*domain, own); });
    if (!isHostName(*domain))
        problems.error(table.path("domain"),
            fmt::format("\"{}\" is not a mail domain", document::shown(*domain)),
            "write a name such as \"load.test\"");
    else if (!ours)
        problems.error(table.path("domain"),
            fmt::format("mail to \"{}\" may reach strangers: the domain is not reserved for tests, and the "
                        "plan does not state that it is your own",
                *domain),
            "write one such as \"load.test\" (below .test, .example, .invalid, .localhost, .internal, "
            ".local, "
            "example.com, .net or .org), or list your own under target.authorised_domains and state under "
            "target.authorised who has allowed this load");
}

} // namespace

void readPasswordSource(
    const document::Node* node, const std::string& field, document::Problems& problems, PasswordSource& to)
{
    if (node->kind == document::Node::Kind::text) {
        to = { PasswordSource::Kind::literal, node->text };
    } else if (node->kind == document::Node::Kind::table) {
        document::TableReader table(node, field, problems);
        const auto environment = table.text("environment");
        const auto file = table.text("file");
        const auto prompt = table.flag("prompt");
        table.finish();
        if (environment)
            to = { PasswordSource::Kind::environment, *environment };
        if (file)
            to = { PasswordSource::Kind::file, *file };
        const int sources =
            (table.has("environment") ? 1 : 0) + (table.has("file") ? 1 : 0) + (table.has("prompt") ? 1 : 0);
        if (sources != 1 || prompt == false)
            problems.error(field, "must name one source",
                "write { environment = \"NAME\" }, { file = \"/path\" } or { prompt = true }");
        if (prompt == true)
            to = { PasswordSource::Kind::prompt, "" };
        if (!environment && !file)
            return;
    } else {
        problems.error(field, fmt::format("is {}, must be a text", describe(node->kind)),
            "write it in quotes, or { environment = \"NAME\" }, { file = \"/path\" } or { prompt = true }");
        return;
    }
    if (to.text.empty() || to.text.find('\0') != std::string::npos)
        problems.error(field, to.text.empty() ? "is empty" : "contains a NUL character",
            "write the password, the variable's name or the file's path");
}

void readTarget(const document::Node* node, document::Problems& problems, Target& to, StatedValues& stated)
{
    document::TableReader table(node, "target", problems);
    document::assign(to.item, table.text("item"));
    if (const auto authorised = table.text("authorised")) {
        constexpr std::size_t kLeastStatement = 10;
        to.authorised = *authorised;
        if (authorised->size() < kLeastStatement || authorised->find_first_of("\r\n") != std::string::npos)
            problems.error("target.authorised", "is too short, or longer than one line",
                "write in a sentence who has allowed the load on this server, and when");
    }
    const bool authorised = !to.authorised.empty();
    if (const document::Node* embedded = table.table("embedded"))
        readEmbedded(embedded, problems, to.embedded);
    if (const document::Node* smtp = table.table("smtp")) {
        document::TableReader endpoint(smtp, "target.smtp", problems);
        document::assign(to.smtp.lmtp, endpoint.flag("lmtp"));
        document::assign(to.smtp.reuseConnection, endpoint.flag("reuse_connection"));
        if (const auto hello = endpoint.text("hello_name")) {
            to.smtp.helloName = *hello;
            if (!isHostName(*hello))
                problems.error("target.smtp.hello_name",
                    fmt::format("\"{}\" is not a host name", document::shown(*hello)),
                    "write a name such as client.lab.test");
        }
        stated.smtpPort = endpoint.has("port");
        readEndpoint(endpoint, to.smtp, 25, 465, authorised);
        if (to.smtp.lmtp && !stated.smtpPort)
            to.smtp.port = 24;
        endpoint.finish();
    }
    if (const document::Node* pop3 = table.table("pop3")) {
        document::TableReader endpoint(pop3, "target.pop3", problems);
        to.pop3.auth = AuthMethod::automatic;
        stated.pop3Port = endpoint.has("port");
        readEndpoint(endpoint, to.pop3, 110, 995, authorised);
        endpoint.finish();
    }
    if (const document::Node* imap = table.table("imap")) {
        document::TableReader endpoint(imap, "target.imap", problems);
        to.imap.auth = AuthMethod::automatic;
        stated.imapPort = endpoint.has("port");
        document::assign(to.imap.idle, endpoint.flag("idle"));
        document::assign(to.imap.idleRenewal, endpoint.duration("idle_renewal"));
        document::assign(to.imap.compress, endpoint.flag("compress"));
        document::assign(to.imap.condstore, endpoint.flag("condstore"));
        readEndpoint(endpoint, to.imap, 143, 993, authorised);
        endpoint.finish();
    }
    readDav(table.table("caldav"), "target.caldav", "/{user}/calendar/", problems, to.caldav, authorised);
    readDav(table.table("carddav"), "target.carddav", "/{user}/contacts/", problems, to.carddav, authorised);
    readDomain(table, to);
    readUser(table, to.user);
    readLogin(table, to.login);
    document::assign(to.firstNumber, table.number("first_number"));
    if (const document::Node* password = table.node("password")) {
        stated.password = true;
        readPasswordSource(password, "target.password", problems, to.password);
    }
    if (const auto addresses = table.texts("source_addresses")) {
        to.sourceAddresses = *addresses;
        for (std::size_t i = 0; i < addresses->size(); ++i)
            if (!(authorised ? isLiteralAddress((*addresses)[i]) : isPrivateAddress((*addresses)[i])))
                problems.error(fmt::format("target.source_addresses[{}]", i),
                    fmt::format(
                        "\"{}\" is not a loopback or private address", document::shown((*addresses)[i])),
                    "write addresses of this machine, such as \"127.0.0.2\" or \"10.0.0.7\"");
            else if (lacksInterface((*addresses)[i]))
                problems.error(fmt::format("target.source_addresses[{}]", i),
                    fmt::format("{} is link-local and does not name its interface", (*addresses)[i]),
                    fmt::format("write the interface after it, as in \"{}%eth0\"", (*addresses)[i]));
    }
    document::assign(to.connectTimeout, table.duration("connect_timeout"));
    document::assign(to.commandTimeout, table.duration("command_timeout"));
    table.finish();
}

} // namespace loadstone::plan
