// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/content_lines.h"

#include "protocol/common/server_line.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace loadstone::protocol {

namespace {

constexpr std::size_t kLongestLine = 75; // octets, without the line break
constexpr std::string_view kProduct = "-//Loadstone//Mail server benchmark//EN";

bool continues(char c) // a UTF-8 character
{
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

void beginCalendar(ContentLines& lines)
{
    lines.add("BEGIN", "VCALENDAR");
    lines.add("VERSION", "2.0");
    lines.add("PRODID", kProduct);
}

} // namespace

void ContentLines::add(std::string_view name, std::string_view value)
{
    std::string line;
    line.append(name).append(":").append(value);
    std::size_t room = kLongestLine;
    std::string_view rest = line;
    while (rest.size() > room) {
        std::size_t cut = room;
        while (cut > 1 && continues(rest[cut]))
            --cut;
        m_lines.append(rest.substr(0, cut)).append("\r\n ");
        rest.remove_prefix(cut);
        room = kLongestLine - 1; // behind the blank
    }
    m_lines.append(rest).append("\r\n");
}

void ContentLines::text(std::string_view name, std::string_view value)
{
    add(name, escapedText(value));
}

std::string escapedText(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (c == '\r')
            continue;
        if (c == '\n') {
            out.append("\\n");
            continue;
        }
        if (c == '\\' || c == ',' || c == ';')
            out.push_back('\\');
        out.push_back(c);
    }
    return out;
}

std::string unescapedText(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
        if (next == 'n' || next == 'N')
            out.push_back('\n');
        else if (next == '\\' || next == ',' || next == ';')
            out.push_back(next);
        else {
            out.push_back(text[i]);
            continue;
        }
        ++i;
    }
    return out;
}

std::string unfolded(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n')
            continue;
        const bool folds =
            text[i] == '\n' && i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\t');
        if (folds)
            ++i; // and the blank
        else
            out.push_back(text[i]);
    }
    return out;
}

std::optional<std::string> contentValue(std::string_view unfolded, std::string_view name)
{
    while (!unfolded.empty()) {
        const std::size_t end = unfolded.find('\n');
        const std::string_view line = unfolded.substr(0, end);
        unfolded.remove_prefix(end == std::string_view::npos ? unfolded.size() : end + 1);
        if (line.size() <= name.size() || !equalsIgnoringCase(line.substr(0, name.size()), name)
            || (line[name.size()] != ':' && line[name.size()] != ';'))
            continue;
        bool quoted = false; // a parameter's value may have a colon in it
        for (std::size_t i = name.size(); i < line.size(); ++i) {
            quoted = quoted != (line[i] == '"');
            if (line[i] == ':' && !quoted)
                return std::string(line.substr(i + 1));
        }
    }
    return std::nullopt;
}

std::string utcStamp(WallTime time)
{
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(time - day));
    std::array<char, 40> text {};
    const int n = std::snprintf(text.data(), text.size(), "%04d%02u%02uT%02d%02d%02dZ",
        static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
        static_cast<int>(clock.seconds().count()));
    return { text.data(), static_cast<std::size_t>(n) };
}

std::string toICalendar(const CalendarEvent& event)
{
    ContentLines lines;
    beginCalendar(lines);
    lines.add("BEGIN", "VEVENT");
    lines.add("UID", event.uid);
    lines.add("DTSTAMP", utcStamp(event.stamp));
    lines.add("DTSTART", utcStamp(event.start));
    lines.add("DTEND", utcStamp(event.end));
    lines.add("SEQUENCE", std::to_string(event.sequence));
    if (!event.recurrence.empty())
        lines.add("RRULE", event.recurrence);
    lines.text("SUMMARY", event.summary);
    if (!event.location.empty())
        lines.text("LOCATION", event.location);
    if (!event.description.empty())
        lines.text("DESCRIPTION", event.description);
    if (!event.organizer.empty())
        lines.add("ORGANIZER", "mailto:" + event.organizer);
    for (const std::string& attendee : event.attendees)
        lines.add("ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE", "mailto:" + attendee);
    lines.add("END", "VEVENT");
    lines.add("END", "VCALENDAR");
    return lines.take();
}

std::string toICalendar(const JournalEntry& entry)
{
    ContentLines lines;
    beginCalendar(lines);
    lines.add("BEGIN", "VJOURNAL");
    lines.add("UID", entry.uid);
    lines.add("DTSTAMP", utcStamp(entry.stamp));
    lines.add("DTSTART", utcStamp(entry.start));
    lines.text("SUMMARY", entry.summary);
    lines.text("DESCRIPTION", entry.description);
    lines.add("END", "VJOURNAL");
    lines.add("END", "VCALENDAR");
    return lines.take();
}

std::string toVCard(const Contact& contact)
{
    ContentLines lines;
    lines.add("BEGIN", "VCARD");
    lines.add("VERSION", "3.0");
    lines.add("PRODID", kProduct);
    lines.add("UID", contact.uid);
    lines.add("REV", utcStamp(contact.stamp));
    lines.text("FN", contact.given + " " + contact.family);
    lines.add("N", escapedText(contact.family) + ";" + escapedText(contact.given) + ";;;");
    lines.text("ORG", contact.organization);
    lines.text("EMAIL;TYPE=INTERNET", contact.email);
    lines.text("TEL;TYPE=WORK", contact.phone);
    lines.text("NOTE", contact.note);
    lines.add("END", "VCARD");
    return lines.take();
}

} // namespace loadstone::protocol
