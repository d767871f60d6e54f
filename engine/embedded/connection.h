// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/conversation.h"
#include "embedded/reactor.h"
#include "embedded/service_desk.h"
#include "embedded/transport.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::embedded {

/// What connections need of the server. One thread.
struct Floor {
    MailHouse& house;
    Reactor& reactor;
    ServiceDesk& desk;
    SSL_CTX* tls = nullptr;
    std::string spareOut; ///< a buffer for replies, lent to one connection at a time
    std::vector<char> scratch; ///< for reading
    std::vector<std::uint64_t> again; ///< connections to be called although no event will come
    std::vector<std::uint64_t> admitted; ///< connections that have got the place they waited for
};

/// One client: reads, lets each command take its time, writes replies in order, and records what it did when.
/// The server calls read() for all ready connections first and proceed() afterwards, so that a burst is
/// stamped with the times at which it arrived.
class Connection {
public:
    struct Peer {
        std::array<unsigned char, 16> address {};
        bool isIpv6 = false;
        std::uint16_t port = 0;
        std::string text; ///< the address for people
    };

    Connection(Floor& floor, FileDescriptor socket, Service service, bool implicitTls, std::uint64_t key,
        std::uint64_t number, const Peer& peer, std::int64_t acceptedNs, bool turnAway);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Takes what has arrived. `events` as epoll gave them.
    void read(std::uint32_t events);
    /// Works on commands and writes, as far as possible now.
    void proceed();
    void timer(std::uint32_t id);
    /// The place that was waited for has been given to this connection.
    void admitted();
    [[nodiscard]] bool closed() const noexcept { return m_phase == Phase::Closed; }

private:
    enum class Phase : std::uint8_t {
        Handshake,
        Ready, // for the next command
        Waiting, // in line for a place
        InService,
        Stalled,
        Dripping, // byte by byte
        Lingering, // all is said; until the client closes
        Closed
    };
    struct Stamp {
        std::uint64_t end = 0; // bytes read so far
        std::int64_t atNs = 0;
    };
    struct Unsent {
        std::uint64_t end = 0; // bytes written so far, once the reply has left
        CommandRecord record;
    };

    void begin(const char* verb, std::int64_t receivedNs, bool rejectable);
    void serve();
    void complete();
    void flush();
    void afterFlush();
    void handshakeStep();
    void arm(std::int64_t atNs);
    void close();
    std::int64_t stampOf(std::uint64_t end);

    Floor& m_floor;
    Transport m_transport;
    std::unique_ptr<Conversation> m_conversation;
    std::uint64_t m_key, m_number;
    Phase m_phase = Phase::Ready;
    bool m_greeted = false, m_turnAway, m_eof = false, m_readPaused = false, m_hasPlace = false,
         m_drips = false;
    bool m_finishing = false, m_quit = false, m_tlsNext = false;
    std::uint32_t m_timerId = 0, m_commands = 0;
    std::uint64_t m_read = 0, m_written = 0; // bytes
    std::size_t m_sent = 0; // of m_out
    std::string m_out;
    std::int64_t m_dripAtNs = 0; // when the next byte may leave
    std::int64_t m_startNs = 0; // earliest start of the next command's service
    CommandRecord m_record; // of the command at hand
    std::vector<Stamp> m_stamps;
    std::vector<Unsent> m_unsent;
};

} // namespace loadstone::embedded
