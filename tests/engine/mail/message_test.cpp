// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "mail/message/damage.h"
#include "mail/message/message_check.h"
#include "mail/message/message_factory.h"
#include "support/catch.h"

#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using Kind = RetrievedMessage::Kind;

namespace {

constexpr std::uint32_t kRun = 0x7f3a01c2;

const MessageFactory& factory()
{
    static const MessageFactory made(11, kRun, "load.test");
    return made;
}

struct Made {
    std::string text;
    std::size_t size = 0;
    MessageToken token;
};

Made make(const MessageFactory& from, std::uint64_t id, std::size_t size, bool eightBit = false,
    unsigned recipientCount = 3)
{
    std::vector<std::string> recipients;
    for (unsigned i = 0; i < recipientCount; ++i)
        recipients.push_back("u" + std::to_string(100 + i) + "@load.test");
    MessageOrder order;
    order.id = id;
    order.size = size;
    order.sender = "u7@load.test";
    order.recipients = recipients;
    order.date = WallTime(std::chrono::seconds(1'795'269'785));
    order.eightBit = eightBit;
    static Message message; // reused, as the load threads do
    from.make(order, message);
    Made made { "", message.size, message.token };
    for (const std::string_view piece : message.pieces)
        made.text += piece;
    return made;
}

RetrievedMessage check(
    std::string_view text, std::size_t piece = std::string_view::npos, std::uint32_t run = kRun)
{
    MessageCheck check(run);
    check.begin();
    while (!text.empty()) {
        check.data(text.substr(0, piece));
        text.remove_prefix(std::min(piece, text.size()));
    }
    check.end({});
    return check.take().at(0);
}

/// Whether SMTP can carry the text as it is.
void requireWireForm(const std::string& text)
{
    REQUIRE(text.ends_with("\r\n"));
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = text.find("\r\n", at);
        const std::string_view line = std::string_view(text).substr(at, end - at);
        REQUIRE(line.size() <= 998);
        REQUIRE(line.find_first_of("\r\n") == std::string_view::npos);
        REQUIRE_FALSE(line.starts_with("."));
        REQUIRE_FALSE(line.starts_with("From "));
        at = end + 2;
    }
}

} // namespace

TEST_CASE("a message has exactly the size ordered, in the form that the wire carries")
{
    const auto requireGood = [](std::size_t size, bool eightBit, unsigned recipients) {
        const Made made = make(factory(), size * 3 + recipients, size, eightBit, recipients);
        INFO("size " << size);
        REQUIRE(made.text.size() == size);
        REQUIRE(made.size == size);
        requireWireForm(made.text);
        REQUIRE(check(made.text).kind == Kind::whole);
    };
    for (std::size_t size = kSmallestMessage; size <= 3072; ++size)
        requireGood(size, size % 2 != 0, 3);
    for (const std::size_t size : { 10'240U, 65'535U, 65'536U, 1'000'001U, 5'000'000U })
        requireGood(size, false, 1);
    requireGood(20'000, false, 100);
}

TEST_CASE("of a damaged message the first difference is told, its place and both bytes")
{
    const DamageExplainer explainer(factory(), { { 4000, nullptr }, { 2000, nullptr } });
    const Made made = make(factory(), 5, 2000, true);
    const auto told = [&](std::string text) {
        MessageCheck check(kRun);
        check.explainBy(&explainer);
        check.begin();
        check.data("Received: by a server\r\n");
        check.data(text);
        check.end({});
        CHECK(check.take().at(0).kind == Kind::damaged);
        const auto damages = check.takeDamages();
        REQUIRE(damages.size() == 1);
        CHECK(damages[0].id == 5);
        return damages[0].how;
    };
    const std::size_t begin = made.text.find('\n') + 1;
    std::string flipped = made.text;
    const std::size_t place = made.text.find("\r\n\r\n") + 40;
    flipped[place] = '\x01';
    const auto line = 1 + std::count(made.text.begin() + static_cast<std::ptrdiff_t>(begin),
                              made.text.begin() + static_cast<std::ptrdiff_t>(place), '\n');
    CHECK_THAT(told(flipped),
        ContainsSubstring("byte " + std::to_string(place - begin + 1) + " after the token's line (line "
            + std::to_string(line) + "): 0x")
            && ContainsSubstring(" was sent, 0x01 arrived") && !ContainsSubstring("bytes")
            && !ContainsSubstring("only difference"));
    CHECK_THAT(told(made.text.substr(0, made.text.size() - 100)), ContainsSubstring("nothing arrived; "));
    std::string subject = made.text;
    subject.replace(subject.find("\r\nFrom: <u7") + 9, 2, "u8");
    CHECK(told(subject) == "the header differs from what was sent as well");
}

TEST_CASE("a server that trims blanks at the ends of lines is seen to do no more than that")
{
    CHECK(firstDifference("a \r\nb\t \r\nc\r\n", "a\r\nb\r\nc\r\n\r\n")
        == "byte 2 after the token's line (line 1): 0x20 was sent, 0x0d arrived; 3 bytes fewer; blanks at "
           "the ends of "
           "lines are the only difference");
    CHECK(firstDifference("ab\r\nc", "ab\r\nd")
        == "byte 5 after the token's line (line 2): 0x63 (\"c\") was sent, 0x64 (\"d\") arrived");
    CHECK(firstDifference("ab\r\n", "ab").empty());
}

TEST_CASE("the same order gives the same message and each number another one")
{
    const MessageFactory again(11, kRun, "load.test");
    const MessageFactory otherSeed(12, kRun, "load.test");
    std::set<std::string> bodies;
    for (std::uint64_t id = 0; id < 500; ++id) {
        const Made made = make(factory(), id, 2000);
        REQUIRE(made.text == make(again, id, 2000).text);
        REQUIRE(made.text != make(otherSeed, id, 2000).text);
        bodies.insert(made.text.substr(made.text.find("\r\n\r\n")));
    }
    CHECK(bodies.size() == 500);
}

TEST_CASE("a message carries the fields that a mail program expects")
{
    const std::string text = make(factory(), 0x2a00000007, 2000, true).text;
    CHECK_THAT(text, ContainsSubstring("\r\nFrom: <u7@load.test>\r\n"));
    CHECK_THAT(
        text, ContainsSubstring("\r\nTo: <u100@load.test>,\r\n <u101@load.test>,\r\n <u102@load.test>\r\n"));
    CHECK_THAT(text, ContainsSubstring("\r\nDate: Sat, 21 Nov 2026 14:03:05 +0000\r\n"));
    CHECK_THAT(text, ContainsSubstring("\r\nMessage-ID: <7f3a01c2.0000002a00000007@load.test>\r\n"));
    CHECK_THAT(text, ContainsSubstring("charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"));
    CHECK(text.starts_with("X-Loadstone-Token: 7f3a01c2-0000002a00000007-"));
}

TEST_CASE("seven-bit messages are ASCII, eight-bit ones are not")
{
    const auto isAscii = [](const std::string& text) {
        return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 128; });
    };
    CHECK(isAscii(make(factory(), 1, 100'000, false).text));
    CHECK_FALSE(isAscii(make(factory(), 1, 100'000, true).text));
}

TEST_CASE("a message is recognised and found whole wherever its bytes are cut")
{
    const Made made = make(factory(), 77, 1500);
    const std::string received =
        "Return-Path: <u7@load.test>\r\nReceived: from x (x [127.0.0.1])\r\n\tby mx; Sat\r\nX-Long: "
        + std::string(3000, 'a') + "\r\n";
    for (const std::string& text : { made.text, received + made.text, made.text + "\r\n", made.text + "\n\n",
             made.text.substr(0, made.text.size() - 2) })
        for (std::size_t piece = 1; piece <= text.size(); piece += piece < 200 ? 1 : 61) {
            const RetrievedMessage found = check(text, piece);
            REQUIRE(found.kind == Kind::whole);
            REQUIRE(found.id == 77);
        }
}

TEST_CASE("what another run or anybody else sent is foreign")
{
    const std::string text = make(factory(), 77, 1500).text;
    CHECK(check(text, 100, kRun + 1).kind == Kind::foreign);
    CHECK(check("Subject: hello\r\n\r\nworld\r\n").kind == Kind::foreign);
    CHECK(check("").kind == Kind::foreign);
    CHECK(check(std::string(100'000, '\n')).kind == Kind::foreign);
}

TEST_CASE("any byte that changed is damage")
{
    const std::string text = make(factory(), 0x100000002, 900).text;
    Random random(5);
    const std::size_t tokenEnd = text.find("\r\n") + 2;
    for (std::size_t at = 0; at < text.size(); ++at)
        for (int round = 0; round < 4; ++round) {
            std::string damaged = text;
            damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random.below(255)));
            const bool lineEnd = damaged[at] == '\r' || damaged[at] == '\n';
            if (at >= text.size() - 2 && lineEnd)
                continue; // line ends behind the last word are the servers' to choose
            const RetrievedMessage found = check(damaged);
            INFO((at < tokenEnd ? "token, byte " : "byte ") << at);
            REQUIRE(found.kind == Kind::damaged);
            REQUIRE(found.id == 0x100000002);
        }
}

TEST_CASE("a message that lost its end or gained one is damaged")
{
    const std::string text = make(factory(), 9, 1500).text;
    const std::size_t body = text.find("\r\n\r\n") + 4;
    for (std::size_t size = body; size < text.size() - 2; size += 7) {
        const std::string_view rest = std::string_view(text).substr(size);
        if (rest.find_first_not_of("\r\n") != std::string_view::npos)
            REQUIRE(check(text.substr(0, size)).kind == Kind::damaged);
    }
    CHECK(check(text + "-- \r\nlist footer\r\n").kind == Kind::damaged);
    CHECK(check(text + text).kind == Kind::damaged);
}

TEST_CASE("a check goes from message to message")
{
    MessageCheck check(kRun);
    for (std::uint64_t id = 0; id < 20; ++id) {
        check.begin();
        check.data(make(factory(), id, 700 + id).text);
        if (id % 5 != 4) // a broken one has no end
            check.end(MonoTime(std::chrono::seconds(id)));
    }
    CHECK(check.count() == 16);
    const auto messages = check.take();
    REQUIRE(messages.size() == 16);
    for (const RetrievedMessage& message : messages) {
        CHECK(message.kind == Kind::whole);
        CHECK(message.at == MonoTime(std::chrono::seconds(message.id)));
    }
    CHECK(check.take().empty());
}

TEST_CASE("a token reads back what was written and nothing else")
{
    const MessageToken token { kRun, 0xfedcba9876543210, 0x1122334455667788 };
    const std::string text = token.text();
    CHECK(text.size() == kTokenSize);
    CHECK(MessageToken::parse(text) == token);
    CHECK(MessageToken::parse("") == std::nullopt);
    CHECK(MessageToken::parse(text + " ") == std::nullopt);
    CHECK(MessageToken::parse(text.substr(1)) == std::nullopt);
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char c : { '0', 'f', 'F', '-', ' ', '\0' })
            if (text[at] != c) {
                std::string other = text;
                other[at] = c;
                CHECK(MessageToken::parse(other) == std::nullopt);
            }
    std::string id = "<";
    appendMessageId(id, kRun, 42);
    CHECK(parseMessageId(id + "@x>", kRun) == 42);
    CHECK(parseMessageId(id + "@x>", kRun + 1) == std::nullopt);
    for (const char* bad : { "", "<", "<7f3a01c2.000000000000002a>", "7f3a01c2.000000000000002a@x",
             "<7f3a01c2-000000000000002a@x>" })
        CHECK(parseMessageId(bad, kRun) == std::nullopt);
}
