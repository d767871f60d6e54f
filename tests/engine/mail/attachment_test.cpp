// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/message_check.h"
#include "mail/message/message_factory.h"
#include "protocol/sasl/sasl.h"
#include "support/catch.h"

#include <set>

using namespace loadstone;
using namespace loadstone::mail;
using plan::ContentKind;

namespace {

constexpr std::uint32_t kRun = 0x7f3a01c2;

std::string make(const plan::MessageKind& kind, std::uint64_t id)
{
    static const MessageFactory factory(11, kRun, "load.test");
    static Message message; // reused, as the load threads do
    const std::vector<std::string> recipients { "u1@load.test" };
    MessageOrder order;
    order.id = id;
    order.kind = &kind;
    order.sender = "u7@load.test";
    order.recipients = recipients;
    factory.make(order, message);
    std::string text;
    for (const std::string_view piece : message.pieces)
        text += piece;
    REQUIRE(text.size() == message.size);
    return text;
}

/// The parts of a multipart message, header and body each.
std::vector<std::string> partsOf(const std::string& text)
{
    const std::size_t at = text.find("boundary=\"") + 10;
    const std::string mark = "--" + text.substr(at, text.find('"', at) - at);
    REQUIRE(text.ends_with(mark + "--\r\n"));
    std::vector<std::string> parts;
    for (std::size_t begin = text.find("\r\n" + mark + "\r\n") + 2;;) {
        begin += mark.size() + 2;
        const std::size_t end = text.find("\r\n" + mark, begin);
        parts.push_back(text.substr(begin, end + 2 - begin));
        begin = end + 2;
        if (text.compare(begin + mark.size(), 2, "--") == 0)
            return parts;
    }
}

std::string bodyOf(const std::string& part)
{
    return part.substr(part.find("\r\n\r\n") + 4);
}

/// A file out of its base64 lines.
std::string fileOf(const std::string& part)
{
    std::string joined;
    const std::string body = bodyOf(part);
    for (std::size_t at = 0; at < body.size();) {
        const std::size_t end = body.find("\r\n", at);
        REQUIRE(end - at <= 76);
        joined += body.substr(at, end - at);
        at = end + 2;
    }
    const auto decoded = protocol::base64Decode(joined);
    REQUIRE(decoded);
    return *decoded;
}

} // namespace

TEST_CASE("a message with an attachment carries a file of the kind and size that its profile states")
{
    const std::pair<ContentKind, std::string> kinds[] { { ContentKind::text, "" },
        { ContentKind::rtf, "{\\rtf1" }, { ContentKind::bitmap, "BM" },
        { ContentKind::document, "\xd0\xcf\x11\xe0" }, { ContentKind::sheet, "\xd0\xcf\x11\xe0" } };
    for (const auto& [kind, magic] : kinds)
        for (const std::size_t size : { 64, 113, 114, 10240, 44032, 300'000 }) {
            INFO(static_cast<int>(kind) << " of " << size << " bytes");
            const std::string text = make({ ContentKind::rtf, 1024, kind, size, false, 1 }, size);
            const auto parts = partsOf(text);
            REQUIRE(parts.size() == 2);
            CHECK(parts[0].starts_with("Content-Type: text/rtf"));
            CHECK(bodyOf(parts[0]).size() == 1024);
            CHECK(parts[1].find("Content-Disposition: attachment; filename=\"") != std::string::npos);
            const std::string file = fileOf(parts[1]);
            CHECK(file.size() == size);
            if (size >= 114)
                CHECK(file.starts_with(magic));
        }
    const std::string inlined = make({ ContentKind::text, 2048, ContentKind::bitmap, 5000, true, 1 }, 9);
    CHECK(partsOf(inlined)[1].find("Content-Disposition: inline") != std::string::npos);
}

TEST_CASE("no two messages carry the same attachment, and one message always the same")
{
    const plan::MessageKind kind { ContentKind::rtf, 1024, ContentKind::document, 16384, false, 1 };
    std::set<std::string> files;
    for (std::uint64_t id = 0; id < 500; ++id)
        files.insert(fileOf(partsOf(make(kind, id))[1]));
    CHECK(files.size() == 500);
    CHECK(make(kind, 7) == make(kind, 7));
}

TEST_CASE("a message of several parts is checked as a whole")
{
    const std::string text = make({ ContentKind::rtf, 1024, ContentKind::sheet, 15360, false, 1 }, 77);
    const auto kindOf = [](const std::string& received) {
        MessageCheck check(kRun);
        check.begin();
        check.data(received);
        check.end({});
        return check.take().at(0).kind;
    };
    CHECK(kindOf(text) == RetrievedMessage::Kind::whole);
    for (const std::size_t place : { text.size() / 3, text.size() / 2, text.size() - 40 }) {
        std::string bad = text;
        bad[place] = bad[place] == 'A' ? 'B' : 'A';
        CHECK(kindOf(bad) == RetrievedMessage::Kind::damaged);
    }
}

TEST_CASE("a message without an attachment is one part")
{
    const std::string text = make({ ContentKind::rtf, 2048, std::nullopt, 0, false, 1 }, 3);
    CHECK(text.find("multipart") == std::string::npos);
    const std::string body = bodyOf(text);
    CHECK(body.size() == 2048);
    CHECK(body.starts_with("{\\rtf1"));
    CHECK(body.ends_with("}\r\n"));
}
