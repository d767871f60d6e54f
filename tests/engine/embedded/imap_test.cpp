// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/embedded/imap_dialogue.h"

#include <chrono>
#include <string>
#include <vector>

using namespace loadstone::test;
using Catch::Matchers::Contains;

TEST_CASE("a user's IMAP session reads, moves and deletes what has come")
{
    const TargetProcess target({ "--password", "secret" });
    submit(target, "tim", "one");
    submit(target, "tim", "two");
    Imap imap(target);
    CHECK(has(imap.ask("CREATE \"Folder 001\""), " OK "));
    CHECK_THAT(imap.ask("CREATE \"Folder 001\"").back(), Contains("NO [ALREADYEXISTS]"));
    const Lines list = imap.ask("LIST \"\" \"*\"");
    CHECK(has(list, "NIL \"INBOX\""));
    CHECK(has(list, "NIL \"Folder 001\""));
    const Lines selected = imap.ask("SELECT INBOX");
    CHECK(has(selected, "* 2 EXISTS"));
    CHECK(has(selected, "[UIDNEXT 3]"));
    CHECK_THAT(imap.ask("UID SEARCH UNSEEN").front(), Contains("* SEARCH 1 2"));

    const Lines header = imap.ask("UID FETCH 1:* (RFC822.SIZE BODY.PEEK[HEADER.FIELDS (Subject)])");
    CHECK(has(header, "BODY[HEADER.FIELDS (Subject)] {16}"));
    CHECK(has(header, "Subject: one"));
    CHECK(has(header, "UID 2)"));
    CHECK_FALSE(has(header, "X-Other"));
    const Lines whole = imap.ask("UID FETCH 2 (BODY[])");
    CHECK(has(whole, "body of two"));
    CHECK(has(whole, "FLAGS (\\Seen)")); // it was read
    CHECK(imap.ask("UID SEARCH UNSEEN").front() == "* SEARCH 1");
    CHECK(has(imap.ask("FETCH 1 (BODY[TEXT]<5.6>)"), "of one"));

    const Lines moved = imap.ask("UID MOVE 2 \"Folder 001\"");
    CHECK(has(moved, "* OK [COPYUID 1 2 3]"));
    CHECK(has(moved, "* 2 EXPUNGE"));
    CHECK(has(imap.ask("STORE 1 +FLAGS (\\Deleted)"), "* 1 FETCH (FLAGS (\\Seen \\Deleted))"));
    CHECK(has(imap.ask("EXPUNGE"), "* 1 EXPUNGE"));
    CHECK(has(imap.ask("SELECT \"Folder 001\""), "* 1 EXISTS"));
    CHECK(has(imap.ask("FETCH 1 (UID FLAGS)"), "* 1 FETCH (UID 3 FLAGS (\\Seen))"));
    CHECK(has(imap.ask("STATUS INBOX (MESSAGES UNSEEN)"), "* STATUS \"INBOX\" (MESSAGES 0 UNSEEN 0)"));
    CHECK(has(imap.ask("LOGOUT"), "* BYE"));
    CHECK(imap.client().line().empty());
}

TEST_CASE("messages are appended with literals, with and without asking for leave")
{
    const TargetProcess target({ "--password", "secret", "--max-message", "10 KB" });
    Imap imap(target);
    imap.ask("CREATE Sent");
    CHECK_THAT(imap.ask("APPEND Sent (\\Seen) {5+}\r\nhello").back(), Contains("OK [APPENDUID 1 1]"));
    imap.client().send("y1 APPEND Sent {3}\r\n");
    CHECK_THAT(imap.client().line(), Contains("+ "));
    imap.client().send("abc\r\n");
    CHECK_THAT(imap.rest("y1").back(), Contains("OK [APPENDUID 1 2]"));
    CHECK_THAT(imap.ask("APPEND None {5+}\r\nhello").back(), Contains("NO [TRYCREATE]"));
    CHECK_THAT(imap.ask("APPEND Sent {20000}").back(), Contains("BAD the literal is too large"));
    CHECK(has(imap.ask("SELECT Sent"), "* 2 EXISTS"));
    CHECK(has(imap.ask("FETCH 1:2 (FLAGS BODY.PEEK[])"), "* 1 FETCH (FLAGS (\\Seen) BODY[] {5}"));
}

TEST_CASE("what other sessions do is told at the end of a command, and renumbers nothing within one")
{
    const TargetProcess target({ "--password", "secret" });
    for (const char* subject : { "one", "two", "three" })
        submit(target, "tim", subject);
    Imap first(target), second(target);
    first.ask("SELECT INBOX");
    second.ask("SELECT INBOX");
    second.ask("STORE 2 +FLAGS.SILENT (\\Deleted)");
    CHECK(has(second.ask("EXPUNGE"), "* 2 EXPUNGE"));
    CHECK_FALSE(has(first.ask("FETCH 1:3 (UID)"), "EXPUNGE")); // two is gone, and not yet told
    const Lines news = first.ask("NOOP");
    CHECK(has(news, "* 2 EXPUNGE"));
    submit(target, "tim", "four");
    CHECK(has(first.ask("NOOP"), "* 3 EXISTS"));

    first.client().send("i1 IDLE\r\n");
    CHECK_THAT(first.client().line(), Contains("+ "));
    submit(target, "tim", "five");
    CHECK(first.client().line() == "* 4 EXISTS"); // at once, while it idles
    second.ask("STORE 1 +FLAGS.SILENT (\\Seen)");
    CHECK_THAT(first.client().line(), Contains("* 1 FETCH (UID 1 FLAGS (\\Seen)"));
    second.ask("STORE 1 +FLAGS.SILENT (\\Deleted)");
    CHECK_THAT(first.client().line(), Contains("\\Deleted"));
    second.ask("UID EXPUNGE 1");
    CHECK(first.client().line() == "* 1 EXPUNGE");
    first.client().send("DONE\r\n");
    CHECK(first.rest("i1").size() == 1);
}

TEST_CASE("a delayed copy gets a later UID than what was shown before it")
{
    const TargetProcess target({ "--password", "secret", "--fault", "delay:0.5:300 ms", "--seed", "3" });
    for (int i = 0; i < 20; ++i)
        submit(target, "tim", std::to_string(i));
    Imap imap(target);
    const Lines selected = imap.ask("SELECT INBOX");
    std::size_t count = 0;
    std::uint64_t last = 0;
    // Each look asks only for what is above the last UID that was seen; none may be missed.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (count < 20 && std::chrono::steady_clock::now() < end) {
        imap.ask("NOOP");
        for (const std::string& line : imap.ask("UID FETCH " + std::to_string(last + 1) + ":* (UID)"))
            if (const auto at = line.find("(UID "); at != std::string::npos) {
                const std::uint64_t uid = std::stoull(line.substr(at + 5));
                count += uid > last ? 1 : 0;
                last = std::max(last, uid);
            }
    }
    CHECK(count == 20);
}

TEST_CASE("who is not logged in, or says nonsense, is refused and not dropped")
{
    const TargetProcess target({ "--password", "secret" });
    Imap imap(target, "");
    CHECK_THAT(imap.ask("SELECT INBOX").back(), Contains("BAD log in first"));
    CHECK_THAT(imap.ask("LOGIN tim wrong").back(), Contains("NO [AUTHENTICATIONFAILED]"));
    CHECK_THAT(imap.ask("AUTHENTICATE PLAIN AHRpbQBzZWNyZXQ=").back(), Contains(" OK [CAPABILITY"));
    for (const char* command :
        { "FETCH 1 (UID)", "DANCE", "SELECT", "LIST \"\"", "APPEND INBOX", "UID", "STATUS INBOX" })
        CHECK_THAT(imap.ask(command).back(), Contains(" BAD "));
    CHECK_THAT(imap.ask("SELECT nowhere").back(), Contains("NO [NONEXISTENT]"));
    imap.ask("SELECT INBOX");
    for (const char* command : { "FETCH 0 (UID)", "FETCH x (UID)", "FETCH 1 (ENVELOPE)", "STORE 1 FLAGS",
             "UID COPY 1", "SEARCH FROM x", "UID EXPUNGE a" })
        CHECK_THAT(imap.ask(command).back(), Contains(" BAD "));
    CHECK_THAT(imap.ask("FETCH 5 (UID)").back(), Contains(" OK ")); // there is none: nothing is told
    for (const char* command :
        { "FETCH 1:* (FLAGS)", "STORE * +FLAGS (\\Seen)", "COPY *:1 INBOX", "UID FETCH 1:* (FLAGS)" })
        CHECK_THAT(imap.ask(command).back(), Contains(" OK ")); // of an empty folder
    CHECK_THAT(imap.ask("NOOP").back(), Contains(" OK "));
}

TEST_CASE("large messages are appended, and a refused one is stepped over")
{
    const TargetProcess target({ "--password", "secret", "--max-message", "2 MB" });
    Imap imap(target);
    const std::string large(1'500'000, 'x');
    for (int i = 0; i < 3; ++i)
        CHECK_THAT(imap.ask("APPEND INBOX {1500000+}\r\n" + large).back(), Contains("OK [APPENDUID"));
    imap.client().send("y1 APPEND INBOX {3000000+}\r\n" + large + large + "\r\n");
    CHECK_THAT(imap.rest("y1").back(), Contains("BAD the literal is too large"));
    CHECK(has(imap.ask("SELECT INBOX"), "* 3 EXISTS"));
}

TEST_CASE("flags that one session sets are those of the message, for all sessions")
{
    const TargetProcess target({ "--password", "secret" });
    submit(target, "tim", "one");
    Imap first(target), second(target);
    first.ask("SELECT INBOX");
    second.ask("SELECT INBOX");
    first.ask("STORE 1 +FLAGS (\\Seen)");
    const Lines changed = second.ask("STORE 1 +FLAGS (\\Deleted)");
    CHECK(has(changed, "FLAGS (\\Seen)")); // told first
    CHECK(has(changed, "FLAGS (\\Seen \\Deleted)"));
    CHECK(first.ask("SEARCH DELETED").back().find(" OK ") != std::string::npos);
    CHECK(has(first.ask("EXPUNGE"), "* 1 EXPUNGE"));
}

TEST_CASE("folders are listed by patterns, however odd")
{
    const TargetProcess target({ "--password", "secret" });
    Imap imap(target);
    imap.ask("CREATE " + std::string(150, 'a'));
    imap.ask("CREATE Work");
    CHECK(has(imap.ask("LIST \"\" \"\""), "* LIST (\\Noselect) NIL \"\""));
    CHECK(has(imap.ask("LSUB \"\" \"W%k\""), "* LSUB (\\HasNoChildren) NIL \"Work\""));
    CHECK(has(imap.ask("LIST Wo rk"), "\"Work\""));
    CHECK_FALSE(has(imap.ask("LIST \"\" \"*a%a*a%a*a%a*a%a*ab\""), "* LIST"));
    CHECK(has(imap.ask("LIST \"\" *"), "\"INBOX\""));
}

TEST_CASE("IMAP is protected by STARTTLS where the target has it")
{
    const TargetProcess target({ "--password", "secret", "--tls" });
    Imap imap(target, "");
    CHECK_THAT(imap.ask("STARTTLS").back(), Contains(" OK "));
    imap.client().beginTls();
    CHECK_FALSE(has(imap.ask("CAPABILITY"), "STARTTLS"));
    CHECK_THAT(imap.ask("LOGIN tim secret").back(), Contains(" OK "));
}

TEST_CASE("mail that is on its way is told to who idles once it is there")
{
    const TargetProcess target({ "--password", "secret", "--delivery-delay", "200 ms" });
    Imap imap(target);
    imap.ask("SELECT INBOX");
    imap.client().send("i1 IDLE\r\n");
    CHECK_THAT(imap.client().line(), Contains("+ "));
    submit(target, "tim", "one");
    submit(target, "tim", "two");
    std::string news = imap.client().line();
    if (news == "* 1 EXISTS") // both may be told at once
        news = imap.client().line();
    CHECK(news == "* 2 EXISTS");
    imap.client().send("DONE\r\n");
    CHECK_THAT(imap.rest("i1").back(), Contains("i1 OK"));
}

TEST_CASE("an extended search is answered with its tag")
{
    const TargetProcess target({ "--password", "secret" });
    for (const char* subject : { "one", "two", "three", "four" })
        submit(target, "tim", subject);
    Imap imap(target);
    imap.ask("SELECT INBOX");
    imap.ask("STORE 3 +FLAGS (\\Seen)");
    const auto answer = [&](const std::string& command) {
        const std::string line = imap.ask(command).front();
        const std::string begin = "* ESEARCH (TAG \"" + imap.lastTag() + "\")";
        CHECK(line.starts_with(begin));
        return line.substr(std::min(begin.size(), line.size()));
    };
    CHECK(answer("UID SEARCH RETURN (ALL COUNT) UNSEEN") == " UID ALL 1:2,4 COUNT 3");
    CHECK(answer("SEARCH RETURN () DELETED").empty());
    CHECK(answer("SEARCH RETURN (MIN MAX) ALL") == " MIN 1 MAX 4");
    CHECK_THAT(imap.ask("SEARCH RETURN (ALL").back(), Contains("BAD"));
}

TEST_CASE("changes are numbered, and asked for by the number from which on they are not known")
{
    const TargetProcess target({ "--password", "secret" });
    for (const char* subject : { "one", "two", "three" })
        submit(target, "tim", subject);
    Imap imap(target), other(target);
    CHECK(has(imap.ask("ENABLE CONDSTORE QRESYNC"), "* ENABLED CONDSTORE"));
    const Lines selected = imap.ask("SELECT INBOX (CONDSTORE)");
    std::string known;
    for (const std::string& line : selected)
        if (const auto at = line.find("[HIGHESTMODSEQ "); at != std::string::npos)
            known = line.substr(at + 15, line.find(']') - at - 15);
    REQUIRE_FALSE(known.empty());
    CHECK(imap.ask("UID FETCH 1:* (FLAGS) (CHANGEDSINCE " + known + ")").size() == 1); // nothing since
    other.ask("SELECT INBOX");
    const Lines silent = other.ask("UID STORE 2 +FLAGS.SILENT (\\Flagged)");
    CHECK(silent.size() == 1); // this session has not asked for MODSEQ
    imap.ask("NOOP");
    const Lines changed = imap.ask("UID FETCH 1:* (FLAGS) (CHANGEDSINCE " + known + ")");
    CHECK(changed.size() == 2);
    CHECK_THAT(changed.front(), Contains("UID 2") && Contains("\\Flagged") && Contains("MODSEQ ("));
    CHECK(has(imap.ask("STORE 1 +FLAGS.SILENT (\\Seen)"), "* 1 FETCH (MODSEQ ("));
    CHECK_THAT(imap.ask("FETCH 1 (FLAGS) (CHANGEDSINCE x)").back(), Contains("BAD"));
    CHECK_THAT(imap.ask("FETCH 1 (FLAGS) (SINCE 4)").back(), Contains("BAD"));
}

TEST_CASE("the folders for sent and deleted mail are marked as such")
{
    const TargetProcess target({ "--password", "secret" });
    Imap imap(target);
    imap.ask("CREATE \"Sent Items\"");
    imap.ask("CREATE \"Deleted Items\"");
    const Lines listed = imap.ask("LIST \"\" \"*\"");
    CHECK(has(listed, "\\Sent) NIL \"Sent Items\""));
    CHECK(has(listed, "\\Trash) NIL \"Deleted Items\""));
}
