// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/wording.h"

#include <loadstone/report.h>
#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadstone {
namespace report {

std::string count(std::uint64_t value)
{
    std::string digits = fmt::format("{}", value);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, 1, ',');
    return digits;
}

std::string grouped(double value, int decimals)
{
    std::string digits = fmt::format("{:.{}f}", value, decimals);
    const std::size_t point = std::min(digits.find('.'), digits.size()), first = value < 0 ? 1 : 0;
    for (std::size_t i = point; i > first + 3; i -= 3)
        digits.insert(i - 3, 1, ',');
    return digits;
}

std::string rate(double perSecond)
{
    if (perSecond >= 1000)
        return count(static_cast<std::uint64_t>(perSecond + 0.5));
    return perSecond >= 1 ? fmt::format("{:.2f}", perSecond) : formatNumber(perSecond);
}

std::string difference(double share)
{
    constexpr double kNone = 0.0005;
    return std::abs(share) < kNone ? "0.0 %" : fmt::format("{:+.1f} %", share * 100);
}

std::string plural(std::uint64_t n, const char* noun)
{
    return fmt::format("{} {}{}", count(n), noun, n == 1 ? "" : "s");
}

std::size_t textWidth(const std::string& text)
{
    std::size_t width = 0;
    for (const char c : text)
        width += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return width;
}

std::string shortened(const std::string& text, std::size_t width)
{
    if (textWidth(text) <= width)
        return text;
    constexpr std::size_t kDots = 2;
    const std::size_t kept = width > kDots ? width - kDots : 0;
    std::size_t characters = 0, end = 0;
    while (end < text.size()) {
        if ((static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U && ++characters > kept)
            break;
        ++end;
    }
    return text.substr(0, end) + std::string(std::min(width, kDots), '.');
}

std::string shortenedName(const std::string& text, std::size_t width)
{
    const std::size_t characters = textWidth(text);
    if (characters <= width || !text.starts_with('\\'))
        return shortened(text, width);
    const std::size_t ending = 2 * width / 3, skipped = characters - ending;
    std::size_t begin = 0;
    for (std::size_t passed = 0; begin < text.size(); ++begin)
        if ((static_cast<unsigned char>(text[begin]) & 0xC0U) != 0x80U && ++passed > skipped)
            break;
    return shortened(text, width - ending) + text.substr(begin);
}

std::string auditSentence(const AuditTotals& audit)
{
    std::string remarks;
    for (const Figure& figure : figuresOf(audit, {})) {
        const FigureInfo& info = infoOf(figure.id);
        if (info.better == Better::less && figure.value.value_or(0) > 0 && !info.words.empty())
            remarks += fmt::format("{}{} {}", remarks.empty() ? "" : ", ", format(figure), info.words);
    }
    const std::string of = fmt::format("of {} of {} accepted",
        audit.expected == 1 ? "1 copy" : count(audit.expected) + " copies",
        plural(audit.accepted, "message"));
    if (remarks.empty() && audit.accepted == 0)
        return "The server accepted no message: there is nothing to audit.";
    if (remarks.empty())
        return fmt::format("The delivery audit found each {} delivered once, in time and complete.", of);
    // What is outstanding may still be lost: an audit that has such copies has not passed.
    return fmt::format("The delivery audit {}: {} delivered once and in time; {}.",
        audit.lost + audit.twice + audit.damaged > 0 ? "FAILED"
            : audit.outstanding > 0                  ? "is not settled"
                                                     : "passed, with findings",
        fmt::format("{} {}", count(audit.deliveredOnce), of), remarks);
}

namespace {

/// It has filled or cleaned mailboxes and measured nothing.
bool preparesOnly(const RunResults& results)
{
    return !results.preparations.empty() && results.mixes.empty();
}

/// Of a test whose load is I/O and no mail.
bool isOfStorage(const RunResults& results)
{
    return results.kind != RunKind::mail
        || std::any_of(results.mixes.begin(), results.mixes.end(),
            [](const MixResult& mix) { return !mix.io.empty() || mix.storage; });
}

} // namespace

std::string clockText(Nanoseconds begin, Nanoseconds end)
{
    return formatClock(begin) + " - " + formatClock(end);
}

std::string phaseText(const RunResults& results)
{
    if (!results.window)
        return "the measurement";
    const std::string window = clockText(results.window->begin, results.window->end);
    const auto measured = [](const MixResult& mix) {
        return clockText(mix.measured.begin, mix.measured.end);
    };
    if (std::ranges::all_of(results.mixes, [&](const MixResult& mix) { return measured(mix) == window; }))
        return "the window " + window;
    return results.mixes.size() == 1
        ? fmt::format("{}, what was measured of the window {}", measured(results.mixes.front()), window)
        : "what was measured of the window " + window;
}

std::vector<std::string> sentencesOf(const RunResults& results, const RunVerdict& verdict)
{
    std::vector<std::string> sentences = verdict.reasons;
    if (results.window) {
        sentences.push_back(fmt::format(
            "The verdict is that of the whole run. The figures below are those of {}{}.", phaseText(results),
            isOfStorage(results) ? "" : "; audit and oracle are known for the whole run alone"));
        return sentences;
    }
    if (isOfStorage(results))
        return sentences;
    if (results.audit)
        sentences.push_back(auditSentence(*results.audit));
    else if (!preparesOnly(results))
        sentences.emplace_back("No delivery audit: the plan reads no mailboxes.");
    if (results.oracle)
        sentences.push_back(oracleSentence(*results.oracle, results.state));
    return sentences;
}

} // namespace report

std::string oracleSentence(const OracleTotals& oracle, RunState state)
{
    if (oracle.users == 0 && oracle.findings > 0)
        return fmt::format(
            "The oracle followed no user; {} of the drain's comparisons of searches with flags FAILED.",
            report::count(oracle.findings));
    if (oracle.users == 0)
        return "The oracle followed no user: none of its users logged on.";
    std::string text =
        fmt::format("The oracle followed the {} of {}: ", oracle.users == 1 ? "mailbox" : "mailboxes",
            report::plural(oracle.users, "user"));
    const std::string checks = report::plural(oracle.checks, "check");
    text += oracle.checks == 0 ? "nothing was checked."
        : oracle.findings == 0 ? fmt::format("all of {} passed.", checks)
                               : fmt::format("{} of {} FAILED.", report::count(oracle.findings), checks);
    if (!isOver(state) || !oracle.compared)
        return text;
    if (oracle.notCompared() > 0)
        return text
            + fmt::format(" {} of {} could NOT be compared message by message at the end.",
                report::count(oracle.notCompared()), report::count(oracle.users));
    return text + (oracle.users == 1 ? " It was" : " All were") + " compared message by message at the end.";
}

std::string plannedText(const RunHeader& header)
{
    if (header.plannedLength <= Nanoseconds(0))
        return {};
    const std::string length = formatClock(header.plannedLength);
    return header.kind == RunKind::storage ? fmt::format(" with {} of load planned", length)
                                           : fmt::format(" of {} planned", length);
}

} // namespace loadstone
