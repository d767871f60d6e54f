// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "protocol/smtp/smtp_server.h"
#include "support/catch.h"

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

/// What a server that accepts everything answers to the pieces, and the messages that it was given.
struct Talk {
    std::string replies;
    std::vector<std::string> texts; // "sender>recipient,recipient:text"
    std::vector<std::uint64_t> ends;
};

Talk talk(const std::vector<std::string_view>& pieces, const SmtpServer::Settings& settings = {})
{
    Talk result;
    SmtpServer server(settings);
    for (const std::string_view piece : pieces) {
        server.feed(piece);
        while (const SmtpRequest* request = server.next()) {
            result.ends.push_back(request->end);
            if (request->verb == SmtpCommand::EndOfData && request->valid) {
                std::string text = server.sender() + ">";
                for (const std::string& recipient : server.recipients())
                    text += recipient + ",";
                result.texts.push_back(text + ":" + server.text());
            }
            server.accept(result.replies);
        }
    }
    return result;
}

/// The codes of all reply lines, continuation lines left out: "250 354 250".
std::string codesOf(const std::string& replies)
{
    std::string codes;
    for (std::size_t at = 0; at < replies.size(); at = replies.find("\r\n", at) + 2)
        if (replies[at + 3] == ' ')
            codes += (codes.empty() ? "" : " ") + replies.substr(at, 3);
    return codes;
}

} // namespace

TEST_CASE("an SMTP session gives the same replies and messages wherever its bytes are split")
{
    const std::string script =
        "EHLO client.example\r\nAUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm\r\n"
        "MAIL FROM:<a@b> SIZE=100 BODY=8BITMIME\r\nRCPT TO:<c@d>\r\nrcpt to: <e@f>\r\nDATA\r\n"
        "Subject: x\r\n\r\n..dot\r\n.\n..\r\n\r.\r\n.\r\nNOOP\r\nMAIL FROM:<>\r\nRCPT TO:<g@h>\r\n"
        "DATA\r\n.\r\nVRFY x\r\nRSET\r\nQUIT\r\n";
    const Talk whole = talk({ script });
    CHECK(codesOf(whole.replies) == "250 235 250 250 250 354 250 250 250 250 354 250 252 250 221");
    REQUIRE(whole.texts.size() == 2);
    CHECK(whole.texts[0] == "a@b>c@d,e@f,:Subject: x\r\n\r\n.dot\r\n\n..\r\n\r.\r\n");
    CHECK(whole.texts[1] == ">g@h,:");
    CHECK(whole.ends.back() == script.size());
    const std::string_view view = script;
    for (std::size_t split = 0; split <= script.size(); ++split)
        for (std::size_t second = split; second <= script.size(); second += 7) {
            const Talk parts =
                talk({ view.substr(0, split), view.substr(split, second - split), view.substr(second) });
            REQUIRE(parts.replies == whole.replies);
            REQUIRE(parts.texts == whole.texts);
            REQUIRE(parts.ends == whole.ends);
        }
}

TEST_CASE("commands out of sequence or with bad syntax get the standard's errors and change nothing")
{
    CHECK(codesOf(talk({ "MAIL FROM:<a@b>\r\n" }).replies) == "503");
    CHECK(codesOf(talk({ "EHLO\r\nLHLO x\r\nHELO x\r\nRCPT TO:<a@b>\r\nDATA\r\n" }).replies)
        == "501 500 250 503 503");
    CHECK(codesOf(talk({ "EHLO x\r\nMAIL FROM:<a@b>\r\nMAIL FROM:<a@b>\r\nDATA\r\n" }).replies)
        == "250 250 503 554");
    CHECK(
        codesOf(talk({ "EHLO x\r\nMAIL FROM:a@b\r\nMAIL <a>\r\nMAIL FROM:<a@b>x\r\nMAIL FROM:<a@b> X=1\r\n" })
                    .replies)
        == "250 501 501 501 555");
    CHECK(
        codesOf(talk({ "EHLO x\r\nMAIL FROM:<a@b> SIZE=x\r\nMAIL FROM:<a@b> SIZE=99999999999\r\n" }).replies)
        == "250 501 552");
    CHECK(codesOf(
              talk({ "EHLO x\r\nMAIL FROM:<a>\r\nRCPT TO:<>\r\nRCPT TO:<\"a>b\"@c>\r\nRCPT TO:<a\x01>\r\n" })
                  .replies)
        == "250 250 501 250 501");
    CHECK(codesOf(talk({ "XYZ\r\n?\r\nEOD\r\n\r\nSTARTTLS\r\nVRFY\r\n" }).replies)
        == "500 500 500 500 503 501");
}

TEST_CASE("LMTP answers the end of a message once for each accepted recipient")
{
    SmtpServer::Settings settings;
    settings.lmtp = true;
    const Talk result =
        talk({ "EHLO x\r\nLHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c>\r\nRCPT TO:<>\r\nRCPT TO:<d>\r\n"
               "DATA\r\nx\r\n.\r\nQUIT\r\n" },
            settings);
    CHECK(codesOf(result.replies) == "500 250 250 250 501 250 354 250 250 221");
}

TEST_CASE("AUTH LOGIN asks for name and password, and a refusal leaves the session unauthenticated")
{
    SmtpServer::Settings settings;
    SmtpServer server(settings);
    std::string out;
    server.feed(
        "EHLO x\r\nAUTH LOGIN\r\ndGlt\r\nc2VjcmV0\r\nAUTH LOGIN dGlt\r\n*\r\nAUTH PLAIN\r\n!\r\nAUTH X\r\n");
    server.next();
    server.accept(out);
    out.clear();
    for (int i = 0; i < 2; ++i) {
        REQUIRE(server.next() != nullptr);
        CHECK_FALSE(server.next()->credentials.has_value());
        server.accept(out);
    }
    CHECK(out == "334 VXNlcm5hbWU6\r\n334 UGFzc3dvcmQ6\r\n");
    REQUIRE(server.next()->credentials.has_value());
    CHECK(server.next()->credentials->user == "tim");
    CHECK(server.next()->credentials->password == "secret");
    CHECK(server.refuse(out, "535 5.7.8 no") == 535);
    out.clear();
    while (server.next() != nullptr)
        server.accept(out);
    CHECK(codesOf(out) == "334 501 334 501 504");
}

TEST_CASE("what a client sends ahead of the TLS handshake is forgotten with the session's state")
{
    SmtpServer::Settings settings;
    settings.startTls = true;
    SmtpServer server(settings);
    std::string out;
    server.feed("EHLO x\r\nMAIL FROM:<a@b>\r\nSTARTTLS\r\nRSET\r\nNOO");
    while (server.next() != nullptr)
        server.accept(out);
    CHECK(codesOf(out) == "250 250 220");
    CHECK(out.find("STARTTLS") != std::string::npos);
    CHECK(server.takeTlsRequest());
    CHECK_FALSE(server.takeTlsRequest());
    out.clear();
    server.feed("MAIL FROM:<a@b>\r\nEHLO x\r\nSTARTTLS\r\n");
    while (server.next() != nullptr)
        server.accept(out);
    CHECK(codesOf(out) == "503 250 503");
    CHECK(out.find("250-STARTTLS") == std::string::npos);
}

TEST_CASE("limits hold: line length, recipients, message size, and room withdrawn while the text arrives")
{
    SmtpServer::Settings settings;
    settings.maxRecipients = 2;
    settings.maxSize = 10;
    const std::string longLine(40000, 'x');
    CHECK(codesOf(talk({ longLine, longLine, "\r\nNOOP\r\n" }).replies) == "500 250");
    const std::string start = "EHLO x\r\nMAIL FROM:<a>\r\nRCPT TO:<a>\r\nRCPT TO:<b>\r\n";
    CHECK(codesOf(talk({ start + "RCPT TO:<c>\r\nDATA\r\n0123456789\r\n.\r\nNOOP\r\n" }, settings).replies)
        == "250 250 250 250 452 354 552 250");
    SmtpServer server(settings);
    std::string out;
    server.feed(start + "DATA\r\n");
    while (server.next() != nullptr)
        server.accept(out);
    server.feed("0123");
    server.refuseForSpace();
    server.feed("45\r\n.\r\n");
    REQUIRE(server.next() != nullptr);
    CHECK_FALSE(server.next()->valid);
    CHECK(server.accept(out) == 452);
}

TEST_CASE("a client that only makes mistakes is sent away, and garbage is answered without harm")
{
    std::string garbage;
    for (int i = 0; i < 150; ++i)
        garbage += "nonsense\r\n";
    const std::string replies = talk({ garbage }).replies;
    CHECK(replies.find("421 ") != std::string::npos);
    CHECK(codesOf(replies).size() == 101 * 4 - 1);
    Random random(3);
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (std::uint64_t i = random.below(400); i > 0; --i)
            bytes += random.below(4) == 0 ? '\n' : static_cast<char>(random());
        const std::string once = talk({ bytes }).replies;
        const auto half = bytes.size() / 2;
        REQUIRE(talk({ bytes.substr(0, half), bytes.substr(half) }).replies == once);
    }
}
