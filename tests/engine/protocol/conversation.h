// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/pop3/pop3_client.h"
#include "protocol/smtp/smtp_client.h"
#include "support/catch.h"

#include <functional>
#include <string>
#include <string_view>

namespace loadstone::test {

/// How the server's bytes of a conversation reach the client.
struct Delivery {
    std::size_t split = std::string::npos; ///< in two pieces, cut behind this many bytes
    std::size_t lostAfter = std::string::npos; ///< so many bytes, then the connection is lost
    bool bytewise = false;
};

inline std::string take(protocol::Pop3Client& client)
{
    return std::string(client.output());
}
template <class Client>
std::string take(Client& client)
{
    std::string all;
    for (const std::string_view piece : client.output())
        all += piece;
    return all;
}

/// Plays a conversation that is written down line by line: "S: " is what the server says, "C: " what the client must
/// say by then and not before, "> " what its shell does, handed to `shell`. Lines end in CRLF on the wire.
/// Returns what the client said.
template <class Client>
std::string play(Client& client, std::string_view script, const Delivery& delivery = {},
    const std::function<void(std::string_view)>& shell = {})
{
    MonoTime now {};
    std::string said, expected, server;
    std::size_t fed = 0;
    bool lost = false;
    const auto write = [&] {
        now += std::chrono::milliseconds(1);
        const std::string out = take(client);
        said += out;
        if (!out.empty())
            client.written(now);
    };
    const auto feed = [&](std::string_view bytes) {
        now += std::chrono::milliseconds(1);
        client.received(bytes, now);
        fed += bytes.size();
        write();
    };
    const auto flush = [&] { // the server's turn, and then what the client had to say
        std::string_view rest = server;
        if (delivery.lostAfter <= fed + rest.size() && !lost) {
            feed(rest.substr(0, delivery.lostAfter - fed));
            client.fail(protocol::FailureKind::connectionLost, 0, "gone");
            lost = true;
        }
        while (!rest.empty() && !lost) {
            std::size_t n = delivery.bytewise ? 1 : rest.size();
            if (delivery.split > fed && delivery.split < fed + n)
                n = delivery.split - fed;
            feed(rest.substr(0, n));
            rest.remove_prefix(n);
        }
        server.clear();
    };
    const auto compare = [&] {
        if (!lost)
            REQUIRE(said == expected);
    };
    client.open(now, false);
    while (!script.empty() && !lost) {
        const std::size_t end = std::min(script.find('\n'), script.size());
        const std::string_view line = script.substr(0, end);
        script.remove_prefix(std::min(end + 1, script.size()));
        if (line.starts_with("S: ")) {
            if (server.empty())
                compare();
            server.append(line.substr(3)).append("\r\n");
        } else if (line.starts_with("C: ")) {
            flush();
            expected.append(line.substr(3)).append("\r\n");
        } else if (line.starts_with("> ")) {
            flush();
            compare();
            if (!lost)
                shell(line.substr(2));
            write();
        }
    }
    flush();
    compare();
    return said;
}

/// How many bytes the server says in a script.
inline std::size_t serverBytes(std::string_view script)
{
    std::size_t bytes = 0;
    while (!script.empty()) {
        const std::size_t end = std::min(script.find('\n'), script.size());
        if (script.starts_with("S: "))
            bytes += end - 3 + 2;
        script.remove_prefix(std::min(end + 1, script.size()));
    }
    return bytes;
}

} // namespace loadstone::test
