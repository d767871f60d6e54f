// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever a POP3 server says, in whatever pieces: a session ends or waits for more, with bounded memory, and hands
// out whole messages only.

#include "protocol/pop3/pop3_client.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

constexpr std::string_view kPassword = "a secret";

void require(bool condition)
{
    if (!condition)
        std::abort();
}

struct Collector final : MessageSink {
    bool open = false;
    std::string text;
    std::vector<std::string> messages;
    void begin() override
    {
        open = true;
        text.clear();
    }
    void data(std::string_view piece) override
    {
        require(open);
        text += piece;
    }
    void end(MonoTime) override
    {
        require(open);
        open = false;
        messages.push_back(text);
    }
};

void session(std::string_view stream, unsigned choices, std::size_t size)
{
    Pop3Options options;
    options.startTls = (choices & 1U) != 0;
    options.pipelining = (choices & 2U) != 0;
    options.auth = static_cast<Pop3Auth>(choices >> 2U & 3U);
    options.sasl.mechanism = static_cast<SaslMechanism>((choices >> 6U & 3U) + 1);
    options.sasl.nonce = "n";
    const auto kind = static_cast<Pop3Visit>((choices >> 4U & 3U) % 3);
    const std::string_view said = stream;
    Pop3Client client(options, "user", kPassword);
    Collector collector;
    MonoTime now { std::chrono::seconds(1) };
    client.open(now, false);
    bool visited = false;
    while (!client.closed()) {
        if (client.wantsTls())
            client.tlsEstablished();
        if (client.ready()) {
            if (visited)
                client.quit();
            else
                client.visit(kind, collector);
            visited = true;
        }
        now += std::chrono::microseconds(1);
        // A window of retrievals and the deletions that became due with one piece of bytes.
        require(client.output().size() <= 64 * (size + Pop3Client::kWindow + 4));
        if (!client.output().empty())
            client.written(now);
        require(client.waiting() || client.closed());
        if (stream.empty()) {
            client.fail(FailureKind::connectionLost, 0, "gone");
            break;
        }
        const std::string_view piece = stream.substr(0, size);
        client.received(piece, now);
        stream.remove_prefix(piece.size());
    }
    require(client.closed() && !client.waiting() && client.output().empty());
    require(!client.readToEnd() || kind == Pop3Visit::list || collector.messages.size() == client.messages());
    for (const Pop3Timing& timing : client.timings())
        require(timing.sent <= timing.done && timing.sent >= MonoTime(std::chrono::seconds(1)));
    const std::string transcript = client.transcript().text();
    require(transcript.size() <= 16384);
    require(transcript.find(kPassword) == std::string::npos || said.find(kPassword) != std::string::npos);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    const std::string stream(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t piece = data[1] == 0 ? stream.size() + 1 : data[1];
    session(stream, data[0], piece);
    session(stream, data[0], 1);
    return 0;
}
