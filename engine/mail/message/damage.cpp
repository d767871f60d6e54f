// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/damage.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace loadstone::mail {

namespace {

/// The value of a header field, with the lines that continue it.
std::string_view headerField(std::string_view text, std::string_view name)
{
    const std::string_view header = text.substr(0, text.find("\r\n\r\n"));
    std::size_t begin = header.starts_with(name) ? 0 : header.find(fmt::format("\r\n{}", name));
    if (begin == std::string_view::npos)
        return {};
    begin = header.find(':', begin) + 1;
    std::size_t end = header.find("\r\n", begin);
    while (end != std::string_view::npos && end + 2 < header.size()
        && (header[end + 2] == ' ' || header[end + 2] == '\t'))
        end = header.find("\r\n", end + 2);
    return header.substr(begin, end == std::string_view::npos ? end : end - begin);
}

/// "<u1@load.test>,\r\n <u2@load.test>"
std::vector<std::string> addressesIn(std::string_view field)
{
    std::vector<std::string> addresses;
    for (std::size_t open = field.find('<'); open != std::string_view::npos;
         open = field.find('<', open + 1)) {
        const std::size_t close = field.find('>', open);
        if (close == std::string_view::npos)
            break;
        addresses.emplace_back(field.substr(open + 1, close - open - 1));
    }
    return addresses;
}

/// "Sat, 21 Nov 2026 14:03:05 +0000"; the beginning of 1970 for anything else.
WallTime dateIn(std::string_view field)
{
    const std::string text(field.substr(0, 60));
    std::tm parts {};
    if (::strptime(text.c_str(), " %a, %d %b %Y %H:%M:%S +0000", &parts) == nullptr)
        return {};
    return WallTime(std::chrono::seconds(::timegm(&parts)));
}

std::string_view withoutLastLineEnds(std::string_view text)
{
    while (!text.empty() && (text.back() == '\r' || text.back() == '\n'))
        text.remove_suffix(1);
    return text;
}

/// Without the blanks and tabulators at the ends of lines.
std::string withoutTrailingBlanks(std::string_view text)
{
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find("\r\n", begin), text.size());
        std::string_view line = text.substr(begin, end - begin);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        out.append(line).append("\r\n");
        begin = end + 2;
    }
    return out;
}

/// "0x20", "nothing"
std::string byteAt(std::string_view text, std::size_t at)
{
    if (at >= text.size())
        return "nothing";
    const auto byte = static_cast<unsigned char>(text[at]);
    return byte > ' ' && byte < 0x7f ? fmt::format("0x{:02x} (\"{}\")", byte, text[at])
                                     : fmt::format("0x{:02x}", byte);
}

} // namespace

std::string firstDifference(std::string_view sent, std::string_view came)
{
    sent = withoutLastLineEnds(sent);
    came = withoutLastLineEnds(came);
    const auto [in, other] = std::mismatch(sent.begin(), sent.end(), came.begin(), came.end());
    const auto at = static_cast<std::size_t>(in - sent.begin());
    if (at == sent.size() && at == came.size())
        return {};
    std::string text = fmt::format("byte {} after the token's line (line {}): {} was sent, {} arrived",
        at + 1, std::count(sent.begin(), in, '\n') + 1, byteAt(sent, at), byteAt(came, at));
    if (sent.size() != came.size())
        text += fmt::format("; {} bytes {}",
            std::max(sent.size(), came.size()) - std::min(sent.size(), came.size()),
            came.size() < sent.size() ? "fewer" : "more");
    if (withoutTrailingBlanks(sent) == withoutTrailingBlanks(came))
        text += "; blanks at the ends of lines are the only difference";
    return text;
}

DamageExplainer::DamageExplainer(const MessageFactory& factory, std::vector<Candidate> candidates)
    : m_factory(factory)
    , m_candidates(std::move(candidates))
{
}

std::vector<DamageExplainer::Candidate> DamageExplainer::candidatesOf(const plan::MailPlan& plan)
{
    std::vector<Candidate> candidates;
    for (const plan::Step& step : plan.workload.steps)
        if (step.messages() > 0)
            candidates.push_back({ static_cast<std::size_t>(step.size), nullptr });
    if (plan.workload.profile)
        for (const plan::MessageKind& kind : plan.workload.profile->messages)
            candidates.push_back({ 0, &kind });
    return candidates;
}

bool DamageExplainer::makeAgain(const MessageToken& token, std::string_view came, std::string& original) const
{
    const std::vector<std::string> senders = addressesIn(headerField(came, "From:"));
    const std::vector<std::string> recipients = addressesIn(headerField(came, "To:"));
    if (senders.size() != 1)
        return false;
    MessageOrder order;
    order.id = token.id;
    order.sender = senders.front();
    order.recipients = recipients;
    order.date = dateIn(headerField(came, "Date:"));
    Message message;
    for (const Candidate& candidate : m_candidates)
        for (const bool eightBit : { false, true }) {
            order.size = candidate.size;
            order.kind = candidate.kind;
            order.eightBit = eightBit;
            m_factory.make(order, message);
            if (message.token.digest != token.digest)
                continue;
            for (const std::string_view piece : message.pieces)
                original += piece;
            original.erase(0, original.find('\n') + 1);
            return true;
        }
    return false;
}

std::string DamageExplainer::explain(const MessageToken& token, std::string_view came) const
{
    std::string original;
    if (!makeAgain(token, came, original))
        return "the header differs from what was sent as well";
    return firstDifference(original, came);
}

} // namespace loadstone::mail
