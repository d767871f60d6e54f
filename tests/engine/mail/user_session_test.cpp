// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/user_session.h"
#include "mail/message/message_check.h"
#include "mail/message/number_set.h"
#include "support/catch.h"

#include <numeric>

using namespace loadstone;
using namespace loadstone::mail;

namespace {

void tell(UserSession& session, const std::string& line)
{
    const protocol::ImapText text { line, {} };
    const auto response = protocol::parseImapResponse(text.text);
    REQUIRE(response);
    session.data(text, *response);
}

bool has(const UserSession& session, std::uint16_t folder)
{
    return std::find(session.folders.begin(), session.folders.end(), folder) != session.folders.end();
}

} // namespace

TEST_CASE("folders that the server marks for sent and deleted mail are taken for these")
{
    UserSession session("u1");
    for (const char* line : { "* LIST (\\HasNoChildren) \"/\" INBOX", "* LIST (\\Trash) \"/\" \"Bin\"",
             "* LIST (\\sent \\HasNoChildren) \"/\" \"Out box\"", "* LIST () \"/\" \"Folder 002\"",
             "* LIST (\\Noselect) \"/\" \"Folder 001\"" })
        tell(session, line);
    CHECK(session.nameOf(kInbox) == "INBOX");
    CHECK(session.nameOf(kDeletedItems) == "Bin");
    CHECK(session.nameOf(kSentItems) == "Out box");
    CHECK(has(session, kDeletedItems));
    CHECK(has(session, kSentItems));
    CHECK(has(session, kFirstOwnFolder + 1));
    CHECK_FALSE(has(session, kFirstOwnFolder)); // it can hold no messages
    tell(session, "* LIST () \"/\" \"Deleted Items\""); // such as initialisation makes and fills
    CHECK(session.nameOf(kDeletedItems) == "Deleted Items");
    CHECK(session.nameOf(kSentItems) == "Out box");
}

TEST_CASE("where nothing is marked, folders have their fixed names in the user's namespace")
{
    UserSession session("u1");
    tell(session, "* NAMESPACE ((\"INBOX.\" \".\")) NIL NIL");
    for (const char* line : { "* LIST () \".\" \"INBOX.Deleted Items\"", "* LIST () \".\" \"Sent Items\"",
             "* LIST () \".\" \"INBOX.Folder 001\"" })
        tell(session, line);
    CHECK(session.nameOf(kInbox) == "INBOX");
    CHECK(session.nameOf(kDeletedItems) == "INBOX.Deleted Items");
    CHECK(session.nameOf(kFirstOwnFolder) == "INBOX.Folder 001");
    CHECK(has(session, kDeletedItems));
    CHECK(has(session, kFirstOwnFolder));
    CHECK_FALSE(has(session, kSentItems)); // not the user's
}

TEST_CASE("a new UIDVALIDITY of the Inbox makes the session forget what it knew, another folder's does not")
{
    UserSession session("u1");
    session.selected = kInbox;
    session.selecting = true;
    tell(session, "* OK [UIDVALIDITY 5] valid");
    session.inboxNext = 8;
    session.inboxChanges = 70;
    session.unread = { 6, 7 };
    tell(session, "* OK [UIDVALIDITY 5] valid");
    CHECK(session.inboxNext == 8);
    session.selected = kSentItems;
    tell(session, "* OK [UIDVALIDITY 9] valid");
    CHECK(session.unread.size() == 2);
    session.selected = kInbox;
    tell(session, "* OK [UIDVALIDITY 6] valid");
    CHECK(session.inboxNext == 0);
    CHECK(session.inboxChanges == 0);
    CHECK(session.unread.empty());
    CHECK(session.againBelow > 0); // what lies there may have been retrieved before
}

TEST_CASE("another UIDVALIDITY in the middle of other commands makes the session select anew, and pulls "
          "nothing from under them")
{
    UserSession session("u1");
    session.selected = kInbox;
    session.selecting = true;
    tell(session, "* OK [UIDVALIDITY 5] valid");
    session.selecting = false;
    session.inboxNext = 8;
    session.unread = { 6, 7 };
    tell(session, "* OK [UIDVALIDITY 5] valid");
    CHECK_FALSE(session.unsure);
    tell(session, "* OK [UIDVALIDITY 6] valid");
    CHECK(session.unsure);
    CHECK(session.unread.size() == 2);
    CHECK(session.inboxNext == 8);
}

TEST_CASE("a message counts as retrieved once its answer has come to an end")
{
    const std::string fetch = "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[] {17}";
    UserSession session("u1");
    MessageCheck check(7);
    session.check = &check;
    session.body(fetch, "Subject: x\r\n\r\ny\r\n", true, true);
    CHECK(check.count() == 0);
    tell(session, "* 1 FETCH (UID 1 RFC822.SIZE 17)");
    CHECK(check.count() == 1);
    session.body(fetch, "Subject: x\r\n\r\ny\r\n", true, true); // the connection is lost
    session.forget();
    session.check = &check;
    tell(session, "* 1 FETCH (UID 1 RFC822.SIZE 17)");
    CHECK(check.count() == 1);
}

TEST_CASE("a message that nobody asked for may end when nobody takes messages any more")
{
    const std::string fetch = "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[] {17}";
    UserSession session("u1");
    {
        MessageCheck check(7);
        session.check = &check;
        session.body(fetch, "Subj", true, false); // behind the end of the command
        session.check = nullptr;
    }
    session.body(fetch, "ect: x\r\n\r\ny\r\n", false, true);
    tell(session, "* 1 FETCH (UID 1 RFC822.SIZE 17)");
    CHECK(session.seen.size() == 1);
}

TEST_CASE("a message that comes twice in one answer is one copy, and a finding of the oracle's")
{
    const std::string fetch = "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[] {17}";
    UserSession session("u1");
    session.oracle = std::make_unique<MailboxOracle>("u1");
    session.oracle->selecting(kInbox);
    tell(session, "* 1 EXISTS");
    MessageCheck check(7);
    for (unsigned command = 1; command <= 2; ++command) { // whom a command names again, it gives again
        session.forget();
        session.check = &check;
        CHECK(session.oracle->takeFindings().empty());
        for (unsigned times = 0; times < 2; ++times) {
            session.body(fetch, "Subject: x\r\n\r\ny\r\n", true, true);
            tell(session, "* 1 FETCH (UID 1 RFC822.SIZE 17)");
        }
        CHECK(check.count() == command);
        CHECK(session.seen.size() == 1);
        const std::vector<std::string> findings = session.oracle->takeFindings();
        REQUIRE(findings.size() == 1);
        CHECK(findings[0] == "u1, INBOX: the server gave UID 1 twice in one answer");
    }
}

TEST_CASE("a message that comes twice within one line is one copy, and so is one whose answer comes in two parts")
{
    const std::string fetch = "* 1 FETCH (UID 1 RFC822.SIZE 17 BODY[] {17}";
    UserSession session("u1");
    MessageCheck check(7);
    session.check = &check;
    session.body(fetch, "Subject: x\r\n\r\ny\r\n", true, true);
    session.body(fetch + " BODY[] {17}", "Subject: x\r\n\r\ny\r\n", true, true);
    tell(session, "* 1 FETCH (UID 1 RFC822.SIZE 17)");
    CHECK(check.count() == 1);
    CHECK(session.seen.size() == 1);
    tell(session, "* 2 FETCH (UID 2 RFC822.SIZE 17)");
    session.body("* 2 FETCH (UID 2 BODY[] {17}", "Subject: x\r\n\r\ny\r\n", true, true);
    tell(session, "* 2 FETCH (UID 2)");
    CHECK(check.count() == 2);
    CHECK(session.seen.size() == 2);
}

TEST_CASE("searches are understood in both forms")
{
    UserSession session("u1");
    tell(session, "* SEARCH 2 84 882");
    CHECK(session.numbers == std::vector<std::uint32_t> { 2, 84, 882 });
    tell(session, "* SEARCH 3 5 (MODSEQ 917162500)"); // RFC 7162, 3.1.5
    CHECK(session.numbers == std::vector<std::uint32_t> { 3, 5 });
    tell(session, "* ESEARCH (TAG \"a9\") UID ALL 7:9,12");
    CHECK(session.numbers == std::vector<std::uint32_t> { 7, 8, 9, 12 });
    tell(session, "* ESEARCH (TAG \"a10\") UID"); // nothing was found
    CHECK(session.numbers.empty());
    tell(session, "* ESEARCH ALL 1:4294967295"); // of no use, and no harm
    CHECK(session.numbers.empty());
}

TEST_CASE("messages are named in sets of a length that servers take, all of them and each once")
{
    using Sets = std::vector<std::string>;
    using Numbers = std::vector<std::uint32_t>;
    CHECK(numberSets(Numbers {}).empty());
    CHECK(numberSets(Numbers { 2, 5, 6, 7, 10 }) == Sets { "2,5:7,10" });
    CHECK(numberSets(Numbers { 2, 5, 6, 7, 10, 12 }, 2) == Sets { "2,5", "6:7", "10,12" });
    Numbers run(2500);
    std::iota(run.begin(), run.end(), 1U);
    CHECK(numberSets(run) == Sets { "1:2500" });
    CHECK(numberSets(run, 1000) == Sets { "1:1000", "1001:2000", "2001:2500" });
    Numbers pairs;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        pairs.push_back(4'000'000'000 + 3 * i);
        pairs.push_back(4'000'000'001 + 3 * i);
    }
    Numbers named;
    for (const std::string& set : numberSets(pairs)) {
        CHECK(set.size() <= kMostSetOctets);
        const auto numbers = protocol::parseImapNumbers(set, pairs.size());
        REQUIRE(numbers);
        named.insert(named.end(), numbers->begin(), numbers->end());
    }
    CHECK(named == pairs);
}
