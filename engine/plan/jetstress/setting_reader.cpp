// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/jetstress/setting_reader.h"

#include "document/table_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace loadstone::plan {

std::optional<Setting> SettingReader::take(const XmlElement* parent, std::string_view name)
{
    const XmlElement* element = parent == nullptr ? nullptr : parent->find(name);
    if (element == nullptr)
        return std::nullopt;
    m_used.insert(element);
    if (element->text.empty())
        return std::nullopt;
    return Setting { element->name, element->text, element->line };
}

std::optional<Setting> SettingReader::attribute(const XmlElement& element, std::string_view name)
{
    for (const auto& [key, value] : element.attributes)
        if (sameName(key, name))
            return Setting { key, value, element.line };
    return std::nullopt;
}

std::optional<double> SettingReader::decimal(const std::optional<Setting>& setting, double least, double most)
{
    if (!setting)
        return std::nullopt;
    double value = 0;
    const char* end = setting->value.data() + setting->value.size();
    const auto [last, error] = std::from_chars(setting->value.data(), end, value, std::chars_format::fixed);
    if (error != std::errc() || last != end || !(value >= least && value <= most)) {
        wrong(setting->line,
            fmt::format("{}: \"{}\" is not a number from {} to {}", document::shown(setting->name),
                document::shown(setting->value), least, most));
        return std::nullopt;
    }
    return value;
}

std::optional<unsigned> SettingReader::whole(
    const std::optional<Setting>& setting, unsigned least, unsigned most)
{
    const auto value = decimal(setting, least, most);
    if (!value)
        return std::nullopt;
    if (*value != std::floor(*value)) {
        wrong(setting->line,
            fmt::format("{}: \"{}\" is not a whole number", document::shown(setting->name),
                document::shown(setting->value)));
        return std::nullopt;
    }
    return static_cast<unsigned>(*value);
}

bool SettingReader::flag(const std::optional<Setting>& setting, bool otherwise)
{
    if (!setting)
        return otherwise;
    if (sameName(setting->value, "true") || setting->value == "1")
        return true;
    if (!sameName(setting->value, "false") && setting->value != "0")
        wrong(setting->line,
            fmt::format("{}: \"{}\" is neither true nor false", document::shown(setting->name),
                document::shown(setting->value)));
    return false;
}

std::optional<Nanoseconds> SettingReader::milliseconds(const std::optional<Setting>& setting)
{
    const auto value = decimal(setting, 0.01, 3'600'000);
    if (!value)
        return std::nullopt;
    return Nanoseconds(std::llround(*value * 1e6));
}

std::optional<Nanoseconds> SettingReader::isoDuration(const std::optional<Setting>& setting)
{
    if (!setting)
        return std::nullopt;
    const std::string& text = setting->value;
    const auto bad = [&] {
        wrong(setting->line,
            fmt::format("{}: \"{}\" is not a time from PT1S to P30D, as in PT2H",
                document::shown(setting->name), document::shown(text)));
        return std::nullopt;
    };
    if (text.size() < 3 || text.size() > 60 || text.front() != 'P')
        return bad();
    double total = 0; // seconds
    bool time = false;
    const char* at = text.data() + 1;
    const char* end = text.data() + text.size();
    while (at != end) {
        if (*at == 'T' && !time) {
            time = true;
            ++at;
            continue;
        }
        double value = 0;
        const auto [last, error] = std::from_chars(at, end, value, std::chars_format::fixed);
        if (error != std::errc() || last == end || !(value >= 0 && value < 1e9))
            return bad();
        const char unit = *last;
        at = last + 1;
        if (unit == 'Y' && !time)
            total += value * 365 * 86400;
        else if (unit == 'M')
            total += value * (time ? 60 : 30 * 86400);
        else if (unit == 'D' && !time)
            total += value * 86400;
        else if (unit == 'H' && time)
            total += value * 3600;
        else if (unit == 'S' && time)
            total += value;
        else
            return bad();
    }
    if (!(total >= 1 && total <= 30 * 86400.0))
        return bad();
    return Nanoseconds(std::llround(total)) * 1'000'000'000;
}

void SettingReader::wrong(int line, const std::string& what)
{
    if (m_wrong.empty())
        m_wrong = fmt::format("{}: {}", line, what);
}

} // namespace loadstone::plan
