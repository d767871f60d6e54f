// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

/// Writes the content lines that iCalendar (RFC 5545, 3.1) and vCard (RFC 6350, 3.2) share: CRLF at the end, folded to at
/// most 75 octets a line, never within a UTF-8 character.
class ContentLines {
public:
    /// `name` with its parameters; `value` as it stands.
    void add(std::string_view name, std::string_view value);
    /// `value` as TEXT: backslash, comma, semicolon and line breaks are escaped (RFC 5545, 3.3.11; RFC 6350, 3.4).
    void text(std::string_view name, std::string_view value);
    [[nodiscard]] std::string take() { return std::move(m_lines); }

private:
    std::string m_lines;
};

std::string escapedText(std::string_view text);
/// The opposite; a backslash before anything else stays.
std::string unescapedText(std::string_view text);
/// Joins folded lines; CRLF and LF alike, lines end in LF.
std::string unfolded(std::string_view text);
/// The value of the first line of this name in text that unfolded() gave, as it stands there.
std::optional<std::string> contentValue(std::string_view unfolded, std::string_view name);

/// "20260105T080000Z", to the second (RFC 5545, 3.3.5).
std::string utcStamp(WallTime time);

/// What a simulated user has in a calendar. Times to the second.
struct CalendarEvent {
    std::string uid;
    WallTime stamp {}; ///< when it was written
    WallTime start {}, end {};
    unsigned sequence = 0; ///< how often it was altered
    std::string
        recurrence; ///< RECUR (RFC 5545, 3.3.10): "FREQ=WEEKLY;INTERVAL=2"; empty: it takes place once
    std::string summary, location, description;
    std::string organizer; ///< mail address; empty: no meeting
    std::vector<std::string> attendees; ///< mail addresses
    bool operator==(const CalendarEvent&) const = default;
};

struct JournalEntry {
    std::string uid;
    WallTime stamp {}, start {};
    std::string summary, description;
};

struct Contact {
    std::string uid;
    WallTime stamp {};
    std::string given, family, organization, email, phone, note;
};

/// A VCALENDAR with one VEVENT (RFC 5545, 3.6.1), or one VJOURNAL (3.6.3).
std::string toICalendar(const CalendarEvent& event);
std::string toICalendar(const JournalEntry& entry);
/// Version 3.0 (RFC 2426): the one that every CardDAV server takes (RFC 6352, 5.1); 4.0 writes these lines the same way.
std::string toVCard(const Contact& contact);

} // namespace loadstone::protocol
