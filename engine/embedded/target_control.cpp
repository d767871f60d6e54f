// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/target_control.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::embedded {

namespace {

constexpr std::size_t kLongest = 4096; // bytes of a line

/// As a string of JSON: everything that is not plain ASCII becomes an escape.
std::string jsonText(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    return out + "\"";
}

std::string_view trimmed(std::string_view text)
{
    const auto from = text.find_first_not_of(" \t\r");
    if (from == std::string_view::npos)
        return {};
    return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

Result<Faults> readFaults(std::string_view list, std::uint64_t seed)
{
    Faults faults(seed);
    while (!list.empty()) {
        const auto end = std::min(list.find(';'), list.size());
        const std::string_view one = trimmed(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
        if (one.empty())
            continue;
        if (const auto added = faults.add(one); !added)
            return added.error();
    }
    return faults;
}

} // namespace

std::string TargetControl::take(std::string_view bytes, std::int64_t nowNs)
{
    std::string answers;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const std::string_view part = bytes.substr(0, end);
        if (m_pending.size() + part.size() > kLongest)
            m_tooLong = true;
        if (!m_tooLong)
            m_pending += part;
        if (end == std::string_view::npos)
            break;
        bytes.remove_prefix(end + 1);
        const std::string line(trimmed(m_pending));
        if (m_tooLong)
            answers += R"({"event":"refused","what":"","why":"the line is longer than 4096 bytes"})"
                       "\n";
        else if (!line.empty())
            answers += answer(line, nowNs);
        m_pending.clear();
        m_tooLong = false;
    }
    return answers;
}

std::string TargetControl::answer(const std::string& line, std::int64_t nowNs)
{
    const auto changed = change(line, nowNs);
    return changed ? fmt::format("{{\"event\":\"changed\",\"what\":{}}}\n", jsonText(line))
                   : fmt::format("{{\"event\":\"refused\",\"what\":{},\"why\":{}}}\n", jsonText(line),
                       jsonText(changed.error().message));
}

Result<void> TargetControl::change(const std::string& line, std::int64_t nowNs)
{
    const auto space = std::min(line.find(' '), line.size());
    const std::string name = line.substr(0, space);
    const std::string value(trimmed(std::string_view(line).substr(space)));
    if (name == "faults") {
        auto faults = readFaults(value, m_options.seed);
        if (!faults)
            return faults.error();
        m_options.faults = *faults;
        return {};
    }
    if (name == "freeze") {
        const auto length = parseDuration(value);
        if (!length)
            return length.error();
        m_options.freezeFor = *length;
        m_desk.freeze(nowNs, *length);
        return {};
    }
    for (const char* known : { "service-time", "service-verbs", "capacity", "delivery-delay" })
        if (name == known) {
            if (const auto set = setTargetOption(m_options, "--" + name, value); !set)
                return set;
            m_store.setDelay(m_options.deliveryDelay);
            m_desk.setPlaces(m_options.capacity, m_admitted);
            return {};
        }
    return fail("unknown command \"" + name
        + "\"; one of service-time, service-verbs, capacity, delivery-delay, faults, freeze");
}

} // namespace loadstone::embedded
