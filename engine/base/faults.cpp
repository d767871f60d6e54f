// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/faults.h"

#include "base/random.h"

#include <loadstone/units.h>

#include <charconv>

namespace loadstone {

namespace {

constexpr std::array<const char*, kFaultCount> kNames { "", "lose", "duplicate", "damage", "delay", "refuse",
    "reject", "stall", "drop", "slow", "search", "unread" };
// What a decision is about, so that no two decisions share their dice.
enum Topic : std::uint64_t { Copy = 1, Connection, Command, Rejection, Detail, Search, Unread };

std::uint64_t hashOfText(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a; hashOf() mixes it well afterwards
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

} // namespace

const char* nameOf(Fault fault) noexcept
{
    return kNames[static_cast<std::size_t>(fault)];
}

Result<void> Faults::add(std::string_view text)
{
    const auto wrong = [&](const std::string& why) { return fail("\"" + std::string(text) + "\": " + why); };
    const auto colon = text.find(':');
    const auto kind = text.substr(0, colon);
    auto rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    std::size_t index = 1;
    while (index < kFaultCount && kind != kNames[index])
        ++index;
    if (index == kFaultCount)
        return wrong("unknown fault; one of lose, duplicate, damage, delay, refuse, reject, stall, drop, "
                     "slow, search, unread");
    Rule& rule = m_rules[index];
    if (rule.share > 0)
        return wrong("given twice");
    const auto second = rest.find(':');
    const auto share = rest.substr(0, second);
    const auto detail = second == std::string_view::npos ? std::string_view() : rest.substr(second + 1);
    const auto read = std::from_chars(share.data(), share.data() + share.size(), rule.share);
    if (share.empty() || read.ec != std::errc() || read.ptr != share.data() + share.size()
        || !(rule.share > 0) || rule.share > 1)
        return wrong("the share is a number above 0 and at most 1, as in lose:0.001");
    const auto fault = static_cast<Fault>(index);
    switch (fault) {
    case Fault::delay:
    case Fault::stall:
    case Fault::slow: {
        rule.duration = fault == Fault::slow ? std::chrono::milliseconds(10) : std::chrono::seconds(5);
        if (detail.empty())
            break;
        const auto duration = parseDuration(detail);
        if (!duration)
            return wrong(duration.error().message);
        rule.duration = *duration;
        break;
    }
    case Fault::reject: {
        if (detail.empty())
            break;
        const auto code = std::from_chars(detail.data(), detail.data() + detail.size(), m_rejectCode);
        if (code.ec != std::errc() || code.ptr != detail.data() + detail.size() || m_rejectCode < 450
            || m_rejectCode > 554)
            return wrong("the reply code is a number from 450 to 554, as in reject:0.01:550");
        break;
    }
    case Fault::drop:
    case Fault::refuse:
        if (!detail.empty() && detail != "reset")
            return wrong("the detail can only be \"reset\"");
        rule.reset = detail == "reset";
        break;
    default:
        if (!detail.empty())
            return wrong("this fault has no detail");
    }
    double copies = 0;
    for (const Fault f : { Fault::lose, Fault::duplicate, Fault::damage, Fault::delay })
        copies += this->rule(f).share;
    double commands = 0;
    for (const Fault f : { Fault::stall, Fault::drop, Fault::slow })
        commands += this->rule(f).share;
    if (copies > 1 || commands > 1)
        return wrong("the shares of faults that exclude each other add up to more than 1");
    m_ofCommands = commands > 0 || this->rule(Fault::reject).share > 0;
    return {};
}

Fault Faults::pick(std::uint64_t hash, std::initializer_list<Fault> kinds) const
{
    double u = static_cast<double>(hash >> 11) * 0x1.0p-53;
    for (const Fault kind : kinds) {
        if (u < rule(kind).share)
            return kind;
        u -= rule(kind).share;
    }
    return Fault::none;
}

Fault Faults::ofCopy(std::string_view token, std::string_view mailbox) const
{
    return pick(hashOf({ m_seed, Topic::Copy, hashOfText(token), hashOfText(mailbox) }),
        { Fault::lose, Fault::duplicate, Fault::damage, Fault::delay });
}

bool Faults::ofMailbox(Fault fault, std::string_view mailbox) const
{
    const std::uint64_t topic = fault == Fault::search ? Topic::Search : Topic::Unread;
    return rule(fault).share > 0 && pick(hashOf({ m_seed, topic, hashOfText(mailbox) }), { fault }) == fault;
}

Fault Faults::ofConnection(std::uint64_t connection) const
{
    return pick(hashOf({ m_seed, Topic::Connection, connection }), { Fault::refuse });
}

Fault Faults::ofCommand(std::uint64_t connection, std::uint64_t command, bool rejectable) const
{
    if (rejectable
        && pick(hashOf({ m_seed, Topic::Rejection, connection, command }), { Fault::reject }) != Fault::none)
        return Fault::reject;
    return pick(
        hashOf({ m_seed, Topic::Command, connection, command }), { Fault::stall, Fault::drop, Fault::slow });
}

std::uint64_t Faults::detail(std::string_view token, std::string_view mailbox) const
{
    return hashOf({ m_seed, Topic::Detail, hashOfText(token), hashOfText(mailbox) });
}

} // namespace loadstone
