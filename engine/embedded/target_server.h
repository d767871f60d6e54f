// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/connection.h"
#include "embedded/target_control.h"
#include "embedded/tls_identity.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace loadstone::embedded {

/// Listens, accepts and serves until told to stop. One thread.
class TargetServer {
public:
    explicit TargetServer(const TargetOptions& options);

    /// Lines of the descriptor that run() gets as `parentFd` change `options`, which are those of this server. Before run().
    void takeCommands(TargetOptions& options);
    /// Binds all ports and prepares logs and TLS.
    Result<void> open();
    /// {"event":"ready",...} with the ports, one line.
    [[nodiscard]] std::string readyLine() const;
    /// Serves until `stopFd` (a signalfd) or, when not negative, the end of `parentFd` asks to stop.
    Result<void> run(int stopFd, int parentFd);
    /// {"event":"end",...} with the totals, one line. After run().
    [[nodiscard]] std::string endLine() const;

private:
    struct Listener {
        FileDescriptor socket;
        const char* name = "";
        Service service = Service::Smtp;
        bool implicitTls = false;
        std::uint16_t port = 0;
    };
    struct Slot {
        std::unique_ptr<Connection> connection;
        std::uint32_t generation = 0;
        bool queued = false; // in m_ready
    };

    Result<void> listen(const char* name, Service service, bool implicitTls, std::uint16_t port);
    void accept(const Listener& listener);
    void add(
        FileDescriptor socket, const Listener& listener, const Connection::Peer& peer, std::int64_t nowNs);
    Slot* find(std::uint64_t key);
    void reapIfClosed(std::uint64_t key);
    void collect(bool poll);
    void enqueue(std::uint64_t key, std::uint32_t events);
    void serveAdmitted();
    bool serveDueTimer();
    void serveNext(int parentFd);
    void readParent(int parentFd);

    const TargetOptions& m_options;
    MailHouse m_house;
    Reactor m_reactor;
    ServiceDesk m_desk;
    TlsContext m_tls;
    Floor m_floor;
    std::unique_ptr<TargetControl> m_control; // null: what comes is of no meaning
    std::vector<Listener> m_listeners;
    FileDescriptor m_reserve; // given up to turn a client away when there are no descriptors left
    std::vector<std::uint32_t> m_freeSlots;
    std::size_t m_open = 0;
    std::deque<std::uint64_t> m_ready; // read from, and waiting for their turn
    std::array<bool, 16> m_queued {}; // in m_ready: listeners and the two descriptors that ask to stop
    std::vector<std::uint64_t> m_again;
    std::int64_t m_collectedNs = 0;
    bool m_running = false;
    std::vector<Slot> m_slots; // last: connections use what is above
};

} // namespace loadstone::embedded
