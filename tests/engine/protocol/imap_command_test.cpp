// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_command.h"
#include "support/catch.h"

#include <string>
#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

constexpr std::uint64_t kMostLiteral = 1000;

/// What a reader makes of the bytes, fed in pieces of at most `piece`; a literal gets its leave at once.
std::vector<std::string> read(std::string_view bytes, std::size_t piece)
{
    ImapCommandReader reader(kMostLiteral);
    std::vector<std::string> all;
    const auto take = [&] {
        while (const ImapCommand* command = reader.next()) {
            const char* kinds[] = { "command", "literal", "line", "malformed" };
            std::string text = kinds[static_cast<int>(command->kind)];
            if (command->kind == ImapCommand::Kind::command)
                text += " " + command->tag + "|" + command->name + "|"
                    + command->text.text.substr(command->arguments);
            if (command->kind == ImapCommand::Kind::line)
                text += " " + command->name;
            if (command->kind == ImapCommand::Kind::malformed)
                text += " " + command->tag + "|" + command->fault;
            text += " @" + std::to_string(command->end);
            const bool wantsLine = command->name == "IDLE";
            reader.answered();
            if (wantsLine)
                reader.expectLine();
            all.push_back(text);
        }
    };
    while (!bytes.empty()) {
        reader.feed(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
        take();
    }
    return all;
}

} // namespace

TEST_CASE("IMAP commands are taken apart, however their bytes come")
{
    const std::string bytes = "a1 login \"tim\" secret\r\n"
                              "a2 UID fetch 1:* (BODY.PEEK[])\r\n"
                              "a3 APPEND Sent (\\Seen) {11+}\r\nhello\r\nyou}\r\n"
                              "a4 APPEND Sent {5}\r\nhello {3+}\r\nabc\r\n"
                              "a5 noop\n"
                              "a6 IDLE\r\nDONE\r\n"
                              "a7 LOGOUT\r\n";
    const std::vector<std::string> expected { "command a1|LOGIN|\"tim\" secret @23",
        "command a2|UID FETCH|1:* (BODY.PEEK[]) @55",
        "command a3|APPEND|Sent (\\Seen) {11+}\r\nhello\r\nyou} @98", "literal @118",
        "command a4|APPEND|Sent {5}\r\nhello {3+}\r\nabc @135", "command a5|NOOP| @143",
        "command a6|IDLE| @152", "line DONE @158", "command a7|LOGOUT| @169" };
    for (const std::size_t piece :
        { std::size_t { 1 }, std::size_t { 2 }, std::size_t { 7 }, bytes.size() }) {
        INFO("in pieces of " << piece);
        CHECK(read(bytes, piece) == expected);
    }
}

TEST_CASE("what is no IMAP command is told, and the next one is read")
{
    CHECK(read("\r\na1 NOOP\r\n", 3)
        == std::vector<std::string> { "malformed *|a tag is missing @2", "command a1|NOOP| @11" });
    CHECK(read("a1\r\na2 NOOP\r\n", 100)
        == std::vector<std::string> { "malformed a1|a command is missing @4", "command a2|NOOP| @13" });
    // One that waits for leave is refused before it is sent; one that does not is stepped over.
    CHECK(read("a1 APPEND x {1001}\r\na2 NOOP\r\n", 4)
        == std::vector<std::string> { "malformed a1|the literal is too large @20", "command a2|NOOP| @29" });
    const std::string large = "a1 APPEND x {1001+}\r\n" + std::string(1001, 'x') + "\r\na2 NOOP\r\n";
    const auto told = read(large, 100);
    REQUIRE(told.size() == 3); // the end of the refused command's line is one without a tag
    CHECK(told[0] == "malformed a1|the literal is too large @21");
    CHECK(told[2].starts_with("command a2|NOOP|"));
    const auto flood = read(std::string(70'000, 'x') + "\r\na3 NOOP\r\n", 5000);
    REQUIRE(flood.size() >= 2);
    CHECK(flood[0].starts_with("malformed *|the line is too long"));
    CHECK(flood.back().starts_with("command a3|NOOP|"));
}
