// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_search.h"

#include "protocol/common/server_line.h"
#include "protocol/imap/imap_response.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace loadstone::embedded {

using protocol::ImapScanner;

namespace {

/// "RETURN (ALL COUNT)"; no words where something else comes. Nothing where it is wrong.
std::optional<std::vector<std::string>> returnOptions(ImapScanner& words)
{
    std::vector<std::string> options;
    ImapScanner ahead = words;
    if (!protocol::equalsIgnoringCase(ahead.atom(), "RETURN"))
        return options;
    ahead.expect(' ');
    ahead.expect('(');
    while (!ahead.failed() && !ahead.accept(')')) {
        options.push_back(protocol::capitals(ahead.atom()));
        ahead.skipBlanks();
    }
    ahead.skipBlanks();
    if (ahead.failed())
        return std::nullopt;
    if (options.empty())
        options.emplace_back("ALL");
    words = ahead;
    return options;
}

/// "1:3,5" of ascending numbers.
std::string setText(const std::vector<std::uint64_t>& numbers)
{
    std::string text;
    for (std::size_t i = 0, last = 0; i < numbers.size(); i = last + 1) {
        for (last = i; last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1;)
            ++last;
        text += fmt::format("{}{}", i == 0 ? "" : ",", numbers[i]);
        if (last > i)
            text += fmt::format(":{}", numbers[last]);
    }
    return text;
}

void tellFound(std::string& out, const std::vector<std::uint64_t>& found,
    const std::vector<std::string>& options, const ImapSearch& how)
{
    if (options.empty()) {
        out += "* SEARCH";
        for (const std::uint64_t number : found)
            out += fmt::format(" {}", number);
        out += "\r\n";
        return;
    }
    out += fmt::format("* ESEARCH (TAG \"{}\"){}", how.tag, how.uid ? " UID" : "");
    for (const std::string& option : options) {
        if (option == "COUNT")
            out += fmt::format(" COUNT {}", found.size());
        if (found.empty()) // RFC 4731, 3.1: the others are left out then
            continue;
        if (option == "MIN")
            out += fmt::format(" MIN {}", found.front());
        else if (option == "MAX")
            out += fmt::format(" MAX {}", found.back());
        else if (option == "ALL")
            out += " ALL " + setText(found);
    }
    out += "\r\n";
}

} // namespace

ImapOutcome search(std::string& out, const ImapView& view, ImapScanner& words, const ImapSearch& how)
{
    const auto options = returnOptions(words);
    if (!options)
        return ImapOutcome::bad();
    std::vector<bool> in(view.entries().size(), true);
    const auto keep = [&](auto&& condition) {
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] = in[i] && condition(i);
    };
    const auto among = [&](std::string_view set, bool byUid) {
        const auto messages = view.messagesOf(set, byUid);
        if (messages)
            keep([&](std::size_t i) { return std::binary_search(messages->begin(), messages->end(), i); });
        return messages.has_value();
    };
    const auto flagged = [&](std::uint8_t flag, bool is) {
        keep([&](std::size_t i) { return ((view.at(i).flags & flag) != 0) == is; });
    };
    while (!words.failed() && words.peek() != '\0') {
        const std::string key(words.atom());
        const auto is = [&](const char* name) { return protocol::equalsIgnoringCase(key, name); };
        bool good = true;
        if (is("SEEN") || is("UNSEEN"))
            flagged(protocol::kImapSeen, is("SEEN"));
        else if (is("DELETED") || is("UNDELETED"))
            flagged(protocol::kImapDeleted, is("DELETED"));
        else if (is("ANSWERED") || is("UNANSWERED"))
            flagged(protocol::kImapAnswered, is("ANSWERED"));
        else if (is("FLAGGED") || is("UNFLAGGED"))
            flagged(protocol::kImapFlagged, is("FLAGGED"));
        else if (is("UID")) {
            words.expect(' ');
            good = among(words.atom(), true);
        } else if (!is("ALL"))
            good = among(key, false);
        if (!good || words.failed())
            return ImapOutcome::bad("this server does not know one of the keys");
        words.skipBlanks();
    }
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < in.size() && !how.blind; ++i)
        if (in[i])
            found.push_back(how.uid ? view.at(i).uid : i + 1);
    tellFound(out, found, *options, how);
    return {};
}

} // namespace loadstone::embedded
