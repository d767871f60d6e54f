// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/mailbox_oracle.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::mail;
using Catch::Matchers::Contains;
using protocol::ImapVerb;

namespace {

/// An oracle and what a server says to it.
struct Mailbox {
    MailboxOracle oracle { "u1" };

    void says(const std::string& line)
    {
        protocol::ImapText text;
        text.text = line;
        const auto response = protocol::parseImapResponse(text.text);
        REQUIRE(response);
        oracle.data(text, *response);
    }
    void ends(ImapVerb verb, std::string_view code = {}, std::string_view arguments = {})
    {
        protocol::ImapEnd end;
        end.verb = verb;
        end.code = code;
        end.codeArguments = arguments;
        oracle.ended(end);
    }
    void selects(std::uint16_t folder, std::uint32_t messages, std::uint32_t next, std::uint32_t validity = 7)
    {
        oracle.selecting(folder);
        says("* " + std::to_string(messages) + " EXISTS");
        says("* OK [UIDVALIDITY " + std::to_string(validity) + "] it is");
        says("* OK [UIDNEXT " + std::to_string(next) + "] it is");
        ends(ImapVerb::select);
    }
    /// The first messages of a folder, from UID 11 on, 1,000 bytes each.
    void lists(std::uint32_t messages)
    {
        for (std::uint32_t i = 1; i <= messages; ++i)
            says("* " + std::to_string(i) + " FETCH (UID " + std::to_string(10 + i)
                + " FLAGS () RFC822.SIZE 1000)");
        oracle.wholeFolder();
    }
    /// An Inbox of three messages and an own folder of two.
    void begins()
    {
        selects(kFirstOwnFolder, 2, 13);
        lists(2);
        selects(kInbox, 3, 14);
        lists(3);
        REQUIRE(oracle.takeFindings().empty());
    }
    std::string finding()
    {
        const auto findings = oracle.takeFindings();
        return findings.size() == 1 ? findings.front() : std::to_string(findings.size()) + " findings";
    }
};

} // namespace

TEST_CASE("a mailbox that does as it is told gives no finding", "[oracle]")
{
    Mailbox mailbox;
    mailbox.begins();
    mailbox.oracle.reading(12);
    mailbox.says("* 2 FETCH (UID 12 FLAGS (\\Seen))");
    mailbox.oracle.settled(true);
    mailbox.oracle.copying(12, kFirstOwnFolder, true, true);
    mailbox.says("* OK [COPYUID 7 12 13] moved");
    mailbox.says("* 2 EXPUNGE");
    mailbox.oracle.settled(true);
    mailbox.says("* 3 EXISTS"); // mail
    mailbox.says("* 3 FETCH (UID 14 FLAGS (\\Recent) RFC822.SIZE 500)");
    mailbox.selects(kFirstOwnFolder, 3, 14);
    mailbox.says("* 3 FETCH (UID 13 FLAGS (\\Seen) RFC822.SIZE 1000)");
    mailbox.selects(kInbox, 3, 15);
    mailbox.says("* 2 FETCH (UID 13 FLAGS () RFC822.SIZE 1000)");
    mailbox.selects(kDeletedItems, 0, 1);
    mailbox.oracle.wholeFolder();
    mailbox.selects(kFirstOwnFolder, 3, 14);
    mailbox.oracle.emptying();
    mailbox.says("* 1 EXPUNGE");
    mailbox.says("* 1 EXPUNGE");
    mailbox.says("* 1 EXPUNGE");
    mailbox.oracle.settled(true);
    mailbox.selects(kFirstOwnFolder, 0, 14);
    CHECK(mailbox.oracle.takeFindings().empty());
    CHECK(mailbox.oracle.takeChecks() > 20);
}

TEST_CASE("what a server gets wrong is found and named", "[oracle]")
{
    Mailbox mailbox;
    mailbox.begins();
    SECTION("a message vanishes")
    {
        mailbox.says("* 2 EXPUNGE");
        CHECK_THAT(mailbox.finding(), Contains("UID 12 was expunged without a request"));
    }
    SECTION("messages vanish without a word")
    {
        mailbox.says("* 1 EXISTS");
        CHECK_THAT(mailbox.finding(), Contains("EXISTS fell from 3 to 1"));
    }
    SECTION("a folder has lost one")
    {
        mailbox.selects(kFirstOwnFolder, 1, 13);
        CHECK_THAT(mailbox.finding(), Contains("u1, Folder 001: holds 1 messages instead of 2"));
    }
    SECTION("the Inbox has lost one")
    {
        mailbox.selects(kInbox, 2, 14);
        CHECK_THAT(mailbox.finding(), Contains("holds 2 messages where 3 are known"));
    }
    SECTION("a size changes")
    {
        mailbox.says("* 1 FETCH (UID 11 RFC822.SIZE 1001)");
        CHECK_THAT(mailbox.finding(), Contains("UID 11 had 1000 bytes and has 1001"));
    }
    SECTION("a flag is lost")
    {
        mailbox.oracle.reading(11);
        mailbox.oracle.settled(true);
        mailbox.says("* 1 FETCH (UID 11 FLAGS ())");
        CHECK_THAT(mailbox.finding(), Contains("UID 11 lost its \\Seen"));
    }
    SECTION("a sequence number has another UID")
    {
        mailbox.says("* 3 FETCH (UID 15 RFC822.SIZE 1000)");
        CHECK_THAT(mailbox.finding(), Contains("message 3 was UID 13 and is UID 15"));
    }
    SECTION("a new message gets a UID below the others")
    {
        mailbox.says("* 4 EXISTS");
        mailbox.says("* 4 FETCH (UID 5 FLAGS () RFC822.SIZE 1000)");
        const auto findings = mailbox.oracle.takeFindings();
        REQUIRE(findings.size() == 2);
        CHECK_THAT(findings[0], Contains("one before it a higher one"));
        CHECK_THAT(findings[1], Contains("UID 5 appears, below the earlier UID 13"));
    }
    SECTION("UIDs are begun anew")
    {
        mailbox.selects(kInbox, 3, 14, 8);
        CHECK_THAT(mailbox.finding(), Contains("UIDVALIDITY changed from 7 to 8"));
    }
    SECTION("UIDNEXT falls")
    {
        mailbox.selects(kInbox, 3, 12);
        const auto findings = mailbox.oracle.takeFindings();
        REQUIRE(findings.size() == 2);
        CHECK_THAT(findings[0], Contains("UIDNEXT fell from 14 to 12"));
    }
    SECTION("a moved message stays")
    {
        mailbox.oracle.copying(11, kFirstOwnFolder, true, true);
        mailbox.says("* OK [COPYUID 7 11 13] moved");
        mailbox.oracle.settled(true);
        CHECK_THAT(mailbox.finding(), Contains("UID 11 should have been expunged and was not"));
    }
    SECTION("a moved message comes under a UID that there was")
    {
        mailbox.oracle.copying(11, kFirstOwnFolder, true, true);
        mailbox.says("* OK [COPYUID 7 11 12] moved");
        mailbox.says("* 1 EXPUNGE");
        mailbox.oracle.settled(true);
        CHECK_THAT(mailbox.finding(), Contains("UID 12 was assigned in Folder 001"));
    }
    SECTION("a copied message does not arrive")
    {
        mailbox.oracle.copying(11, kFirstOwnFolder, false, true);
        mailbox.ends(ImapVerb::copy, "COPYUID", "7 11 13");
        mailbox.oracle.settled(true);
        mailbox.selects(kFirstOwnFolder, 2, 14);
        CHECK_THAT(mailbox.finding(), Contains("holds 2 messages instead of 3"));
    }
    SECTION("a message is missing, another damaged at the end")
    {
        SeenMessage first, second;
        first.uid = 11;
        second.uid = 12;
        RetrievedMessage whole, damaged;
        whole.kind = RetrievedMessage::Kind::whole;
        damaged.kind = RetrievedMessage::Kind::damaged;
        const std::vector<SeenMessage> seen { first, second };
        const std::vector<RetrievedMessage> contents { whole, damaged };
        mailbox.oracle.compare(seen, contents);
        const auto findings = mailbox.oracle.takeFindings();
        REQUIRE(findings.size() == 2);
        CHECK_THAT(findings[0], Contains("UID 13 is missing at the end"));
        CHECK_THAT(findings[1], Contains("UID 12 is damaged"));
    }
}

TEST_CASE("mail of the Inbox that nobody has looked at shifts no sequence numbers", "[oracle]")
{
    Mailbox mailbox;
    mailbox.begins();
    mailbox.says("* 5 EXISTS");
    mailbox.says("* 5 FETCH (UID 16 FLAGS () RFC822.SIZE 500)"); // message 4 is not told of
    mailbox.selects(kFirstOwnFolder, 2, 13);
    mailbox.selects(kInbox, 6, 18); // and one more has come
    mailbox.says("* 5 FETCH (UID 16 FLAGS () RFC822.SIZE 500)");
    mailbox.oracle.copying(16, kFirstOwnFolder, true, true);
    mailbox.says("* OK [COPYUID 7 16 13] moved");
    mailbox.says("* 5 EXPUNGE");
    mailbox.oracle.settled(true);
    mailbox.says("* 4 FETCH (UID 15 FLAGS () RFC822.SIZE 500)"); // below UID 16, which there was before
    mailbox.says("* 5 FETCH (UID 17 FLAGS () RFC822.SIZE 500)");
    const auto none = mailbox.oracle.takeFindings();
    CAPTURE(none);
    CHECK(none.empty());
    SECTION("but a new message may not have a UID from before")
    {
        mailbox.says("* 6 EXISTS");
        mailbox.says("* 6 FETCH (UID 16 FLAGS () RFC822.SIZE 500)");
        CHECK_FALSE(mailbox.oracle.takeFindings().empty());
    }
    SECTION("and messages that were counted may not go")
    {
        mailbox.selects(kFirstOwnFolder, 3, 14);
        mailbox.selects(kInbox, 4, 18);
        CHECK_THAT(mailbox.finding(), Contains("holds 4 messages where 5 are known"));
    }
}

TEST_CASE("a search that contradicts the flags is a finding", "[oracle]")
{
    using Flags = std::vector<std::pair<std::uint32_t, bool>>;
    const Flags flags { { 4, true }, { 5, false }, { 9, false } };
    const auto found = [&](const std::vector<std::uint32_t>& uids) {
        return contradictionOf(flags, uids).value_or("none");
    };
    CHECK(found({ 5, 9 }) == "none");
    CHECK(found({ 5, 9, 12 }) == "none"); // has come meanwhile
    CHECK(found({}) == "SEARCH UNSEEN leaves out 2 of the 2 messages without \\Seen, UID 5 first");
    CHECK(found({ 5 }) == "SEARCH UNSEEN leaves out 1 of the 2 messages without \\Seen, UID 9 first");
    CHECK(found({ 4, 5, 9 }) == "SEARCH UNSEEN names 1 messages with \\Seen, UID 4 first");
    Mailbox mailbox;
    mailbox.begins();
    mailbox.oracle.searched(flags, {});
    CHECK_THAT(mailbox.finding(), Contains("u1, INBOX: SEARCH UNSEEN leaves out 2"));
}

TEST_CASE("a server without UIDPLUS, and messages that had gone before, give no finding", "[oracle]")
{
    Mailbox mailbox;
    mailbox.begins();
    mailbox.oracle.copying(99, kFirstOwnFolder, true, true); // not there any more: OK, and nothing is copied
    mailbox.oracle.settled(true);
    mailbox.selects(kFirstOwnFolder, 2, 13);
    mailbox.selects(kInbox, 3, 14);
    mailbox.oracle.copying(12, kFirstOwnFolder, true, false); // under a UID that nobody tells
    mailbox.says("* 2 EXPUNGE");
    mailbox.oracle.settled(true);
    mailbox.selects(kFirstOwnFolder, 3, 14);
    mailbox.oracle.removing(11); // by a number that has no UID yet
    mailbox.says("* 1 EXPUNGE");
    mailbox.oracle.settled(true);
    mailbox.selects(kFirstOwnFolder, 2, 14);
    mailbox.oracle.emptying();
    mailbox.says("* 1 EXPUNGE");
    mailbox.says("* 1 EXPUNGE");
    mailbox.oracle.settled(true);
    mailbox.selects(kFirstOwnFolder, 0, 14);
    const auto findings = mailbox.oracle.takeFindings();
    CAPTURE(findings);
    CHECK(findings.empty());
}

TEST_CASE("what a broken connection left open is not judged", "[oracle]")
{
    Mailbox mailbox;
    mailbox.begins();
    mailbox.oracle.copying(11, kFirstOwnFolder, true, true);
    mailbox.oracle.disconnected();
    mailbox.selects(kInbox, 2, 14);
    mailbox.selects(kFirstOwnFolder, 3, 14);
    mailbox.says("* 3 FETCH (UID 13 FLAGS () RFC822.SIZE 1000)");
    CHECK(mailbox.oracle.takeFindings().empty());
}

TEST_CASE("hostile numbers are findings, not memory", "[oracle]")
{
    Mailbox mailbox;
    mailbox.begins();
    mailbox.says("* 4294967295 EXISTS");
    mailbox.says("* 4294967295 EXPUNGE");
    mailbox.says("* 0 EXPUNGE");
    mailbox.says("* 77 FETCH (UID 1)");
    CHECK(mailbox.oracle.takeFindings().size() == 3);
    for (int i = 0; i < 1000; ++i)
        mailbox.says("* 99 EXPUNGE");
    CHECK(mailbox.oracle.takeFindings().size() == 100);
}

TEST_CASE("of 300 users the oracle follows fifteen, which ones the seed decides", "[oracle]")
{
    std::vector<std::uint32_t> first, second;
    for (std::uint32_t mailbox = 0; mailbox < 300; ++mailbox) {
        if (isFollowed(1, mailbox, 0.05))
            first.push_back(mailbox);
        if (isFollowed(2, mailbox, 0.05))
            second.push_back(mailbox);
        CHECK(isFollowed(1, mailbox, 1));
        CHECK_FALSE(isFollowed(1, mailbox, 0));
    }
    CHECK(first.size() == 15);
    CHECK(second.size() == 15);
    CHECK(first != second);
}
