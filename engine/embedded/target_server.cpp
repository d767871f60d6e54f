// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/target_server.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace loadstone::embedded {

namespace {

// Keys of events: the low half is a listener's index, one of these, or kFirstSlot plus a connection's slot;
// the high half is the generation of that slot.
constexpr std::uint32_t kStop = 14, kParent = 15, kFirstSlot = 16; // below them the listeners
constexpr std::int64_t kStampWithinNs = 10'000;
constexpr std::size_t kReadBlock = 65536;
constexpr unsigned kAcceptsAtOnce = 64;

struct Address {
    sockaddr_storage storage {};
    socklen_t length = 0;
};

Address addressOf(const std::string& text, std::uint16_t port)
{
    Address address;
    if (auto* four = reinterpret_cast<sockaddr_in*>(&address.storage);
        inet_pton(AF_INET, text.c_str(), &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        address.length = sizeof(sockaddr_in);
        return address;
    }
    auto* six = reinterpret_cast<sockaddr_in6*>(&address.storage);
    inet_pton(AF_INET6, text.c_str(), &six->sin6_addr);
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    address.length = sizeof(sockaddr_in6);
    return address;
}

Connection::Peer peerOf(const sockaddr_storage& storage)
{
    Connection::Peer peer;
    char text[INET6_ADDRSTRLEN] = "";
    if (storage.ss_family == AF_INET) {
        const auto& four = reinterpret_cast<const sockaddr_in&>(storage);
        std::memcpy(peer.address.data(), &four.sin_addr, sizeof four.sin_addr);
        peer.port = ntohs(four.sin_port);
        inet_ntop(AF_INET, &four.sin_addr, text, sizeof text);
    } else {
        const auto& six = reinterpret_cast<const sockaddr_in6&>(storage);
        peer.isIpv6 = true;
        std::memcpy(peer.address.data(), &six.sin6_addr, sizeof six.sin6_addr);
        peer.port = ntohs(six.sin6_port);
        inet_ntop(AF_INET6, &six.sin6_addr, text, sizeof text);
    }
    peer.text = text;
    return peer;
}

std::uint16_t boundPort(int fd)
{
    sockaddr_storage storage {};
    socklen_t length = sizeof storage;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &length);
    return peerOf(storage).port;
}

} // namespace

TargetServer::TargetServer(const TargetOptions& options)
    : m_options(options)
    , m_house(options)
    , m_desk(options.capacity, options.freezeAfter, options.freezeFor)
    , m_floor { m_house, m_reactor, m_desk, nullptr, {}, std::vector<char>(kReadBlock), {}, {} }
{
}

Result<void> TargetServer::open()
{
    if (auto opened = m_reactor.open(); !opened)
        return opened;
    if (m_options.tls) {
        auto context = makeTlsContext(m_options.certificateFile, m_options.keyFile, m_options.domain);
        if (!context)
            return context.error();
        m_tls = std::move(*context);
        m_floor.tls = m_tls.get();
    }
    const auto serve = [&](const char* name, Service service, bool implicitTls,
                           std::optional<std::uint16_t> port) {
        return port ? listen(name, service, implicitTls, *port) : Result<void>();
    };
    for (const auto& listening : { serve("smtp", Service::Smtp, false, m_options.smtpPort),
             serve("smtps", Service::Smtp, true, m_options.smtpsPort),
             serve("lmtp", Service::Lmtp, false, m_options.lmtpPort),
             serve("pop3", Service::Pop3, false, m_options.pop3Port),
             serve("pop3s", Service::Pop3, true, m_options.pop3sPort),
             serve("imap", Service::Imap, false, m_options.imapPort),
             serve("imaps", Service::Imap, true, m_options.imapsPort) })
        if (!listening)
            return listening;
    for (std::size_t i = 0; i < m_listeners.size(); ++i)
        if (!m_reactor.watch(m_listeners[i].socket.get(), i, EPOLLIN))
            return systemError("epoll");
    m_reserve = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return m_house.log.open(m_options.logFile, m_options.messageLogFile);
}

Result<void> TargetServer::listen(const char* name, Service service, bool implicitTls, std::uint16_t port)
{
    Listener listener;
    listener.name = name;
    listener.service = service;
    listener.implicitTls = implicitTls;
    const Address address = addressOf(m_options.address, port);
    const std::string what = fmt::format("{} port {} of {}", name, port, m_options.address);
    listener.socket =
        FileDescriptor(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1;
    if (!listener.socket || ::setsockopt(listener.socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0
        || ::bind(listener.socket.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length)
            != 0
        || ::listen(listener.socket.get(), SOMAXCONN) != 0)
        return systemError(what);
    listener.port = boundPort(listener.socket.get());
    m_listeners.push_back(std::move(listener));
    return {};
}

std::string TargetServer::readyLine() const
{
    std::string line = R"({"event":"ready")";
    for (const Listener& listener : m_listeners)
        line += fmt::format(R"(,"{}":{})", listener.name, listener.port);
    return line + fmt::format(R"(,"address":"{}","pid":{}}})", m_options.address, ::getpid()) + "\n";
}

std::string TargetServer::endLine() const
{
    const Totals& t = m_house.totals;
    return fmt::format(
        R"({{"event":"end","accepted":{},"delivered":{},"retrieved":{},"deleted":{},"lost":{},"duplicated":{},)"
        R"("damaged":{},"delayed":{},"connections":{},"refused":{},"commands":{}}})"
        "\n",
        t.accepted, t.delivered, t.retrieved, t.deleted, t.lost, t.duplicated, t.damaged, t.delayed,
        t.connections, t.refused, t.commands);
}

void TargetServer::accept(const Listener& listener)
{
    for (unsigned i = 0; i < kAcceptsAtOnce; ++i) {
        sockaddr_storage storage {};
        socklen_t length = sizeof storage;
        FileDescriptor socket(::accept4(listener.socket.get(), reinterpret_cast<sockaddr*>(&storage), &length,
            SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!socket) {
            if (errno != EMFILE && errno != ENFILE)
                return;
            // Without a descriptor the client would stay in the backlog and wake this thread for ever.
            m_reserve.reset();
            FileDescriptor(::accept(listener.socket.get(), nullptr, nullptr)).reset();
            ++m_house.totals.refused;
            m_reserve = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
            continue;
        }
        add(std::move(socket), listener, peerOf(storage), monotonicNs());
    }
}

void TargetServer::add(
    FileDescriptor socket, const Listener& listener, const Connection::Peer& peer, std::int64_t nowNs)
{
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (m_freeSlots.empty()) {
        m_freeSlots.push_back(static_cast<std::uint32_t>(m_slots.size()));
        m_slots.emplace_back();
    }
    const std::uint32_t index = m_freeSlots.back();
    Slot& slot = m_slots[index];
    const std::uint64_t key = std::uint64_t { slot.generation } << 32 | (kFirstSlot + index);
    if (!m_reactor.watch(socket.get(), key, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET))
        return;
    m_freeSlots.pop_back();
    ++m_open;
    m_desk.connected(nowNs);
    const std::uint64_t number = ++m_house.totals.connections;
    slot.connection = std::make_unique<Connection>(m_floor, std::move(socket), listener.service,
        listener.implicitTls, key, number, peer, nowNs, m_open > m_options.maxConnections);
    slot.connection->proceed();
    reapIfClosed(key);
}

TargetServer::Slot* TargetServer::find(std::uint64_t key)
{
    const auto index = static_cast<std::uint32_t>(key) - kFirstSlot; // wraps to a large number for other keys
    if (index >= m_slots.size() || m_slots[index].generation != key >> 32 || !m_slots[index].connection)
        return nullptr;
    return &m_slots[index];
}

void TargetServer::reapIfClosed(std::uint64_t key)
{
    Slot* const slot = find(key);
    if (slot == nullptr || !slot->connection->closed())
        return;
    slot->connection.reset();
    slot->queued = false;
    ++slot->generation;
    m_freeSlots.push_back(static_cast<std::uint32_t>(key) - kFirstSlot);
    --m_open;
}

void TargetServer::collect(bool poll)
{
    const auto events = m_reactor.wait(poll);
    m_collectedNs = monotonicNs();
    for (const epoll_event& event : events)
        enqueue(event.data.u64, event.events);
    for (const std::uint64_t key : m_house.store.bell().takeCalled())
        enqueue(key, 0);
    m_again.swap(m_floor.again);
    for (const std::uint64_t key : m_again)
        enqueue(key, 0);
    m_again.clear();
}

void TargetServer::enqueue(std::uint64_t key, std::uint32_t events)
{
    Slot* const slot = find(key);
    if (slot != nullptr)
        slot->connection->read(events);
    else if (key >= kFirstSlot)
        return;
    // One entry each, however often it is reported before its turn comes.
    bool& queued = slot != nullptr ? slot->queued : m_queued[key];
    if (!std::exchange(queued, true))
        m_ready.push_back(key);
}

void TargetServer::serveAdmitted()
{
    while (!m_floor.admitted.empty()) {
        const std::uint64_t key = m_floor.admitted.back();
        m_floor.admitted.pop_back();
        if (Slot* const slot = find(key)) {
            slot->connection->admitted();
            reapIfClosed(key);
        } else if (const auto next = m_desk.leave()) {
            m_floor.admitted.push_back(*next);
        }
    }
}

bool TargetServer::serveDueTimer()
{
    const auto due = m_reactor.takeDue();
    if (!due)
        return false;
    if (Slot* const slot = find(due->key)) {
        slot->connection->timer(due->id);
        reapIfClosed(due->key);
    }
    return true;
}

void TargetServer::serveNext(int parentFd)
{
    const std::uint64_t key = m_ready.front();
    m_ready.pop_front();
    if (Slot* const slot = find(key)) {
        slot->queued = false;
        slot->connection->proceed();
        return reapIfClosed(key);
    }
    if (key >= kFirstSlot)
        return;
    m_queued[key] = false;
    if (key == kStop) {
        m_running = false;
    } else if (key == kParent) {
        readParent(parentFd);
    } else {
        accept(m_listeners[key]);
    }
}

void TargetServer::readParent(int parentFd)
{
    std::array<char, 4096> bytes {};
    const ssize_t n = ::read(parentFd, bytes.data(), bytes.size());
    m_running = n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n <= 0 || !m_control)
        return;
    const std::string answers = m_control->take({ bytes.data(), static_cast<std::size_t>(n) }, monotonicNs());
    std::fputs(answers.c_str(), stdout);
    std::fflush(stdout);
}

void TargetServer::takeCommands(TargetOptions& options)
{
    m_control = std::make_unique<TargetControl>(options, m_desk, m_house.store, m_floor.admitted);
}

Result<void> TargetServer::run(int stopFd, int parentFd)
{
    if (!m_reactor.watch(stopFd, kStop, EPOLLIN))
        return systemError("epoll");
    if (parentFd >= 0)
        m_reactor.watch(
            parentFd, kParent, EPOLLIN); // a file or /dev/null cannot be watched: the signal remains
    m_running = true;
    while (m_running) {
        // However much there is to do, what arrives meanwhile is read, and so stamped, soon.
        const bool idle = m_ready.empty() && m_floor.again.empty() && m_house.store.bell().silent();
        if (idle || monotonicNs() - m_collectedNs > kStampWithinNs)
            collect(!idle);
        if (!serveDueTimer() && !m_ready.empty())
            serveNext(parentFd);
        serveAdmitted();
    }
    m_slots.clear();
    return m_house.log.close();
}

} // namespace loadstone::embedded
