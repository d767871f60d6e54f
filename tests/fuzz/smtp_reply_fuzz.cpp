// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever a server says, in whatever pieces: the parser is the same for every cut, and a session ends or waits for
// more, with bounded memory, never both ready and failed to answer.

#include "protocol/smtp/smtp_client.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

/// The replies of a stream, as far as it is one, when it comes in pieces of `size` bytes.
std::vector<std::string> replies(std::string_view stream, std::size_t size)
{
    std::vector<std::string> all;
    SmtpReplyParser parser;
    while (!stream.empty()) {
        std::string_view piece = stream.substr(0, size);
        stream.remove_prefix(piece.size());
        while (!piece.empty()) {
            const auto status = parser.feed(piece);
            if (status == SmtpReplyParser::Status::malformed)
                return all;
            if (status == SmtpReplyParser::Status::needMore) {
                require(piece.empty());
                break;
            }
            require(parser.code() >= 200 && parser.code() <= 599
                && parser.text().size() <= SmtpReplyParser::kMaxText);
            all.push_back(std::to_string(parser.code()) + parser.text());
        }
    }
    return all;
}

void session(std::string_view stream, unsigned choices, std::size_t size)
{
    SmtpOptions options;
    options.lmtp = (choices & 1U) != 0;
    options.startTls = (choices & 2U) != 0;
    options.pipelining = (choices & 4U) != 0;
    options.auth = static_cast<SmtpAuth>((choices >> 3U & 3U) % 3);
    options.sasl.mechanism = static_cast<SaslMechanism>((choices >> 6U & 3U) + 1);
    options.sasl.nonce = "n";
    const bool thenQuit = (choices & 32U) != 0;
    SmtpClient client(options, "user", "a secret");
    const std::array<std::string, 3> recipients { "a@x", "b@x", "c@x" };
    const std::array<std::string_view, 1> pieces { "Subject: x\r\n\r\n" };
    MonoTime now { std::chrono::seconds(1) };
    client.open(now, false);
    int messages = 0;
    while (!client.closed()) {
        if (client.wantsTls())
            client.tlsEstablished();
        if (client.ready()) {
            if (messages++ < 2)
                client.submit({ "me@x", recipients, pieces, 14 }, thenQuit);
            else
                client.quit();
        }
        now += std::chrono::microseconds(1);
        if (!client.output().empty())
            client.written(now);
        require(client.output().empty());
        require(client.waiting()); // else a shell would wait for ever
        if (stream.empty()) {
            client.fail(FailureKind::connectionLost, 0, "gone");
            break;
        }
        const std::string_view piece = stream.substr(0, size);
        client.received(piece, now);
        stream.remove_prefix(piece.size());
    }
    require(client.closed() && !client.waiting() && client.output().empty());
    require(client.acceptedCount()
        == static_cast<std::size_t>(std::count(client.accepted().begin(), client.accepted().end(), true)));
    require(!client.uncertain() || client.acceptedCount() == 0 || options.lmtp);
    for (std::size_t i = 0; i < client.undecided().size(); ++i)
        require(!client.undecided()[i] || (client.uncertain() && !client.accepted()[i]));
    for (const SmtpTiming& timing : client.timings())
        require(timing.sent <= timing.done && timing.sent >= MonoTime(std::chrono::seconds(1)));
    const std::string transcript = client.transcript().text();
    require(transcript.size() <= 16384);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    const std::string stream(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t piece = data[1] == 0 ? stream.size() + 1 : data[1];
    require(replies(stream, piece) == replies(stream, stream.size() + 1));
    session(stream, data[0], piece);
    return 0;
}
