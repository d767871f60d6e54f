// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_extensions.h"

#include "protocol/common/server_line.h"

#include <algorithm>
#include <charconv>

namespace loadstone::protocol {

namespace {

/// More of anything is no answer but an attack.
constexpr std::size_t kMost = 1000;

} // namespace

std::optional<ImapSearch> parseImapEsearch(
    const ImapText& text, const ImapResponse& response, std::size_t limit)
{
    ImapSearch search;
    ImapScanner scan(text, response.rest);
    if (scan.accept('(')) {
        if (!equalsIgnoringCase(scan.atom(), "TAG"))
            return std::nullopt;
        scan.expect(' ');
        search.tag = scan.string().text;
        scan.expect(')');
    }
    scan.skipBlanks();
    while (!scan.failed() && scan.peek() != '\0') {
        const std::string_view name = scan.atom();
        if (equalsIgnoringCase(name, "UID")) {
            search.uid = true;
            scan.skipBlanks();
            continue;
        }
        scan.expect(' ');
        if (equalsIgnoringCase(name, "ALL")) {
            auto numbers = parseImapNumbers(scan.atom(), limit);
            if (!numbers)
                return std::nullopt;
            search.all = std::move(*numbers);
        } else if (equalsIgnoringCase(name, "MIN"))
            search.least = scan.number();
        else if (equalsIgnoringCase(name, "MAX"))
            search.most = scan.number();
        else if (equalsIgnoringCase(name, "COUNT"))
            search.count = scan.number();
        else if (equalsIgnoringCase(name, "MODSEQ"))
            search.modSequence = scan.number();
        else
            scan.value(); // an extension's
        scan.skipBlanks();
    }
    return scan.failed() ? std::nullopt : std::optional(std::move(search));
}

std::optional<std::vector<ImapNamespace>> parseImapNamespace(
    const ImapText& text, const ImapResponse& response)
{
    std::vector<ImapNamespace> own;
    ImapScanner scan(text, response.rest);
    if (scan.accept('(')) {
        while (!scan.failed() && !scan.accept(')')) {
            ImapNamespace& space = own.emplace_back();
            scan.expect('(');
            space.prefix = scan.string().text;
            scan.expect(' ');
            space.delimiter = scan.string().text;
            scan.skipBlanks();
            while (!scan.failed() && !scan.accept(')')) { // an extension's
                scan.value();
                scan.skipBlanks();
            }
            scan.skipBlanks();
            if (own.size() > kMost)
                return std::nullopt;
        }
    } else if (!scan.string().nil)
        return std::nullopt;
    return scan.failed() ? std::nullopt : std::optional(std::move(own));
}

bool isQuotable(std::string_view name)
{
    return std::all_of(name.begin(), name.end(), [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) != 0x7f;
    });
}

std::string ownPrefixOf(const ImapText& text, const ImapResponse& response)
{
    const auto own = parseImapNamespace(text, response);
    if (!own || own->empty() || !isQuotable(own->front().prefix))
        return {};
    return own->front().prefix;
}

std::optional<ImapQuota> parseImapQuota(const ImapText& text, const ImapResponse& response)
{
    ImapQuota quota;
    ImapScanner scan(text, response.rest);
    quota.root = scan.string().text;
    scan.skipBlanks();
    scan.expect('(');
    while (!scan.failed() && !scan.accept(')')) {
        ImapQuota::Resource& resource = quota.resources.emplace_back();
        resource.name = scan.atom();
        scan.expect(' ');
        resource.usage = scan.number();
        scan.expect(' ');
        resource.limit = scan.number();
        scan.skipBlanks();
        if (quota.resources.size() > kMost)
            return std::nullopt;
    }
    return scan.failed() ? std::nullopt : std::optional(std::move(quota));
}

std::optional<ImapQuotaRoots> parseImapQuotaRoots(const ImapText& text, const ImapResponse& response)
{
    ImapQuotaRoots roots;
    ImapScanner scan(text, response.rest);
    roots.mailbox = scan.string().text;
    scan.skipBlanks();
    while (!scan.failed() && scan.peek() != '\0') {
        roots.roots.push_back(scan.string().text);
        scan.skipBlanks();
        if (roots.roots.size() > kMost)
            return std::nullopt;
    }
    return scan.failed() ? std::nullopt : std::optional(std::move(roots));
}

std::optional<std::uint64_t> numberOfCode(const ImapResponse& response)
{
    const std::string_view text = response.codeArguments;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool good = error == std::errc() && end == text.data() + text.size() && number > 0;
    return good ? std::optional(number) : std::nullopt;
}

} // namespace loadstone::protocol
