// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/append_format.h"
#include "mail/action/action_shell.h"

#include <span>
#include <stdexcept>
#include <string_view>

/// The loop between a connection and a protocol core; for the .cpp files of actions.
namespace loadstone::mail {

template <class Client>
void ActionShell::recordTimings(Client& client, unsigned& commands, std::uint16_t port)
{
    for (const auto& timing : client.timings()) {
        m_context.recorder.record(m_context.series.command(timing.verb), timing.done - timing.sent);
        if (!m_setup.commandTrace.empty()) {
            int code = 0;
            if constexpr (requires { timing.code; })
                code = timing.code;
            else
                code = timing.good ? 1 : 0;
            m_context.journal.write([&](JournalPages& pages) {
                appendFormat(pages.trace, "{},{},{},{},{},{}\n", port, commands, toString(timing.verb),
                    timing.sent.time_since_epoch().count(), timing.done.time_since_epoch().count(), code);
            });
        }
        ++commands;
    }
    client.clearTimings();
}

/// Whether a session waits for nothing but what may come unasked.
template <class Client>
bool idling(const Client& client)
{
    if constexpr (requires { client.idling(); })
        return client.idling();
    else
        return false;
}

template <class Client>
Task<void> ActionShell::converse(
    Connection& connection, Client& client, const TlsSettings& tls, unsigned& commands, std::uint16_t port)
{
    metrics::Recorder& recorder = m_context.recorder;
    MonoTime now = monoNow(); // read once per exchange: what is bounded by it is bounded by seconds
    // The time limit is one on whole replies: a server that drips has no more time than one that is silent. A reply that takes
    // long because it is much gets the limit again after so many bytes.
    constexpr std::size_t kProgress = 64U * 1024;
    MonoTime progress = now;
    std::size_t heard = 0; // bytes since
    do {
        if (client.wantsTls()) {
            const MonoTime begin = monoNow();
            const bool secured = co_await connection.startTls(tls, commandLimit());
            if (!secured) {
                const protocol::Failure& why = connection.failure();
                client.fail(why.kind, why.code, why.text);
                break;
            }
            now = monoNow();
            recorder.record(m_context.series.command(VerbOf<Client>::tlsHandshake), now - begin);
            client.tlsEstablished();
        }
        std::string_view single;
        std::span<const std::string_view> pieces;
        if constexpr (std::is_convertible_v<decltype(client.output()), std::string_view>) {
            single = client.output();
            if (!single.empty())
                pieces = { &single, 1 };
        } else
            pieces = client.output();
        if (!pieces.empty()) {
            std::size_t bytes = 0;
            for (const std::string_view piece : pieces)
                bytes += piece.size();
            const MonoTime sent = now = monoNow();
            bool written = connection.writeAtOnce(pieces);
            if (!written) {
                written = co_await connection.writeRest(pieces, commandLimit());
                now = monoNow();
            }
            client.written(sent);
            if constexpr (requires { client.answeredEarly(); })
                if (connection.answeredEarly())
                    client.answeredEarly();
            progress = now;
            heard = 0;
            if (!written) {
                const protocol::Failure& why = connection.failure();
                client.fail(why.kind, why.code, why.text);
                break;
            }
            recorder.count(m_context.series.total().bytesSent, bytes);
        }
        if (client.waiting()) {
            std::string_view bytes;
            if (connection.secure())
                bytes = co_await connection.readSecure(progress + commandLimit(), m_context.buffer);
            else {
                const ReadResult result = co_await connection.arrival(progress + commandLimit());
                bytes = connection.take(result, m_context.buffer);
            }
            if (bytes.empty()) {
                const protocol::Failure& why = connection.failure();
                client.fail(why.kind, why.code, why.text);
                break;
            }
            now = monoNow();
            recorder.count(m_context.series.total().bytesReceived, bytes.size());
            heard += bytes.size();
            client.received(bytes, now);
            if (!client.timings().empty() || heard >= kProgress) {
                progress = now;
                heard = 0;
            }
            recordTimings(client, commands, port);
        } else if (pieces.empty() && !client.wantsTls())
            throw std::logic_error("a session that has nothing to send and nothing to wait for");
    } while (!client.closed() && !client.ready() && !idling(client));
    recordTimings(client, commands, port);
}

} // namespace loadstone::mail
