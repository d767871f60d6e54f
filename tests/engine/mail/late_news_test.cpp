// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/catch.h"
#include "support/one_action.h"
#include "support/scripted_peer.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::test;

// As Dovecot does where it cannot watch its files: what came since the SELECT is told with the SEARCH, and not found by it.
TEST_CASE("mail that is announced while the client looks for mail is fetched, and not taken for lost")
{
    std::vector<std::string> lines;
    const auto answer = [&lines](const std::string& line) -> std::string {
        lines.push_back(line);
        const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
        const std::string data = has(" LIST ") ? "* LIST () \"/\" \"Deleted Items\"\r\n* LIST () \"/\" "
                                                 "\"Sent Items\"\r\n* LIST () \"/\" \"Folder 001\"\r\n"
            : has(" SELECT")                   ? "* 0 EXISTS\r\n* OK [UIDNEXT 1] next\r\n"
            : has(" SEARCH")                   ? "* SEARCH\r\n* 1 EXISTS\r\n"
            : has("HEADER")
            ? "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[HEADER.FIELDS (X-LOADSTONE-TOKEN)] {2}\r\n\r\n)\r\n"
            : has(" FETCH") ? "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[] {17}\r\nSubject: x\r\n\r\ny\r\n)\r\n"
                            : "";
        return data + line.substr(0, line.find(' ')) + " OK done\r\n";
    };
    {
        ScriptedPeer peer({ "* OK [CAPABILITY IMAP4rev1] hello\r\n", answer });
        const std::string target = fmt::format(
            "[target]\npassword = \"secret\"\n[target.imap]\nport = {}\n[target.smtp]\nport = 1\n",
            peer.port());
        const ActionEnd end =
            carryOut(plan::ActionKind::readMailbox, planOf(plan::ActionKind::readMailbox, target, true));
        INFO(end.transcript);
        CHECK(end.failure.kind == protocol::FailureKind::none);
    }
    CHECK(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("UID FETCH 1 ") != std::string::npos
            && line.find("BODY.PEEK[]") != std::string::npos;
    }));
}
