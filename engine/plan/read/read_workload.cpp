// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// [workload] and [[workloads]]: steps, and how often they are gone through.
#include "document/table_reader.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace loadstone::plan {

namespace {

bool isSession(ActionKind kind)
{
    return kind == ActionKind::imapSession || kind == ActionKind::smtpSession
        || kind == ActionKind::pop3Session;
}

void readImapCommands(const document::TableReader& table, const Step& step, document::Problems& problems)
{
    for (std::size_t i = 0; i < step.commands.size(); ++i)
        if (!isSessionCommand(step.commands[i]))
            problems.error(fmt::format("{}[{}]", table.path("commands"), i),
                fmt::format("\"{}\" is not a command for an open session", document::shown(step.commands[i])),
                "write one command without its tag, such as \"NOOP\" or \"UID FETCH 1:* (FLAGS)\"");
}

/// The order in which commands make sense: what they are about has to be known by then.
class CommandOrder {
public:
    CommandOrder(std::string field, document::Problems& problems)
        : m_field(std::move(field))
        , m_problems(problems)
    {
    }
    void smtp(const std::vector<ScriptCommand>& script, bool repeats)
    {
        for (std::size_t i = 0; i < script.size(); ++i) {
            const ScriptCommand& command = script[i];
            const std::string_view verb = command.verb();
            const bool leave = i > 0 && script[i - 1].verb() == "DATA" && script[i - 1].expects(354);
            if (command.turn == ScriptCommand::Turn::message && !leave)
                error(i, "does not follow DATA", "write \"DATA\" before \"{message}\"");
            else if (leave && command.turn != ScriptCommand::Turn::message)
                error(i - 1, "is not followed by the message", "write \"{message}\" after \"DATA\"");
            else if (command.turn == ScriptCommand::Turn::message && !m_recipients)
                error(i, "has no recipients", "write \"RCPT TO:<{recipient}>\" between MAIL and DATA");
            else if (command.turn == ScriptCommand::Turn::eachRecipient && !m_sender)
                error(i, "has no sender before it", "write \"MAIL FROM:<{sender}>\" before it");
            // What the server has of recipients has to be what the audit knows of.
            else if (command.turn == ScriptCommand::Turn::eachRecipient && m_recipients)
                error(i, "names the recipients of this message again",
                    "remove it; \"recipients\" says how many there are");
            else if (verb == "MAIL" && m_recipients)
                error(i, "begins a message while another one has recipients", "write \"RSET\" before it");
            m_sender = verb == "MAIL" || (m_sender && verb != "RSET" && verb != "{message}");
            m_recipients = m_sender && (m_recipients || verb == "RCPT") && verb != "MAIL";
        }
        if (m_recipients && repeats)
            error(script.size() - 1, "leaves recipients behind, and the commands are repeated",
                "write \"RSET\" after it");
        if (!script.empty() && script.back().verb() == "DATA" && script.back().expects(354))
            error(script.size() - 1, "is not followed by the message", "write \"{message}\" after \"DATA\"");
    }
    void pop3(const std::vector<ScriptCommand>& script)
    {
        for (std::size_t i = 0; i < script.size(); ++i) {
            const ScriptCommand& command = script[i];
            if (command.turn == ScriptCommand::Turn::eachMessage && !m_counted)
                error(i, "is meant for each message, and it is not known yet how many there are",
                    "write \"STAT\", \"LIST\" or \"UIDL\" before it");
            const std::string_view verb = command.verb();
            m_counted = m_counted || verb == "STAT" || command.text == "LIST" || command.text == "UIDL";
        }
    }

private:
    void error(std::size_t index, const char* what, const char* remedy)
    {
        m_problems.error(fmt::format("{}[{}]", m_field, index), what, remedy);
    }
    std::string m_field;
    document::Problems& m_problems;
    bool m_sender = false, m_recipients = false, m_counted = false; // known so far
};

void readScript(document::TableReader& table, Step& step, document::Problems& problems)
{
    const bool smtp = step.kind == ActionKind::smtpSession;
    bool good = true;
    for (std::size_t i = 0; i < step.commands.size(); ++i) {
        auto command = smtp ? parseSmtpCommand(step.commands[i]) : parsePop3Command(step.commands[i]);
        if (!command) {
            good = false;
            problems.error(fmt::format("{}[{}]", table.path("commands"), i), command.error().message,
                smtp ? "write a command such as \"MAIL FROM:<{sender}>\" or \"{message}\"; connecting, EHLO, "
                       "TLS, login "
                       "and QUIT are not part of the list"
                     : "write a command such as \"STAT\" or \"RETR {n}\"; connecting, TLS, login and QUIT "
                       "are not part of "
                       "the list");
            continue;
        }
        step.script.push_back(*std::move(command));
    }
    step.commands.clear(); // they are the script now
    CommandOrder order(table.path("commands"), problems);
    if (good && smtp)
        order.smtp(step.script, step.repeat > 1);
    else if (good)
        order.pop3(step.script);
}

Step readStep(const document::Node& node, const std::string& path, document::Problems& problems)
{
    document::TableReader table(&node, path, problems);
    Step step;
    step.line = node.begin.line;
    const auto kind = table.choice<ActionKind>("action",
        { { "empty mailbox", ActionKind::emptyMailbox }, { "read mailbox", ActionKind::readMailbox },
            { "send message", ActionKind::sendMessage }, { "hold session", ActionKind::holdSession },
            { "list mailbox", ActionKind::listMailbox }, { "IMAP session", ActionKind::imapSession },
            { "SMTP session", ActionKind::smtpSession }, { "POP3 session", ActionKind::pop3Session } });
    document::assign(step.kind, kind);
    // A message's own headers take about half a kilobyte; below one there would be no room for a body.
    document::assign(step.size, table.bytes("size"));
    document::assign(step.recipients, table.number("recipients"));
    document::assign(step.hold, table.duration("hold"));
    document::assign(step.commands, table.texts("commands"));
    document::assign(step.repeat, table.number("repeat"));
    const bool noAction = !table.has("action");
    table.finish();
    if (noAction)
        table.missing("action", "write action = \"send message\" or \"empty mailbox\"");
    if (!kind)
        return step;
    const auto onlyFor = [&](const char* key, bool applies, const char* owners) {
        if (table.has(key) && !applies)
            problems.error(table.path(key), "has no effect on this action",
                fmt::format("remove it; it belongs to {}", owners));
    };
    const bool script = *kind == ActionKind::smtpSession || *kind == ActionKind::pop3Session;
    if (script)
        readScript(table, step, problems);
    else if (*kind == ActionKind::imapSession)
        readImapCommands(table, step, problems);
    const bool sends = *kind == ActionKind::sendMessage || *kind == ActionKind::smtpSession;
    onlyFor("size", sends, "\"send message\" and \"SMTP session\"");
    onlyFor("recipients", sends, "\"send message\" and \"SMTP session\"");
    onlyFor("hold", *kind == ActionKind::holdSession || *kind == ActionKind::imapSession,
        "\"hold session\" and \"IMAP session\"");
    onlyFor("commands", isSession(*kind), "sessions such as \"IMAP session\"");
    onlyFor("repeat", isSession(*kind), "sessions such as \"IMAP session\"");
    if (script && step.script.empty() && !problems.touched(table.path("commands")))
        table.missing("commands",
            *kind == ActionKind::smtpSession ? "write commands = [\"MAIL FROM:<{sender}>\", \"RCPT "
                                               "TO:<{recipient}>\", \"DATA\", \"{message}\"]"
                                             : "write commands = [\"STAT\", \"RETR {n}\", \"DELE {n}\"]");
    if ((*kind == ActionKind::sendMessage || step.messages() > 0) && !table.has("size"))
        table.missing("size", "write the size of the whole message, as in size = \"10 KB\"");
    if (*kind == ActionKind::holdSession && !table.has("hold"))
        table.missing("hold", "write how long to stay connected, as in hold = \"60 s\"");
    return step;
}

/// Appends them to the workload's; how many they are.
std::uint16_t readSteps(
    document::TableReader& table, const std::string& path, document::Problems& problems, Workload& to)
{
    const document::Node* steps = table.tables("steps");
    if (steps == nullptr)
        return 0;
    const std::size_t most = table.most("steps");
    const std::size_t count = std::min(steps->items.size(), most);
    for (std::size_t i = 0; i < count; ++i)
        to.steps.push_back(readStep(steps->items[i], fmt::format("{}.steps[{}]", path, i), problems));
    if (steps->items.size() > most)
        problems.error(fmt::format("{}.steps[{}]", path, most),
            fmt::format("there are {} steps", steps->items.size()), fmt::format("write at most {}", most));
    return static_cast<std::uint16_t>(count);
}

} // namespace

void readWorkload(
    const document::Node* node, document::Problems& problems, Workload& to, StatedValues& stated)
{
    document::TableReader table(node, "workload", problems);
    document::assign(to.pacing,
        table.choice<Pacing>("pacing",
            { { "closed", Pacing::closed }, { "open", Pacing::open }, { "users", Pacing::users } }));
    document::assign(to.iterationsPerSecond, table.rate("rate"));
    document::assign(to.arrivals,
        table.choice<Arrivals>("arrivals", { { "even", Arrivals::even }, { "poisson", Arrivals::poisson } }));
    document::assign(to.recipientChoice,
        table.choice<RecipientChoice>("recipient_choice",
            { { "correspondents", RecipientChoice::correspondents },
                { "random", RecipientChoice::random } }));
    document::assign(to.maxSessions, table.number("max_sessions"));
    if (const auto profile = table.text("profile")) {
        to.profileName = *profile;
        if (profile->empty() || *profile != document::shown(*profile) || profile->starts_with('.'))
            problems.error("workload.profile",
                fmt::format("\"{}\" is not the name of a profile", document::shown(*profile)),
                "write the name of a shipped profile, or of a file beside the plan");
    }
    stated.day = table.has("day");
    document::assign(to.day, table.duration("day"));
    stated.logonOver = table.has("logon_over");
    document::assign(to.logonOver, table.duration("logon_over"));
    stated.oracle = table.has("oracle");
    document::assign(to.oracle, table.share("oracle"));
    stated.initial = table.table("initial");
    document::assign(to.initialise, table.flag("initialise"));
    stated.recipientChoice = table.has("recipient_choice");
    stated.arrivals = table.has("arrivals");
    stated.maxSessions = table.has("max_sessions");
    readSteps(table, "workload", problems, to);
    if (const document::Node* retry = table.table("retry")) {
        document::TableReader reader(retry, "workload.retry", problems);
        document::assign(to.retry.attempts, reader.number("attempts"));
        document::assign(to.retry.pause, reader.duration("pause"));
        reader.finish();
    }
    table.finish();
}

PauseValues readThinkTime(document::TableReader& table)
{
    PauseValues values;
    values.mean = table.duration("think_time");
    values.kind = table.choice<PauseShape::Kind>("think_distribution",
        { { "constant", PauseShape::Kind::constant }, { "uniform", PauseShape::Kind::uniform },
            { "exponential", PauseShape::Kind::exponential } });
    values.least = table.duration("think_least");
    values.most = table.duration("think_most");
    values.table = values.any() ? table.path() : "";
    return values;
}

PauseValues readRequestPause(document::TableReader& table)
{
    PauseValues values;
    values.mean = table.duration("request_pause");
    values.kind = table.choice<PauseShape::Kind>("request_pause_distribution",
        { { "constant", PauseShape::Kind::constant }, { "uniform", PauseShape::Kind::uniform },
            { "exponential", PauseShape::Kind::exponential } });
    values.least = table.duration("request_pause_least");
    values.most = table.duration("request_pause_most");
    values.table = values.any() ? table.path() : "";
    return values;
}

void readNamedWorkloads(
    document::TableReader& top, document::Problems& problems, Workload& to, StatedValues& stated)
{
    const document::Node* list = top.tables("workloads");
    stated.workloads = top.has("workloads");
    if (list == nullptr)
        return;
    const std::size_t most = top.most("workloads");
    for (std::size_t i = 0; i < list->items.size() && i < most; ++i) {
        const document::Node& node = list->items[i];
        const std::string path = fmt::format("workloads[{}]", i);
        document::TableReader table(&node, path, problems);
        Script script;
        script.line = node.begin.line;
        document::assign(script.name, table.text("name"));
        if (table.has("name")
            && (script.name.empty() || script.name.size() > 40
                || script.name != document::shown(script.name)))
            problems.error(table.path("name"), "is empty, too long or has control characters",
                "write a short name on one line, such as \"readers\"");
        stated.scriptPauses.push_back({ readThinkTime(table), readRequestPause(table) });
        script.first = static_cast<std::uint16_t>(to.steps.size());
        script.count = readSteps(table, path, problems, to);
        table.finish();
        if (!table.has("name"))
            table.missing("name", "write a name by which mixes call it, such as name = \"readers\"");
        if (!table.has("steps"))
            table.missing(
                "steps", "add [[workloads.steps]] with action = \"send message\" or \"empty mailbox\"");
        to.scripts.push_back(std::move(script));
    }
    if (list->items.size() > most)
        problems.error(fmt::format("workloads[{}]", most), "is one workload too many",
            fmt::format("write at most {}", most));
}

} // namespace loadstone::plan
