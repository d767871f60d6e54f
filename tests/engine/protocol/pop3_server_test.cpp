// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "protocol/pop3/pop3_server.h"
#include "protocol/sasl/sasl.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

const std::string kFirst = "A: b\r\n\r\n.one\r\ntwo\r\n";
const std::string kSecond = "C: d\r\n\r\n";

/// Three messages for whoever knows "secret"; the last is gone when it is asked for.
void answer(Pop3Server& server, const Pop3Request& request, std::string& out)
{
    if (request.needs == Pop3Request::Needs::Login) {
        if (request.user == "tim" && server.proves("secret"))
            server.acceptLogin(out, { { 17, kFirst.size() }, { 18, kSecond.size() }, { 19, 5 } });
        else
            server.refuse(out, "[AUTH] no");
    } else if (request.needs == Pop3Request::Needs::Content) {
        if (request.uid == 19)
            server.refuse(out, "no such message");
        else
            server.acceptContent(out, request.uid == 17 ? kFirst : kSecond);
    } else {
        server.accept(out);
    }
}

std::string talk(const std::vector<std::string_view>& pieces, Pop3Server& server)
{
    std::string out;
    for (const std::string_view piece : pieces) {
        server.feed(piece);
        while (const Pop3Request* request = server.next())
            answer(server, *request, out);
    }
    return out;
}

std::string talk(const std::vector<std::string_view>& pieces)
{
    const Pop3Server::Settings settings;
    Pop3Server server(settings, "<1.2@x>");
    return talk(pieces, server);
}

} // namespace

TEST_CASE("a POP3 session gives the same replies wherever its bytes are split")
{
    const std::string script =
        "USER tim\r\nPASS secret\r\nSTAT\r\nLIST\r\nLIST 2\r\nUIDL\r\nUIDL 1\r\nRETR 1\r\nTOP 1 1\r\n"
        "TOP 1 0\r\nRETR 3\r\nDELE 1\r\nRETR 1\r\nSTAT\r\nLIST\r\nRSET\r\nSTAT\r\nNOOP\r\nQUIT\r\n";
    const std::string whole = talk({ script });
    CHECK(whole
        == "+OK\r\n+OK 3 messages\r\n+OK 3 32\r\n+OK 3 messages\r\n1 19\r\n2 8\r\n3 5\r\n.\r\n+OK 2 8\r\n"
           "+OK 3 messages\r\n1 0000000000000011\r\n2 0000000000000012\r\n3 0000000000000013\r\n.\r\n"
           "+OK 1 0000000000000011\r\n+OK 19 octets\r\nA: b\r\n\r\n..one\r\ntwo\r\n.\r\n"
           "+OK top of message follows\r\nA: b\r\n\r\n..one\r\n.\r\n+OK top of message follows\r\nA: "
           "b\r\n\r\n.\r\n"
           "-ERR no such message\r\n+OK marked as deleted\r\n-ERR no such message\r\n+OK 2 13\r\n"
           "+OK 3 messages\r\n2 8\r\n3 5\r\n.\r\n+OK\r\n+OK 3 32\r\n+OK\r\n+OK bye\r\n");
    const std::string_view view = script;
    for (std::size_t split = 0; split <= script.size(); ++split)
        for (std::size_t second = split; second <= script.size(); second += 5)
            REQUIRE(talk({ view.substr(0, split), view.substr(split, second - split), view.substr(second) })
                == whole);
}

TEST_CASE("each way to log in is checked against the password")
{
    const std::string digest = apopDigest("<1.2@x>", "secret");
    const std::string plain = plainMessage({ "", "tim", "secret" });
    CHECK(talk({ "APOP tim " + digest + "\r\n" }).starts_with("+OK 3"));
    CHECK(talk({ "APOP tim " + apopDigest("<1.2@x>", "other") + "\r\n" }).starts_with("-ERR [AUTH]"));
    CHECK(talk({ "APOP tim\r\n" }).starts_with("-ERR name"));
    CHECK(talk({ "AUTH PLAIN " + plain + "\r\n" }).starts_with("+OK 3"));
    CHECK(talk({ "AUTH PLAIN\r\n", plain + "\r\n" }).starts_with("+ \r\n+OK 3"));
    CHECK(talk({ "AUTH PLAIN\r\n*\r\nUSER tim\r\n" }) == "+ \r\n-ERR cancelled\r\n+OK\r\n");
    CHECK(talk({ "AUTH PLAIN !!!\r\nAUTH X\r\n" })
        == "-ERR cannot decode the response\r\n-ERR mechanism not supported\r\n");
    CHECK(talk({ "USER tim\r\nPASS wrong\r\nPASS secret\r\n" })
        == "+OK\r\n-ERR [AUTH] no\r\n-ERR USER first\r\n");
}

TEST_CASE("nothing but logging in works before, and logging in not twice")
{
    for (const char* command : { "STAT", "LIST", "UIDL", "RETR 1", "DELE 1", "TOP 1 0", "NOOP", "RSET" })
        CHECK(talk({ std::string(command) + "\r\n" }) == "-ERR log in first\r\n");
    CHECK(talk({ "USER tim\r\nPASS secret\r\nUSER tim\r\n" }).ends_with("-ERR already logged in\r\n"));
    for (const char* command :
        { "RETR", "RETR 0", "RETR 4", "RETR x", "RETR 1 2", "TOP 1", "DELE -1", "LIST 9" })
        CHECK(talk({ std::string("USER tim\r\nPASS secret\r\n") + command + "\r\n" }).find("messages\r\n-ERR")
            != std::string::npos);
}

TEST_CASE("deletions count only after QUIT in a transaction")
{
    const Pop3Server::Settings settings;
    Pop3Server server(settings, "");
    talk({ "USER tim\r\nPASS secret\r\nDELE 2\r\n" }, server);
    CHECK(server.messages()[1].deleted);
    CHECK_FALSE(server.updating());
    talk({ "QUIT\r\nSTAT\r\n" }, server);
    CHECK(server.updating());
    CHECK(server.closing());
    Pop3Server other(settings, "");
    talk({ "USER tim\r\nQUIT\r\n" }, other);
    CHECK_FALSE(other.updating());
}

TEST_CASE("STLS forgets what was sent ahead and is offered once")
{
    Pop3Server::Settings settings;
    settings.startTls = true;
    Pop3Server server(settings, "");
    CHECK(talk({ "CAPA\r\nSTLS\r\nUSER tim\r\n" }, server)
              .ends_with("\r\nSTLS\r\nIMPLEMENTATION Loadstone target\r\n.\r\n+OK begin TLS\r\n"));
    CHECK(server.takeTlsRequest());
    CHECK(talk({ "STLS\r\nCAPA\r\n" }, server).find("STLS") == std::string::npos);
}

TEST_CASE("garbage on the POP3 port is answered without harm, and mistakes without end are not")
{
    Random random(5);
    for (int round = 0; round < 300; ++round) {
        std::string bytes = round % 2 == 0 ? "USER tim\r\nPASS secret\r\n" : "";
        for (std::uint64_t i = random.below(400); i > 0; --i)
            bytes += random.below(4) == 0 ? '\n' : static_cast<char>(random());
        const auto half = bytes.size() / 2;
        REQUIRE(talk({ bytes.substr(0, half), bytes.substr(half) }) == talk({ bytes }));
    }
    std::string nonsense;
    for (int i = 0; i < 150; ++i)
        nonsense += "nonsense\r\n";
    const Pop3Server::Settings settings;
    Pop3Server server(settings, "");
    const std::string replies = talk({ nonsense }, server);
    CHECK(server.closing());
    CHECK(replies.size() == 100 * std::string("-ERR unknown command\r\n").size());
    CHECK(talk({ std::string(30000, 'x'), "\r\nCAPA\r\n" }).starts_with("-ERR line too long\r\n+OK"));
}
