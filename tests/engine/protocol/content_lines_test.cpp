// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/content_lines.h"
#include "support/catch.h"

#include <sstream>

using namespace loadstone;
using namespace loadstone::protocol;
using namespace std::chrono_literals;

namespace {

WallTime at(int year, unsigned month, unsigned day, Nanoseconds time)
{
    return WallTime(std::chrono::sys_days(
               std::chrono::year(year) / std::chrono::month(month) / std::chrono::day(day)))
        + time;
}

CalendarEvent meeting()
{
    CalendarEvent event;
    event.uid = "loadstone-1-2-3";
    event.stamp = at(2026, 1, 5, 7h);
    event.start = at(2026, 12, 31, 23h + 30min);
    event.end = at(2027, 1, 1, 1h);
    event.sequence = 2;
    event.summary = "Plan; budget, and C:\\drive";
    event.location = "Büro, 2. Stock";
    event.description = "First line\nsecond line";
    event.organizer = "u1@load.test";
    event.attendees = { "u2@load.test", "u30000000000000000000000000000000000@load.test" };
    return event;
}

} // namespace

TEST_CASE("content lines are folded at 75 octets, never within a character, and unfold to what they were")
{
    for (const std::string piece : { "x", "ä", "€", "𝄞" }) {
        std::string value;
        for (int i = 0; i < 120; ++i) {
            value += piece;
            ContentLines lines;
            lines.add("NAME", value);
            const std::string folded = lines.take();
            REQUIRE(folded.ends_with("\r\n"));
            std::istringstream in(folded);
            for (std::string line; std::getline(in, line);) {
                REQUIRE(line.ends_with('\r'));
                REQUIRE(line.size() - 1 <= 75);
                const auto first = static_cast<unsigned char>(line[line.starts_with(' ') ? 1 : 0]);
                REQUIRE((first & 0xc0U) != 0x80U); // no character begins there in the middle
            }
            REQUIRE(unfolded(folded) == "NAME:" + value + "\n");
        }
    }
}

TEST_CASE("text is escaped as RFC 5545 has it, and comes back")
{
    CHECK(escapedText("a,b;c\\d\ne\r\nf") == "a\\,b\\;c\\\\d\\ne\\nf");
    for (const std::string text : { "", "\\", "\\n", "a\nb", ";,;,", "\\\\n,\n" })
        CHECK(unescapedText(escapedText(text)) == text);
    CHECK(unescapedText("a\\xb\\") == "a\\xb\\");
}

TEST_CASE("an event says what, when and with whom")
{
    const CalendarEvent event = meeting();
    const std::string text = unfolded(toICalendar(event));
    CHECK(text.starts_with("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:"));
    CHECK(text.ends_with("END:VEVENT\nEND:VCALENDAR\n"));
    CHECK(contentValue(text, "UID") == event.uid);
    CHECK(contentValue(text, "DTSTAMP") == "20260105T070000Z");
    CHECK(contentValue(text, "DTSTART") == "20261231T233000Z");
    CHECK(contentValue(text, "DTEND") == "20270101T010000Z");
    CHECK(contentValue(text, "SEQUENCE") == "2");
    CHECK(unescapedText(contentValue(text, "SUMMARY").value()) == event.summary);
    CHECK(unescapedText(contentValue(text, "LOCATION").value()) == event.location);
    CHECK(unescapedText(contentValue(text, "DESCRIPTION").value()) == event.description);
    CHECK(contentValue(text, "ORGANIZER") == "mailto:u1@load.test");
    CHECK(contentValue(text, "ATTENDEE") == "mailto:u2@load.test");
    CHECK_THAT(text, Catch::Contains(event.attendees[1]));
    CHECK_FALSE(contentValue(text, "SUMM"));
    CHECK(contentValue("A;X=\"a:b\":c\n", "a") == "c");
}

TEST_CASE("a contact has the lines that RFC 2426 asks for")
{
    const std::string text =
        unfolded(toVCard({ "id", at(2026, 2, 3, 4h), "Jo", "O;Neil", "A, B", "a@b", "+1", "n" }));
    CHECK(contentValue(text, "VERSION") == "3.0");
    CHECK(contentValue(text, "N") == "O\\;Neil;Jo;;;");
    CHECK(contentValue(text, "FN") == "Jo O\\;Neil");
    CHECK(contentValue(text, "UID") == "id");
    CHECK(contentValue(text, "REV") == "20260203T040000Z");
    CHECK(contentValue(text, "EMAIL") == "a@b");
}

TEST_CASE("a journal entry is a VJOURNAL")
{
    const std::string text =
        unfolded(toICalendar(JournalEntry { "j", at(2026, 2, 3, 4h), at(2026, 2, 3, 8h), "S", "D" }));
    CHECK_THAT(text, Catch::Contains("BEGIN:VJOURNAL\nUID:j\n"));
    CHECK(contentValue(text, "DTSTART") == "20260203T080000Z");
}
