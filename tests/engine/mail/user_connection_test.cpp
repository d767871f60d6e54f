// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A user's IMAP session against a server that says what its test wants: new UIDVALIDITYs, ends of idle connections, thousands
// of scattered messages.
#include "protocol/imap/imap_response.h"
#include "support/catch.h"
#include "support/one_action.h"
#include "support/scripted_peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

using namespace loadstone;
using namespace loadstone::test;
using mail::Appointment;
using plan::ActionKind;
using protocol::FailureKind;

namespace {

/// Folders with the same messages in each, under one UIDVALIDITY.
class Server {
public:
    explicit Server(std::vector<std::uint32_t> uids = { 1, 2, 3 })
        : m_uids(std::move(uids))
    {
    }

    ScriptedPeer::Script script(unsigned connections = 1)
    {
        ScriptedPeer::Script script;
        script.greeting = "* OK [CAPABILITY IMAP4rev1] hello\r\n";
        script.answer = [this](const std::string& line) { return answer(line); };
        script.connections = connections;
        return script;
    }
    void renumber(std::uint32_t validity)
    {
        const std::lock_guard lock(m_mutex);
        m_validity = validity;
    }
    /// What the next DONE gets for an answer; a tag is put in place of "TAG".
    void answerToDone(const std::string& text)
    {
        const std::lock_guard lock(m_mutex);
        m_toDone = text;
    }
    /// Falls silent in the next answer with messages, behind the last octet of one and before the end of its line.
    void stopBehindBody()
    {
        const std::lock_guard lock(m_mutex);
        m_stopsBehindBody = true;
    }
    /// Gives each message twice in one answer.
    void tellTwice()
    {
        const std::lock_guard lock(m_mutex);
        m_tellsTwice = true;
    }
    /// Says of its folders that they are empty, though they are not.
    void countWrongly()
    {
        const std::lock_guard lock(m_mutex);
        m_countsWrongly = true;
    }
    /// What it was told since the last call.
    std::vector<std::string> takeLines()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_lines, {});
    }

private:
    std::string answer(const std::string& line)
    {
        const std::lock_guard lock(m_mutex);
        m_lines.push_back(line);
        const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
        if (line == "DONE") {
            std::string text = std::exchange(m_toDone, "TAG OK done\r\n");
            if (const std::size_t at = text.find("TAG"); at != std::string::npos)
                text.replace(at, 3, m_tag);
            return text;
        }
        m_tag = line.substr(0, line.find(' '));
        if (has(" IDLE"))
            return "+ idling\r\n";
        std::string data;
        if (has(" LIST "))
            for (const char* folder : { "Deleted Items", "Sent Items", "Folder 001" })
                data += fmt::format("* LIST () \"/\" \"{}\"\r\n", folder);
        else if (has(" SELECT"))
            data = fmt::format("* {} EXISTS\r\n* OK [UIDVALIDITY {}] it is\r\n* OK [UIDNEXT {}] next\r\n",
                m_countsWrongly ? 0 : m_uids.size(), m_validity, m_uids.back() + 1);
        else if (has(" SEARCH")) {
            data = "* SEARCH";
            for (const std::uint32_t uid : m_uids)
                data += " " + std::to_string(uid);
            data += "\r\n";
        } else if (has("UID FETCH ")) {
            const std::string set = line.substr(line.find("FETCH ") + 6);
            const auto numbers = protocol::parseImapNumbers(set.substr(0, set.find(' ')), 100'000);
            for (std::size_t i = 0; numbers && i < m_uids.size(); ++i)
                for (unsigned times = 0; times < (m_tellsTwice ? 2U : 1U)
                     && std::binary_search(numbers->begin(), numbers->end(), m_uids[i]);
                     ++times)
                    data += fmt::format(
                        "* {} FETCH (UID {} RFC822.SIZE 17 {} {{17}}\r\nSubject: x\r\n\r\ny\r\n)\r\n", i + 1,
                        m_uids[i], has("HEADER") ? "BODY[HEADER.FIELDS (X)]" : "BODY[]");
            if (has("BODY.PEEK[]") && std::exchange(m_stopsBehindBody, false))
                return data.substr(0, data.rfind(")\r\n"));
        }
        return data + m_tag + " OK [CAPABILITY IMAP4rev1 UIDPLUS MOVE IDLE] done\r\n";
    }

    std::mutex m_mutex; // the peer's thread answers
    std::vector<std::uint32_t> m_uids;
    std::uint32_t m_validity = 5;
    std::string m_tag, m_toDone = "TAG OK done\r\n";
    std::vector<std::string> m_lines;
    bool m_stopsBehindBody = false, m_countsWrongly = false, m_tellsTwice = false;
};

std::string planFor(const ScriptedPeer& peer, bool idle = false, const char* timeout = "10 s")
{
    return planOf(ActionKind::logon,
        fmt::format("[target]\npassword = \"secret\"\ncommand_timeout = \"{}\"\n[target.imap]\nport = {}\n"
                    "auth = \"login\"\nidle = {}\n[target.smtp]\nport = 1\n",
            timeout, peer.port(), idle),
        true);
}

Appointment about(ActionKind kind, const mail::SeenMessage& message)
{
    Appointment action;
    action.kind = kind;
    action.of = mail::FollowingAction { .message = message, .folder = mail::kFirstOwnFolder };
    return action;
}

std::size_t countOf(const std::vector<std::string>& lines, const char* text)
{
    return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(),
        [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

constexpr ActionKind kOnMessages[] { ActionKind::readMessage, ActionKind::loadAttachment,
    ActionKind::moveMessage, ActionKind::copyMessage, ActionKind::deleteMessage, ActionKind::reply,
    ActionKind::replyAll, ActionKind::forward };

} // namespace

TEST_CASE("what was to be done with a message is dropped once its UID may name another one, within a session")
{
    Server server;
    ScriptedPeer peer(server.script());
    ActionStage stage(planFor(peer));
    const ActionEnd looked = stage.play(ActionKind::checkInbox);
    CAPTURE(looked.where, looked.failure.text, looked.transcript);
    REQUIRE(looked.found.size() == 3);
    CHECK(looked.found[0].validity == 5);
    server.renumber(6);
    REQUIRE_FALSE(stage.play(ActionKind::emptyDeletedItems).failure); // another folder is opened
    server.takeLines();
    unsigned notes = 0;
    for (const ActionKind kind : kOnMessages) {
        const ActionEnd end = stage.play(about(kind, looked.found[0]));
        CAPTURE(toString(kind), end.failure.text);
        if (kind == ActionKind::readMessage) {
            REQUIRE(end.renumbered.size() == 1);
            CHECK(end.renumbered[0].folder == mail::kInbox);
            CHECK(end.renumbered[0].validity == 6);
            REQUIRE(end.notes.size() == 1);
            CHECK_THAT(end.notes[0], Catch::Contains("u0: UIDVALIDITY of INBOX is 6 now"));
        }
        CHECK(end.dropped);
        CHECK_FALSE(end.failure);
        CHECK(end.errors == 0);
        notes += static_cast<unsigned>(end.notes.size());
    }
    const std::vector<std::string> lines = server.takeLines();
    CHECK(countOf(lines, "SELECT \"INBOX\"") == 1);
    CHECK(countOf(lines, " UID ") == 0);

    const ActionEnd again = stage.play(ActionKind::checkInbox);
    REQUIRE(again.found.size() == 3);
    CHECK(again.found[0].validity == 6);
    server.takeLines();
    const ActionEnd deleted = stage.play(about(ActionKind::deleteMessage, again.found[0]));
    CHECK_FALSE(deleted.dropped);
    CHECK_FALSE(deleted.failure);
    CHECK(countOf(server.takeLines(), "UID MOVE 1 ") == 1);

    server.renumber(7); // the event log has it of this user
    stage.play(ActionKind::emptyDeletedItems);
    const ActionEnd third = stage.play(about(ActionKind::deleteMessage, again.found[1]));
    CHECK(third.dropped);
    CHECK(third.renumbered.size() == 1);
    CHECK(notes + third.notes.size() == 1);
}

TEST_CASE("what was to be done with a message is dropped once its UID may name another one, from session to "
          "session")
{
    for (const ActionKind kind : kOnMessages) {
        Server server;
        ScriptedPeer peer(server.script(2));
        ActionStage stage(planFor(peer));
        const ActionEnd looked = stage.play(ActionKind::checkInbox);
        REQUIRE(looked.found.size() == 3);
        stage.play(ActionKind::logoff);
        server.renumber(6);
        server.takeLines();
        const ActionEnd end = stage.play(about(kind, looked.found[0]));
        CAPTURE(toString(kind), end.failure.text);
        CHECK(end.dropped);
        CHECK_FALSE(end.failure);
        CHECK(end.notes.size() == 1);
        const std::vector<std::string> lines = server.takeLines();
        CHECK(countOf(lines, "LOGIN") == 1);
        CHECK(countOf(lines, " UID ") == 0);
    }
}

TEST_CASE("thousands of scattered messages are listed in lines that servers take")
{
    std::vector<std::uint32_t> uids;
    for (std::uint32_t i = 0; i < 3000; ++i)
        uids.push_back(1'000'000 + 3 * i + i % 2);
    Server server(uids);
    ScriptedPeer peer(server.script());
    ActionStage stage(planFor(peer));
    const ActionEnd looked = stage.play(ActionKind::checkInbox);
    CAPTURE(looked.where, looked.failure.text);
    REQUIRE_FALSE(looked.failure);
    std::vector<std::uint32_t> found;
    for (const mail::SeenMessage& message : looked.found)
        found.push_back(message.uid);
    CHECK(found == uids);
    for (const std::string& line : server.takeLines())
        CHECK(line.size() < 8000);
}

TEST_CASE("a message whose answer broke off behind its last octet is retrieved once, by the next look")
{
    Server server;
    ScriptedPeer peer(server.script(2));
    ActionStage stage(planFor(peer, false, "250 ms"));
    server.stopBehindBody();
    const ActionEnd broken = stage.play(ActionKind::readMailbox);
    CHECK(broken.failure.kind == FailureKind::timeout);
    CHECK(broken.retrieved == 2);
    const ActionEnd again = stage.play(ActionKind::readMailbox);
    CAPTURE(again.where, again.failure.text);
    CHECK_FALSE(again.failure);
    CHECK(again.retrieved == 1);
}

TEST_CASE("what is missing is looked for in a mailbox that the server calls empty, too")
{
    Server server;
    server.countWrongly();
    ScriptedPeer peer(server.script());
    ActionStage stage(planFor(peer));
    mail::OwedCopies owed;
    owed.of[0].push_back({ 1, Nanoseconds(0) });
    stage.owe(owed);
    const ActionEnd end = stage.play(ActionKind::readMailbox);
    CAPTURE(end.where, end.failure.text);
    CHECK_FALSE(end.failure);
    CHECK(countOf(server.takeLines(), "UID FETCH 1:4294967295 (UID FLAGS") == 1);
}

TEST_CASE("a message that a server gives twice in one answer is retrieved once")
{
    Server server;
    ScriptedPeer peer(server.script());
    ActionStage stage(planFor(peer));
    server.tellTwice();
    const ActionEnd end = stage.play(ActionKind::readMailbox);
    CAPTURE(end.where, end.failure.text);
    CHECK_FALSE(end.failure);
    CHECK(end.retrieved == 3);
}

TEST_CASE("a session that the server ended while it was idle is no failure: the user logs on again")
{
    const std::string answer = GENERATE(as<std::string>(), "* BYE idle for too long\r\n", "");
    Server server;
    ScriptedPeer::Script script = server.script(2);
    bool first = true;
    if (answer.empty()) // it goes without a word
        script.leaves = [&first](const std::string& line) {
            return line == "DONE" && std::exchange(first, false);
        };
    ScriptedPeer peer(script);
    ActionStage stage(planFor(peer, true));
    REQUIRE_FALSE(stage.play(ActionKind::logon).failure);
    if (!answer.empty())
        server.answerToDone(answer);
    const ActionEnd looked = stage.play(ActionKind::checkInbox);
    CAPTURE(looked.where, looked.failure.text, looked.transcript);
    CHECK_FALSE(looked.failure);
    CHECK(looked.errors == 0);
    CHECK(looked.found.size() == 3);
    CHECK(countOf(server.takeLines(), "LOGIN") == 2);
}

TEST_CASE(
    "a user whose idle session has ended does not log on to log off, and other answers to DONE are failures")
{
    Server server;
    ScriptedPeer peer(server.script());
    ActionStage stage(planFor(peer, true));
    REQUIRE_FALSE(stage.play(ActionKind::logon).failure);
    server.answerToDone("TAG BAD what is this\r\n");
    const ActionEnd refused = stage.play(ActionKind::checkInbox);
    CHECK(refused.failure.kind == FailureKind::noReply);
    CHECK(refused.where == "IMAP IDLE");
    CHECK(refused.errors == 1);
    server.answerToDone("* BYE idle for too long\r\n");
    const ActionEnd off = stage.play(ActionKind::logoff);
    CHECK_FALSE(off.failure);
    CHECK(off.errors == 0);
    CHECK(countOf(server.takeLines(), "LOGIN") == 1);
}
