// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/connection.h"

#include "base/random.h"

#include <algorithm>

namespace loadstone::embedded {

namespace {

constexpr std::size_t kMaxBacklog = 256U << 10; // unread commands; then the client has to wait
constexpr std::size_t kMaxUnsent = 256U << 10; // replies; then no further command is taken
constexpr unsigned kReadsAtOnce = 16; // then the others have their turn
constexpr std::int64_t kLingerNs = 2'000'000'000;
constexpr std::uint64_t kServiceTopic = 0x5e41ce; // sets these dice apart from those of the faults

} // namespace

Connection::Connection(Floor& floor, FileDescriptor socket, Service service, bool implicitTls,
    std::uint64_t key, std::uint64_t number, const Peer& peer, std::int64_t acceptedNs, bool turnAway)
    : m_floor(floor)
    , m_transport(std::move(socket))
    , m_conversation(Conversation::make(service, floor.house, number, peer.text, implicitTls))
    , m_key(key)
    , m_number(number)
    , m_turnAway(turnAway)
{
    m_conversation->knownAs(key);
    m_record.protocol = nameOf(service);
    m_record.connection = number;
    m_record.address = peer.address;
    m_record.isIpv6 = peer.isIpv6;
    m_record.port = peer.port;
    if (implicitTls) {
        m_phase = Phase::Handshake;
        if (!m_transport.beginTls(m_floor.tls))
            close();
        return;
    }
    begin("banner", acceptedNs, false);
}

Connection::~Connection()
{
    if (m_hasPlace)
        if (const auto next = m_floor.desk.leave())
            m_floor.admitted.push_back(*next);
}

void Connection::close()
{
    m_phase = Phase::Closed;
}

void Connection::arm(std::int64_t atNs)
{
    m_floor.reactor.arm(atNs, m_key, ++m_timerId);
}

void Connection::handshakeStep()
{
    switch (m_transport.shakeHands()) {
    case Transport::Status::Ok:
        m_phase = Phase::Ready;
        if (!m_greeted)
            begin("banner", monotonicNs(), false);
        return;
    case Transport::Status::WouldBlock:
        return;
    case Transport::Status::Closed:
        return close();
    }
}

void Connection::read(std::uint32_t events)
{
    if (m_phase == Phase::Handshake)
        handshakeStep();
    if (m_phase == Phase::Handshake || m_phase == Phase::Closed || m_tlsNext)
        return;
    // A short read has emptied the socket, unless the end of the stream is announced and still to be read.
    const bool untilEnd =
        m_transport.encrypted() || (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0 || m_readPaused;
    m_readPaused = false;
    for (unsigned reads = 0; !m_eof; ++reads) {
        if (m_conversation->backlog() > kMaxBacklog || reads == kReadsAtOnce) {
            m_readPaused = true;
            return;
        }
        const auto got = m_transport.read(m_floor.scratch);
        if (got.status == Transport::Status::WouldBlock)
            return;
        if (got.status == Transport::Status::Closed) {
            m_eof = true;
            return;
        }
        if (m_phase == Phase::Lingering)
            continue;
        m_read += got.bytes;
        m_stamps.push_back({ m_read, monotonicNs() });
        m_conversation->feed(std::string_view(m_floor.scratch.data(), got.bytes));
        if (got.bytes < m_floor.scratch.size() && !untilEnd)
            return;
    }
}

std::int64_t Connection::stampOf(std::uint64_t end)
{
    const auto stamp =
        std::find_if(m_stamps.begin(), m_stamps.end(), [&](const Stamp& s) { return s.end >= end; });
    if (stamp == m_stamps.end())
        return monotonicNs();
    const std::int64_t at = stamp->atNs;
    m_stamps.erase(m_stamps.begin(), stamp);
    return at;
}

void Connection::proceed()
{
    if (m_phase == Phase::Closed || m_phase == Phase::Handshake)
        return;
    if (m_phase == Phase::Lingering) {
        if (m_eof)
            close();
        return;
    }
    if (m_out.empty())
        m_out.swap(m_floor.spareOut);
    bool idle = false;
    for (;;) {
        while (m_phase == Phase::Ready && !m_finishing && !m_tlsNext && m_out.size() - m_sent < kMaxUnsent) {
            const auto turn = m_conversation->next();
            if (!turn) {
                m_stamps.clear(); // what is left of the input is no whole command: its end is still to come
                idle = true;
                if (const std::int64_t again = m_conversation->tellUnasked(m_out, monotonicNs()); again != 0)
                    arm(again);
                break;
            }
            begin(turn->verb, stampOf(turn->end), turn->rejectable);
        }
        flush();
        if (idle || m_phase != Phase::Ready || m_finishing || !m_out.empty())
            break;
    }
    if (m_out.empty() && m_out.capacity() > m_floor.spareOut.capacity())
        m_out.swap(m_floor.spareOut);
    if (m_out.empty())
        m_out = std::string(); // gives its memory back, unlike clear()
    if (m_phase == Phase::Ready && idle && m_eof && m_out.empty())
        return close();
    if (m_readPaused && m_phase != Phase::Closed && m_conversation->backlog() <= kMaxBacklog)
        m_floor.again.push_back(m_key);
}

void Connection::begin(const char* verb, std::int64_t receivedNs, bool rejectable)
{
    const TargetOptions& options = m_floor.house.options;
    const bool banner = !m_greeted;
    if (!banner) {
        ++m_commands;
        ++m_floor.house.totals.commands;
    }
    m_record.verb = verb;
    m_record.command = m_commands;
    m_record.receivedNs = receivedNs;
    m_record.repliedNs = 0;
    m_record.drawnNs = 0;
    m_record.reply = 0;
    m_record.fault = Fault::none;
    if (banner)
        m_record.fault = m_turnAway ? Fault::none : options.faults.ofConnection(m_number);
    else if (options.faults.anyOfCommands())
        m_record.fault = options.faults.ofCommand(m_number, m_commands, rejectable);
    if (options.serviceTime.shape != ServiceTime::Shape::none
        && (banner ? options.timedVerbs.banner() : options.timedVerbs.contains(verb))) {
        Random random(hashOf({ options.seed, kServiceTopic, m_number, m_commands }));
        m_record.drawnNs = options.serviceTime.draw(random).count();
    }
    m_startNs =
        std::max(m_startNs, receivedNs); // a pipelined command's turn comes when the one before is done
    if (m_record.drawnNs > 0 && !m_floor.desk.tryEnter()) {
        m_phase = Phase::Waiting;
        m_floor.desk.wait(m_key);
        return;
    }
    m_hasPlace = m_record.drawnNs > 0;
    serve();
}

void Connection::admitted()
{
    // Reached only while waiting: a connection that closes in line is skipped by the server.
    m_hasPlace = true;
    m_startNs = monotonicNs();
    serve();
    proceed();
}

void Connection::serve()
{
    const std::int64_t due = m_startNs + m_record.drawnNs;
    const std::int64_t released = m_floor.desk.outsideFreeze(std::max(due, m_startNs));
    m_phase = Phase::InService;
    if (m_record.drawnNs == 0 && m_record.fault != Fault::stall) {
        // The freeze is judged by the time of the reply, not by that of the command's arrival.
        const std::int64_t now = m_floor.house.options.freezeFor.count() == 0 ? 0 : monotonicNs();
        const std::int64_t at = m_floor.desk.outsideFreeze(now);
        return at == now ? complete() : arm(at);
    }
    arm(released);
}

void Connection::timer(std::uint32_t id)
{
    if (id != m_timerId || m_phase == Phase::Closed)
        return;
    const std::int64_t now = monotonicNs();
    switch (m_phase) {
    case Phase::InService:
    case Phase::Stalled:
        if (const std::int64_t at = m_floor.desk.outsideFreeze(now); at != now)
            return arm(at);
        if (m_hasPlace) {
            m_hasPlace = false;
            if (const auto next = m_floor.desk.leave())
                m_floor.admitted.push_back(*next);
        }
        if (m_phase == Phase::InService && m_record.fault == Fault::stall) {
            m_phase = Phase::Stalled;
            return arm(now + m_floor.house.options.faults.duration(Fault::stall).count());
        }
        if (m_out.empty())
            m_out.swap(m_floor.spareOut);
        m_startNs = now;
        complete();
        return proceed();
    case Phase::Dripping:
        flush();
        return proceed();
    case Phase::Lingering:
        return close();
    case Phase::Ready: // something may have come to tell
        return proceed();
    default:
        return;
    }
}

void Connection::complete()
{
    const TargetOptions& options = m_floor.house.options;
    m_phase = Phase::Ready;
    if (m_record.fault == Fault::drop) {
        if (options.faults.resets(Fault::drop))
            m_transport.resetOnClose();
        m_floor.house.log.add(m_record);
        return close();
    }
    if (!m_greeted) {
        m_greeted = true;
        if (m_turnAway || m_record.fault == Fault::refuse) {
            ++m_floor.house.totals.refused;
            m_finishing = true;
            if (m_record.fault == Fault::refuse && options.faults.resets(Fault::refuse)) {
                m_transport.resetOnClose();
                m_floor.house.log.add(m_record);
                return close();
            }
            m_record.reply = m_conversation->turnAway(m_out);
        } else {
            m_record.reply =
                m_record.protocol == nameOf(Service::Pop3) || m_record.protocol == nameOf(Service::Imap)
                ? kReplyOk
                : 220;
            m_conversation->greet(m_out);
        }
    } else if (m_record.fault == Fault::reject) {
        m_record.reply = m_conversation->reject(m_out, options.faults.rejectCode());
    } else {
        m_record.reply = m_conversation->answer(m_out, monotonicNs());
        m_tlsNext = m_conversation->takeTlsRequest();
    }
    if (m_conversation->closing()) {
        m_finishing = true;
        m_quit = m_record.reply == 221 || m_record.reply == kReplyOk;
    }
    m_unsent.push_back({ m_written + (m_out.size() - m_sent), m_record });
    if (m_record.fault == Fault::slow) {
        m_drips = true;
        m_dripAtNs = 0;
        m_phase = Phase::Dripping;
    }
}

void Connection::flush()
{
    if (m_phase == Phase::Closed)
        return;
    while (m_sent < m_out.size()) {
        const std::size_t count = m_drips ? 1 : m_out.size() - m_sent;
        const std::int64_t now = monotonicNs();
        if (m_drips && now < m_dripAtNs)
            return;
        const auto put = m_transport.write(std::string_view(m_out).substr(m_sent, count));
        if (put.status == Transport::Status::Closed)
            return close();
        if (put.status == Transport::Status::WouldBlock)
            return;
        m_sent += put.bytes;
        m_written += put.bytes;
        std::size_t left = 0;
        for (; left < m_unsent.size() && m_unsent[left].end <= m_written; ++left) {
            m_unsent[left].record.repliedNs = now;
            m_floor.house.log.add(m_unsent[left].record);
        }
        m_unsent.erase(m_unsent.begin(), m_unsent.begin() + static_cast<std::ptrdiff_t>(left));
        if (m_drips && m_sent < m_out.size()) {
            m_dripAtNs = now + m_floor.house.options.faults.duration(Fault::slow).count();
            return arm(m_dripAtNs);
        }
    }
    m_out.clear();
    m_sent = 0;
    afterFlush();
}

void Connection::afterFlush()
{
    m_drips = false;
    if (m_phase == Phase::Dripping)
        m_phase = Phase::Ready;
    if (m_phase != Phase::Ready)
        return;
    if (m_tlsNext) {
        m_tlsNext = false;
        m_stamps.clear();
        m_phase = Phase::Handshake;
        if (!m_transport.beginTls(m_floor.tls))
            return close();
        return handshakeStep();
    }
    if (!m_finishing)
        return;
    m_transport.shutDown();
    if (m_quit || m_eof)
        return close();
    // An error reply must not be lost in a reset because the client still talks.
    m_phase = Phase::Lingering;
    arm(monotonicNs() + kLingerNs);
}

} // namespace loadstone::embedded
