// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables [[counters]] of a plan: where counters of other computers come from. A plan may come from elsewhere, and what it states
// here becomes arguments of programs, requests and paths: so each text is bounded, and none has control characters in it.
#include "document/table_reader.h"
#include "plan/read/counter_lists.h"
#include "plan/read/read_plan.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace loadstone::plan {

namespace {

constexpr std::size_t kLongestCommand = 4000;

/// Marks that make an editor or terminal show a text in another order than the one in which a shell reads it.
bool turnsText(const std::string& text)
{
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[i + at]); };
        if (byte(0) == 0xe2
            && ((byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae)
                || (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9)))
            return true;
    }
    return false;
}

/// So many blanks in a row that they push what follows out of sight.
bool hasGap(const std::string& text)
{
    constexpr std::size_t kMostBlanks = 8; // blanks, tabs and line feeds
    std::size_t blanks = 0;
    for (const char c : text) {
        blanks = c == ' ' || c == '\t' || c == '\n' ? blanks + 1 : 0;
        if (blanks > kMostBlanks)
            return true;
    }
    return false;
}

void readHostCounters(document::TableReader& table, HostCounters& to)
{
    readNames(table, "processes", to.processes, "the name of a process",
        "write it as in \"dovecot/imap\" or \"service:postfix\"", isAnyName);
    readNames(table, "cgroups", to.controlGroups, "the path of a control group",
        "write it from the root of the control groups on, as in \"system.slice/postfix.service\"",
        isGroupPath);
    if (const auto postfix = table.text("postfix")) {
        to.postfixQueue = *postfix;
        if (!postfix->starts_with('/') || hasControlCharacters(*postfix)
            || postfix->size() > kLongestListedName || !isGroupPath(postfix->substr(1)))
            table.problems().error(table.path("postfix"),
                fmt::format("{} is not the folder of Postfix' queues", shownInQuotes(*postfix)),
                "write its path, such as \"/var/spool/postfix\"");
    }
    readVolumes(table, to.volumes);
    readProcessors(table, to.processors);
}

SshSource readSsh(document::TableReader& table)
{
    SshSource to;
    to.destination = table.text("ssh").value_or("");
    const std::string& host = to.destination;
    // ssh takes what begins with "-" for an option, also behind "user@".
    const bool plain = std::all_of(host.begin(), host.end(), [](char c) { return c > ' ' && c < 0x7f; });
    if (!host.empty()
        && (!plain || host.size() > 255 || host.starts_with('-') || host.find("@-") != std::string::npos
            || host.find_first_of("'\"`$\\;&|<>()*?!#{}") != std::string::npos))
        table.problems().error(table.path("ssh"),
            fmt::format("{} is not a host for ssh", shownInQuotes(host)),
            "write a host, a name of your ssh configuration or USER@HOST, such as \"bench@ex1\"");
    else if (host.empty() && !table.problems().touched(table.path("ssh")))
        table.problems().error(table.path("ssh"), "is empty", "write a host, such as \"ex1\"");
    readHostCounters(table, to.reads);
    return to;
}

/// What is wrong with a URL for HTTP; nothing if it is one.
const char* wrongWith(const std::string& url)
{
    constexpr std::size_t kLongestUrl = 2000;
    const std::size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
    if (scheme == 0)
        return "does not begin with http:// or https://";
    if (url.size() > kLongestUrl
        || !std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 0x7f; }))
        return "is too long, or has blanks or characters outside of ASCII in it";
    const std::string host = url.substr(scheme, url.find_first_of("/?#", scheme) - scheme);
    if (host.find('@') != std::string::npos)
        return "has a user or password in it";
    if (url.find('#') != std::string::npos)
        return "has a # in it, which no server gets to see";
    const std::size_t behind = host.starts_with('[') ? host.find(']') : 0;
    if (behind == std::string::npos)
        return "has no host";
    const std::size_t colon = host.find(':', behind);
    if (host.empty() || colon == 0)
        return "has no host";
    if (colon != std::string::npos) {
        const std::string port = host.substr(colon + 1);
        const bool digits = !port.empty() && port.size() <= 5
            && std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!digits || std::stoi(port) < 1 || std::stoi(port) > 65535)
            return "has a port that is none";
    }
    return nullptr;
}

std::optional<PasswordSource> readSecret(document::TableReader& table, const char* key)
{
    const document::Node* node = table.node(key);
    if (node == nullptr)
        return std::nullopt;
    PasswordSource secret;
    const std::string field = table.path(key);
    document::Problems& problems = table.problems();
    readPasswordSource(node, field, problems, secret);
    if (secret.kind == PasswordSource::Kind::prompt && !problems.touched(field))
        problems.error(field, "cannot be asked for: a run reads it by itself",
            "write { environment = \"NAME\" } or { file = \"/path\" }");
    // These names stand in the words that a user agrees to.
    if (const bool isNamed =
            secret.kind == PasswordSource::Kind::environment || secret.kind == PasswordSource::Kind::file;
        isNamed && !problems.touched(field) && (hasControlCharacters(secret.text) || turnsText(secret.text)))
        problems.error(field, "has characters that do not show what it names",
            "write a name without control characters and marks of direction");
    return secret;
}

OpenMetricsSource readOpenMetrics(document::TableReader& table)
{
    OpenMetricsSource to;
    document::Problems& problems = table.problems();
    to.url = table.text("openmetrics").value_or("");
    const std::string field = table.path("openmetrics");
    if (const char* wrong = wrongWith(to.url); wrong != nullptr && !problems.touched(field))
        problems.error(field, fmt::format("{} {}", shownInQuotes(to.url), wrong),
            "write the exporter's address, such as \"http://ex1:9100/metrics\"; user and password have keys "
            "of "
            "their own");
    const bool tls = to.url.starts_with("https://");
    to.user = table.text("user").value_or("");
    if (hasControlCharacters(to.user) || to.user.find(':') != std::string::npos
        || to.user.size() > kLongestListedName)
        problems.error(table.path("user"),
            fmt::format("{} is not a user of basic authentication", shownInQuotes(to.user)),
            "write a name without : and control characters");
    to.password = readSecret(table, "password");
    to.token = readSecret(table, "token");
    if (to.password && to.user.empty())
        problems.error(table.path("password"), "has no user", "write user = \"NAME\", or token instead");
    if (!to.user.empty() && !to.password)
        problems.error(table.path("user"), "has no password",
            "write password = { environment = \"NAME\" } or { file = \"/path\" }");
    if (to.token && to.password)
        problems.error(table.path("token"), "stands beside a password", "write one of them");
    if (const auto file = table.text("ca_file")) {
        to.caFile = *file;
        if (file->empty() || hasControlCharacters(*file))
            problems.error(table.path("ca_file"), "is not the path of a file",
                "write the path of a PEM file, or remove it");
        else if (!tls)
            problems.error(
                table.path("ca_file"), "has no effect without TLS", "write https://, or remove it");
    }
    if (const auto verify = table.flag("verify_certificate")) {
        to.verifyCertificate = *verify;
        if (!tls)
            problems.error(table.path("verify_certificate"), "has no effect without TLS",
                "write https://, or remove it");
        if (!*verify && !to.caFile.empty())
            problems.error(table.path("ca_file"), "has no effect: the certificate is not verified",
                "remove it, or verify_certificate = false");
    }
    readMetrics(table, to.metrics);
    readProcessors(table, to.processors);
    readVolumes(table, to.volumes);
    return to;
}

CommandSource::Value readValue(
    const document::Node& node, const std::string& path, document::Problems& problems)
{
    document::TableReader table(&node, path, problems);
    CommandSource::Value value;
    value.name = table.text("name").value_or("");
    value.unit = table.text("unit").value_or("");
    document::assign(value.rises, table.flag("rises"));
    table.finish();
    if (!table.has("name"))
        table.missing("name", "write the name that begins its line, as in name = \"active\"");
    else if (value.name.empty() || value.name.size() > 100 || hasControlCharacters(value.name)
        || value.name.find_first_of(" \\") != std::string::npos)
        problems.error(table.path("name"),
            fmt::format("{} cannot begin a line \"NAME VALUE\"", shownInQuotes(value.name)),
            "write a name without blanks and backslashes, such as \"active\"");
    if (value.unit.size() > 20 || value.unit != document::shown(value.unit))
        problems.error(table.path("unit"), "is too long, or has control characters",
            "write a short one, such as \"messages\", \"%\" or \"bytes/s\"");
    return value;
}

void readLines(document::TableReader& table, CommandSource& to)
{
    document::Problems& problems = table.problems();
    if (const document::Node* values = table.tables("values")) {
        if (values->items.size() > kMostListedNames)
            problems.error(table.path("values"), fmt::format("has {} entries", values->items.size()),
                fmt::format("write at most {}", kMostListedNames));
        std::set<std::string> names;
        for (std::size_t i = 0; i < values->items.size() && i < kMostListedNames; ++i) {
            const std::string path = fmt::format("{}[{}]", table.path("values"), i);
            to.values.push_back(readValue(values->items[i], path, problems));
            if (!names.insert(to.values.back().name).second && !problems.touched(path))
                problems.error(path + ".name",
                    fmt::format("{} is named twice", shownInQuotes(to.values.back().name)), "name it once");
        }
    }
    to.missingLine = table.real("missing_line");
    if (to.missingLine && to.values.empty() && !table.has("values"))
        problems.error(table.path("missing_line"),
            "has no effect without values: which line is missing is not known",
            "name the lines, as in values = [{ name = \"active\" }]");
}

CommandSource readCommand(document::TableReader& table)
{
    CommandSource to;
    document::Problems& problems = table.problems();
    to.command = table.text("command").value_or("");
    const std::string field = table.path("command");
    std::string plain = to.command;
    std::erase_if(plain, [](char c) { return c == '\n' || c == '\t'; });
    if (problems.touched(field))
        return to;
    if (plain.find_first_not_of(' ') == std::string::npos)
        problems.error(
            field, "is empty", "write a command for /bin/sh, such as \"doveadm -f tab who | wc -l\"");
    else if (to.command.size() > kLongestCommand)
        problems.error(field, fmt::format("has {} bytes", to.command.size()),
            fmt::format("write at most {}, or a script that it starts", kLongestCommand));
    else if (hasControlCharacters(plain) || turnsText(plain))
        problems.error(field, "has characters that do not show what it does",
            "write it without control characters and marks of direction");
    else if (hasGap(to.command))
        problems.error(field, "has more than 8 blanks, tabs or line feeds in a row",
            "write fewer, so that all of the command is seen, or a script that it starts");
    document::assign(to.format,
        table.choice<CommandSource::Format>("format",
            { { "lines", CommandSource::Format::lines },
                { "openmetrics", CommandSource::Format::openMetrics } }));
    if (to.format == CommandSource::Format::lines)
        readLines(table, to);
    else
        readMetrics(table, to.metrics);
    return to;
}

void readTimes(document::TableReader& table, CounterSourceSpec& to)
{
    document::assign(to.every, table.duration("every"));
    const auto limit = table.duration("time_limit");
    // Enough is left before the next reading to say what was wrong with this one.
    to.timeLimit = limit.value_or(std::min(to.timeLimit, to.every * 4 / 5));
    if (limit && *limit >= to.every)
        table.problems().error(table.path("time_limit"),
            fmt::format("\"{}\" is not shorter than every = \"{}\"", formatDuration(*limit),
                formatDuration(to.every)),
            "write a shorter time: a reading ends before the next one begins");
}

void readName(document::TableReader& table, CounterSourceSpec& to)
{
    document::Problems& problems = table.problems();
    const std::string field = table.path("name");
    to.name = table.text("name").value_or("");
    if (!table.has("name") || problems.touched(field))
        return; // told by missing(), which knows of misspellings
    const bool role = to.name == "sut" || to.name == "generator" || to.name == "directory";
    if (to.name.empty() || to.name.size() > 60 || to.name != document::shown(to.name)
        || to.name.front() == '_' || to.name.find_first_of("()\\\"/") != std::string::npos)
        problems.error(field, fmt::format("{} is not the name of a computer", shownInQuotes(to.name)),
            "write a short name without ( ) \\ / and quotes, such as \"ex1\"");
    else if (role)
        problems.error(field, fmt::format("\"{}\" is a role", to.name),
            fmt::format("write the computer's name, and role = \"{}\"", to.name));
}

CounterSourceSpec readCounterSource(
    const document::Node& node, const std::string& path, document::Problems& problems)
{
    document::TableReader table(&node, path, problems);
    CounterSourceSpec spec;
    spec.line = node.begin.line;
    readName(table, spec);
    document::assign(spec.role,
        table.choice<ComputerRole>("role",
            { { "sut", ComputerRole::sut }, { "generator", ComputerRole::generator },
                { "directory", ComputerRole::directory } }));
    document::assign(spec.item, table.text("item"));
    readTimes(table, spec);
    int kinds = 0;
    for (const char* kind : { "host", "ssh", "openmetrics", "command" })
        kinds += table.has(kind) ? 1 : 0;
    if (kinds != 1) {
        problems.errorAt(node.begin, path,
            kinds == 0 ? "does not say where its counters come from"
                       : "says twice where its counters come from",
            "write one of host = true, ssh = \"HOST\", openmetrics = \"URL\" and command = \"TEXT\"");
        return spec; // which other keys belong here is not known
    }
    if (table.has("host")) {
        LocalHostSource local;
        if (table.flag("host") == false)
            problems.error(
                table.path("host"), "is false", "write host = true: the machine that runs Loadstone");
        readHostCounters(table, local.reads);
        spec.from = std::move(local);
    } else if (table.has("ssh"))
        spec.from = readSsh(table);
    else if (table.has("openmetrics"))
        spec.from = readOpenMetrics(table);
    else
        spec.from = readCommand(table);
    table.finish();
    if (!table.has("name"))
        table.missing("name", "write the computer's name, as in name = \"ex1\"");
    return spec;
}

} // namespace

void readCounterSources(const document::Node* list, std::size_t most, document::Problems& problems,
    std::vector<CounterSourceSpec>& to)
{
    if (list == nullptr)
        return;
    if (list->items.size() > most)
        problems.error(fmt::format("counters[{}]", most),
            fmt::format("there are {} sources of counters", list->items.size()),
            fmt::format("write at most {}", most));
    std::map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < list->items.size() && i < most; ++i) {
        const std::string path = fmt::format("counters[{}]", i);
        to.push_back(readCounterSource(list->items[i], path, problems));
        const std::string& name = to.back().name;
        if (name.empty())
            continue;
        if (const auto [first, isNew] = names.emplace(name, i); !isNew)
            problems.error(path + ".name",
                fmt::format(
                    "\"{}\" is the name of counters[{}] as well", document::shown(name), first->second),
                "give each source another name, such as \"ex1 Postfix\"");
    }
}

} // namespace loadstone::plan
