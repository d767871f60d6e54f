// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/embedded/imap_dialogue.h"
#include "protocol/common/deflate.h"

#include <array>

using namespace loadstone::test;
using Catch::Matchers::Contains;

namespace {

/// The client's side of a compressed session.
class Deflated {
public:
    explicit Deflated(Imap& imap)
        : m_imap(imap)
    {
    }
    void send(std::string_view text)
    {
        std::string packed;
        m_writer.write(text, packed);
        m_writer.flush(packed);
        m_imap.client().send(packed);
    }
    std::string line()
    {
        std::array<char, 1000> buffer;
        while (m_plain.find('\n') == std::string::npos) {
            const std::string bytes = m_imap.client().bytes();
            if (bytes.empty())
                return "";
            std::string_view in = bytes, out;
            while (m_reader.read(in, buffer, out) == loadstone::protocol::DeflateReader::Status::bytes)
                m_plain += out;
        }
        const std::size_t end = m_plain.find('\n');
        const std::string line = m_plain.substr(0, end - 1);
        m_plain.erase(0, end + 1);
        return line;
    }

private:
    Imap& m_imap;
    loadstone::protocol::DeflateWriter m_writer;
    loadstone::protocol::DeflateReader m_reader;
    std::string m_plain;
};

} // namespace

TEST_CASE("a compressed session does what any other does, and news come in it as well")
{
    const TargetProcess target({ "--password", "secret" });
    Imap imap(target);
    CHECK(has(imap.ask("CAPABILITY"), "COMPRESS=DEFLATE"));
    CHECK_THAT(imap.ask("COMPRESS LZW").back(), Contains("NO"));
    CHECK_THAT(imap.ask("COMPRESS DEFLATE").back(), Contains(" OK "));
    Deflated deflated(imap);
    const std::string large(300'000, 'x');
    deflated.send("b1 APPEND INBOX {300000+}\r\n" + large + "\r\nb2 SELECT INBOX\r\n");
    CHECK_THAT(deflated.line(), Contains("b1 OK [APPENDUID"));
    CHECK(deflated.line() == "* 1 EXISTS");
    while (!deflated.line().starts_with("b2 OK")) { }
    deflated.send("b3 UID FETCH 1:* (BODY.PEEK[])\r\nb4 COMPRESS DEFLATE\r\n");
    CHECK_THAT(deflated.line(), Contains("BODY[] {300000}"));
    CHECK(deflated.line().size() > 300'000);
    CHECK_THAT(deflated.line(), Contains("b3 OK"));
    CHECK_THAT(deflated.line(), Contains("b4 NO [COMPRESSIONACTIVE]"));
    deflated.send("b5 IDLE\r\n");
    CHECK_THAT(deflated.line(), Contains("+ "));
    submit(target, "tim", "news");
    CHECK(deflated.line() == "* 2 EXISTS");
    deflated.send("DONE\r\n");
    CHECK_THAT(deflated.line(), Contains("b5 OK"));
    imap.client().send("this is no deflate at all, whatever it is\r\n");
    CHECK_THAT(deflated.line(), Contains("* BYE"));
    CHECK(deflated.line().empty());
}

TEST_CASE("commands of a compressed session are logged with the time at which they arrived")
{
    const LogFile log;
    TargetProcess target(
        { "--log", log.name(), "--service-time", "constant 20 ms", "--service-verbs", "NOOP" });
    Imap imap(target);
    REQUIRE_THAT(imap.ask("COMPRESS DEFLATE").back(), Contains(" OK "));
    Deflated deflated(imap);
    for (int round = 0; round < 3; ++round) {
        std::string all; // at once: what waits for its turn has arrived all the same
        for (int i = 0; i < 5; ++i)
            all += "n" + std::to_string(i) + " NOOP\r\n";
        deflated.send(all);
        while (!deflated.line().starts_with("n4 OK")) { }
    }
    CHECK(target.stop() == 0);
    std::vector<std::string> received;
    for (const auto& row : log.rows())
        if (row.at("verb") == "NOOP")
            received.push_back(row.at("received_ns"));
    REQUIRE(received.size() == 15);
    for (std::size_t i = 0; i < received.size(); ++i)
        CHECK(received[i] == received[i - i % 5]);
    CHECK(std::stoll(received[5]) > std::stoll(received[0]));
}
