// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/script_command.h"

#include "base/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace loadstone::plan {

namespace {

using Turn = ScriptCommand::Turn;
using Range = ScriptCommand::Range;

constexpr std::string_view kArrow = " -> ", kOr = " or ", kMessage = "{message}";
constexpr std::size_t kLongest = 500; // of a line, which RFC 5321 limits to 512 bytes

/// A command of a protocol: which placeholders it may have, and what it must have after its verb.
struct Form {
    std::string_view verb;
    std::string_view begins; ///< of the arguments, in any case; empty: anything
    bool needsArguments = false;
    std::span<const std::string_view> placeholders;
};

constexpr std::array<std::string_view, 3> kNames { "{user}", "{domain}", "{sender}" };
constexpr std::array<std::string_view, 4> kOfMail { "{user}", "{domain}", "{sender}", "{size}" };
constexpr std::array<std::string_view, 1> kOfRecipient { "{recipient}" };
constexpr std::array<std::string_view, 1> kNumber { "{n}" };
// What is not here belongs to the session's begin and end, which the program sees to.
constexpr std::array<Form, 9> kSmtp { {
    { "MAIL", "FROM:<", true, kOfMail },
    { "RCPT", "TO:<{recipient}>", true, kOfRecipient },
    { "DATA", {}, false, {} },
    { kMessage, {}, false, {} },
    { "RSET", {}, false, {} },
    { "NOOP", {}, false, kNames },
    { "VRFY", {}, true, kNames },
    { "EXPN", {}, true, kNames },
    { "HELP", {}, false, {} },
} };
constexpr std::array<Form, 9> kPop3 { {
    { "STAT", {}, false, {} },
    { "LIST", {}, false, kNumber },
    { "UIDL", {}, false, kNumber },
    { "TOP", "{n} ", true, kNumber },
    { "RETR", "{n}", true, kNumber },
    { "DELE", "{n}", true, kNumber },
    { "NOOP", {}, false, {} },
    { "RSET", {}, false, {} },
    { "CAPA", {}, false, {} },
} };

/// "250" or "5xx".
std::optional<Range> codeRange(std::string_view text)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.size() != 3 || text[0] < '2' || text[0] > '5')
        return std::nullopt;
    const int hundred = (text[0] - '0') * 100;
    if (text.substr(1) == "xx")
        return Range { hundred, hundred + 99 };
    if (!isDigit(text[1]) || !isDigit(text[2]))
        return std::nullopt;
    const int code = hundred + (text[1] - '0') * 10 + (text[2] - '0');
    return Range { code, code };
}

std::optional<Range> statusRange(std::string_view text)
{
    if (text == "+OK")
        return Range { 1, 1 };
    return text == "-ERR" ? std::optional(Range { 0, 0 }) : std::nullopt;
}

std::string quoted(std::string_view text)
{
    std::string shown(text.substr(0, 60));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return "\"" + shown + (text.size() > 60 ? "...\"" : "\"");
}

Result<std::vector<Range>> expectedOf(
    std::string_view text, std::optional<Range> (*rangeOf)(std::string_view), const char* forms)
{
    if (text == "any")
        return std::vector<Range> { { 0, 999 } };
    std::vector<Range> ranges;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(kOr, begin), text.size());
        const auto range = rangeOf(text.substr(begin, end - begin));
        if (!range)
            return fail(fmt::format(
                "{} is not a reply; replies are {}", quoted(text.substr(begin, end - begin)), forms));
        ranges.push_back(*range);
        begin = end + kOr.size();
        if (end == text.size())
            break;
    }
    return ranges;
}

bool beginsWith(std::string_view text, std::string_view beginning)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return text.size() >= beginning.size()
        && std::equal(beginning.begin(), beginning.end(), text.begin(),
            [&](char a, char b) { return lower(a) == lower(b); });
}

/// A brace that is part of no placeholder of the command.
std::optional<std::string> strangeBrace(const Form& form, std::string_view arguments)
{
    for (auto at = arguments.find_first_of("{}"); at != std::string_view::npos;
         at = arguments.find_first_of("{}", at)) {
        const std::string_view rest = arguments.substr(at);
        const auto known = std::find_if(form.placeholders.begin(), form.placeholders.end(),
            [&](std::string_view placeholder) { return rest.starts_with(placeholder); });
        if (known != form.placeholders.end()) {
            at += known->size();
            continue;
        }
        const std::string_view one = rest.substr(0, std::min(rest.find('}'), rest.size() - 1) + 1);
        return form.placeholders.empty()
            ? fmt::format("{} has no placeholders, but {} stands there", form.verb, quoted(one))
            : fmt::format("{} is not a placeholder of {}; it may have {}", quoted(one), form.verb,
                joined(form.placeholders, ", "));
    }
    return std::nullopt;
}

struct Protocol {
    const char* name;
    std::span<const Form> forms;
    std::optional<Range> (*rangeOf)(std::string_view);
    const char* replies;
};

Result<ScriptCommand> parse(std::string_view text, const Protocol& protocol)
{
    ScriptCommand command;
    if (const auto arrow = text.rfind(kArrow); arrow != std::string_view::npos) {
        auto expected = expectedOf(text.substr(arrow + kArrow.size()), protocol.rangeOf, protocol.replies);
        if (!expected)
            return expected.error();
        command.expected = *std::move(expected);
        text = text.substr(0, arrow);
    }
    if (text.size() > kLongest || text.ends_with(' ')
        || !std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7f; }))
        return fail(fmt::format(
            "{} is not one line of at most {} printable ASCII characters", quoted(text), kLongest));
    command.text = text;
    const auto form = std::find_if(protocol.forms.begin(), protocol.forms.end(),
        [&](const Form& known) { return known.verb == command.verb(); });
    if (form == protocol.forms.end()) {
        std::vector<std::string_view> verbs;
        for (const Form& known : protocol.forms)
            verbs.push_back(known.verb);
        return fail(fmt::format("{} is not a command of {} sessions, which are {}", quoted(text),
            protocol.name, joined(verbs, ", ")));
    }
    const std::string_view arguments = text.substr(std::min(form->verb.size() + 1, text.size()));
    if (form->needsArguments && !beginsWith(arguments, form->begins))
        return fail(fmt::format("{} does not go on with {}", quoted(text), quoted(form->begins)));
    if (form->needsArguments && arguments.empty())
        return fail(fmt::format("{} says nothing after {}", quoted(text), form->verb));
    if (!form->needsArguments && !arguments.empty() && form->placeholders.empty())
        return fail(fmt::format("{} has nothing after it", form->verb));
    if (const auto wrong = strangeBrace(*form, arguments))
        return fail(*wrong);
    const auto has = [&](std::string_view placeholder) {
        return arguments.find(placeholder) != std::string_view::npos;
    };
    command.turn = form->verb == kMessage ? Turn::message
        : has("{recipient}")              ? Turn::eachRecipient
        : has("{n}")                      ? Turn::eachMessage
                                          : Turn::once;
    return command;
}

/// What stands between "MAIL FROM:<" and ">" is the mailbox's address or nothing, so that answers go nowhere else.
bool isOwnSender(const ScriptCommand& command)
{
    const std::string_view path =
        std::string_view(command.text).substr(std::string_view("MAIL FROM:<").size());
    return path.starts_with(">") || path.starts_with("{sender}>");
}

bool isNumber(std::string_view text)
{
    return !text.empty() && text.size() <= 6
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Numbers of messages that the plan makes up would be those of other messages in each session.
bool namesMessagesWell(const ScriptCommand& command)
{
    const std::string_view verb = command.verb();
    const std::string_view arguments =
        std::string_view(command.text).substr(std::min(verb.size() + 1, command.text.size()));
    if (verb == "TOP")
        return isNumber(arguments.substr(std::string_view("{n} ").size()));
    return arguments.empty() || arguments == "{n}";
}

} // namespace

bool ScriptCommand::expects(int code) const
{
    return std::any_of(expected.begin(), expected.end(),
        [&](const Range& range) { return code >= range.first && code <= range.second; });
}

Result<ScriptCommand> parseSmtpCommand(std::string_view text)
{
    auto command = parse(text, { "SMTP", kSmtp, codeRange, "codes such as 250, 2xx or 5xx, or any" });
    if (command && command->verb() == "MAIL" && !isOwnSender(*command))
        return fail(fmt::format("{} names another sender than <{{sender}}> or <>", quoted(text)));
    if (command && command->expected.empty()) {
        const int hundred = command->verb() == "DATA" ? 300 : 200;
        command->expected = { { hundred, hundred + 99 } };
    }
    return command;
}

Result<ScriptCommand> parsePop3Command(std::string_view text)
{
    auto command = parse(text, { "POP3", kPop3, statusRange, "+OK, -ERR or any" });
    if (command && !namesMessagesWell(*command))
        return fail(fmt::format("{} does not have the form \"{} {{n}}{}\"", quoted(text), command->verb(),
            command->verb() == "TOP" ? " 0" : ""));
    if (command && command->expected.empty())
        command->expected = { { 1, 1 } };
    return command;
}

void putFor(std::string& text, std::string_view placeholder, std::string_view value)
{
    for (auto at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + value.size()))
        text.replace(at, placeholder.size(), value);
}

} // namespace loadstone::plan
