// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session_stage.h"

#include "base/thread_placement.h"
#include "mail/action/smtp_action.h"
#include "mail/action/user_session.h"
#include "mail/preflight/preflight_probe.h"
#include "protocol/common/deflate.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace loadstone::fuzz {

namespace asio = boost::asio;

namespace {

constexpr const char* kPassword = "pa55-w0rd";
constexpr const char* kProfile = R"(format = 1
kind = "profile"
title = "Everything"
day = "1 h"
client = "online"
arrivals = "even"
pause = "0 s"
[per_day]
send = 1
check_inbox = 1
browse = 1
empty_deleted_items = 1
update_schedule = 1
make_appointment = 1
request_meeting = 1
check_free_busy = 1
browse_calendar = 1
create_contact = 1
browse_contacts = 1
journal = 1
[per_read]
delete = "50 %"
[recipients]
per_message = 2
[[messages]]
size = "1 KB"
)";

bool showing()
{
    static const bool show = std::getenv("LOADSTONE_FUZZ_SHOW") != nullptr;
    return show;
}

void show(const char* who, std::size_t wire, std::string_view text)
{
    if (!showing())
        return;
    std::fprintf(stderr, "%s%zu: ", who, wire);
    for (const char c : text.substr(0, 400))
        if (c == '\n')
            std::fputs("\\n", stderr);
        else if (c != '\r')
            std::fputc(c < ' ' && c >= 0 ? '?' : c, stderr);
    std::fputc('\n', stderr);
}

/// The server's end of a connection.
struct Wire {
    explicit Wire(int end)
        : fd(end)
    {
    }
    int fd; ///< -1: closed
    bool connected = false;
    std::size_t number = 0;
    std::string line; ///< that the client is saying
    std::unique_ptr<protocol::DeflateReader> in;
    std::unique_ptr<protocol::DeflateWriter> out;
};

class Server {
public:
    Server(std::string_view script, bool smallBuffers)
        : m_script(script)
        , m_smallBuffers(smallBuffers)
    {
    }
    ~Server()
    {
        for (Wire& wire : m_wires)
            if (wire.fd >= 0)
                ::close(wire.fd);
    }
    /// Takes in what the client has sent and no turn has listened to. After the session.
    void hearRest()
    {
        for (Wire& wire : m_wires)
            if (wire.fd >= 0)
                hearRest(wire);
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    int socket()
    {
        std::array<int, 2> ends {};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
            found("no socket pair");
        constexpr int kSmall = 4096;
        if (m_smallBuffers)
            ::setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &kSmall, sizeof kSmall);
        m_clients.push_back(ends[0]);
        m_wires.emplace_back(ends[1]).number = m_wires.size();
        return ends[0];
    }
    bool connect(int client)
    {
        for (auto [end, wire] = std::pair(m_clients.rbegin(), m_wires.rbegin()); end != m_clients.rend();
             ++end, ++wire)
            if (*end == client) {
                wire->connected = true;
                use(*wire);
                return true;
            }
        return false;
    }

    /// The client waits. False: the server has nothing left to do.
    bool turn()
    {
        constexpr unsigned kMost = 100'000;
        if (++m_turns > kMost)
            found("a session without an end");
        if (m_limited && m_left == 0) {
            m_limited = false;
            return speak();
        }
        if (listen())
            return true;
        m_limited = false;
        return speak();
    }

    std::function<void()> timePasses, stops;
    std::function<bool()> rests; ///< the client waits for a while of its own
    std::uint64_t dots = 0, bytes = 0;

private:
    /// Of what is used the last is m_current, the one before it m_other.
    void use(Wire& wire)
    {
        if (m_current != &wire)
            m_other = std::exchange(m_current, &wire);
    }
    static bool open(const Wire* wire) { return wire != nullptr && wire->fd >= 0 && wire->connected; }

    bool listen()
    {
        for (Wire& wire : m_wires) {
            if (!open(&wire))
                continue;
            std::array<char, 4096> buffer;
            const std::size_t most = m_limited ? std::min(m_left, buffer.size()) : buffer.size();
            const ssize_t n = ::recv(wire.fd, buffer.data(), most, MSG_DONTWAIT);
            if (n > 0) {
                use(wire);
                if (m_limited)
                    m_left -= static_cast<std::size_t>(n);
                hear(wire, { buffer.data(), static_cast<std::size_t>(n) });
                return true;
            }
            if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
                hangUp(wire);
        }
        return false;
    }

    void hear(Wire& wire, std::string_view text)
    {
        bytes += text.size();
        if (!wire.in)
            return hearPlain(wire, text);
        std::array<char, 4096> buffer;
        const std::string_view all = text;
        for (std::string_view plain;;) {
            const auto status = wire.in->read(text, buffer, plain);
            if (status == protocol::DeflateReader::Status::damaged) { // the client does not deflate
                wire.in.reset();
                return hearPlain(wire, all);
            }
            hearPlain(wire, plain);
            if (status == protocol::DeflateReader::Status::bytes)
                continue;
            return;
        }
    }

    void hearPlain(Wire& wire, std::string_view text)
    {
        show("C", wire.number, text);
        for (const char c : text) {
            if (c != '\n') {
                if (wire.line.size() < 64)
                    wire.line.push_back(c);
                continue;
            }
            dots += wire.line == ".\r" ? 1 : 0;
            const std::string tag = wire.line.substr(0, wire.line.find(' '));
            if (tag.size() > 1 && tag.size() < wire.line.size() && tag[0] == 'a'
                && tag.find_first_not_of("0123456789", 1) == std::string::npos) {
                std::rotate(m_tags.rbegin(), m_tags.rbegin() + 1, m_tags.rend());
                m_tags[0] = tag;
            }
            wire.line.clear();
        }
    }

    void say(Wire& wire, std::string& text)
    {
        if (text.empty() || wire.fd < 0)
            return text.clear();
        show("S", wire.number, text);
        if (wire.out) {
            std::string packed;
            wire.out->write(text, packed);
            wire.out->flush(packed);
            text = packed;
        }
        (void)::send(wire.fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        text.clear();
    }

    /// Leaves it where it is: a connection that is closed with something unread breaks in another way.
    void hearRest(Wire& wire)
    {
        int size = 0;
        if (::ioctl(wire.fd, FIONREAD, &size) != 0 || size <= 0)
            return;
        std::string rest(static_cast<std::size_t>(size), '\0');
        const ssize_t n = ::recv(wire.fd, rest.data(), rest.size(), MSG_PEEK | MSG_DONTWAIT);
        if (n > 0)
            hear(wire, std::string_view(rest).substr(0, static_cast<std::size_t>(n)));
    }

    void hangUp(Wire& wire)
    {
        hearRest(wire);
        ::close(std::exchange(wire.fd, -1));
        show("S", wire.number, "[closes]");
    }

    /// Up to where it waits again.
    bool speak()
    {
        if (!open(m_current)) { // the client may go on with what it has
            m_current = m_other;
            const auto any =
                std::find_if(m_wires.rbegin(), m_wires.rend(), [](const Wire& wire) { return open(&wire); });
            if (!open(m_current) && any == m_wires.rend())
                return false;
            if (!open(m_current))
                m_current = &*any;
            m_other = nullptr;
        }
        Wire* to = m_current;
        std::string text;
        bool spoke = false;
        while (!m_script.empty()) {
            const char c = m_script.front();
            m_script.remove_prefix(1);
            spoke = true;
            switch (c) {
            case 0x1e:
                say(*to, text);
                return true;
            case 0x1d:
                say(*to, text);
                m_limited = true;
                m_left =
                    m_script.empty() ? 0 : std::size_t { 8 } * static_cast<unsigned char>(m_script.front());
                m_script.remove_prefix(m_script.empty() ? 0 : 1);
                return true;
            case 0x1c:
                say(*to, text);
                hangUp(*to);
                return true;
            case 0x1f:
                say(*to, text);
                to = to == m_current && open(m_other) ? m_other : m_current;
                break;
            case 0x1b:
                say(*to, text);
                timePasses ? timePasses() : hangUp(*to);
                return true;
            case 0x1a:
                say(*to, text);
                to->in = std::make_unique<protocol::DeflateReader>();
                to->out = std::make_unique<protocol::DeflateWriter>();
                break;
            case 0x18:
                say(*to, text);
                if (stops)
                    stops();
                return true;
            case 1:
            case 2:
            case 3:
            case 4:
                text += m_tags[static_cast<std::size_t>(c) - 1];
                break;
            default:
                text.push_back(c);
            }
        }
        say(*to, text);
        if (spoke)
            return true;
        for (Wire& wire : m_wires)
            if (open(&wire))
                hangUp(wire);
        return true;
    }

    std::string_view m_script;
    bool m_smallBuffers, m_limited = false;
    std::size_t m_left = 0;
    unsigned m_turns = 0;
    std::vector<int> m_clients;
    std::list<Wire> m_wires;
    Wire *m_current = nullptr, *m_other = nullptr;
    std::array<std::string, 4> m_tags { "a0", "a0", "a0", "a0" };
};

Server* server = nullptr; // while a session plays

int wait(int set, epoll_event* events, int most, int timeout)
{
    return static_cast<int>(::syscall(SYS_epoll_pwait, set, events, most, timeout, nullptr, 0));
}

} // namespace

void found(const std::string& what)
{
    std::fprintf(stderr, "found: %s\n", what.c_str());
    std::abort();
}

struct SessionStage::State {
    mail::MailSetup setup;
    std::unique_ptr<mail::WorkerContext> context;
};

SessionStage::SessionStage(const std::string& text)
    : m_state(std::make_unique<State>())
{
    const plan::LoadedPlan loaded = plan::parsePlan(
        text, "fuzz", [](const std::string&) { return Result<std::string>(std::string(kProfile)); });
    if (!loaded.ok()) {
        std::string why;
        for (const Problem& problem : loaded.problems)
            why += problem.field + " " + problem.message + "; ";
        found("no plan: " + why);
    }
    mail::MailSetup& setup = m_state->setup;
    setup.plan = *loaded.plan.mail();
    setup.password = kPassword;
    const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), 1);
    setup.smtp = setup.pop3 = setup.imap = setup.calendars.address = setup.contacts.address = place;
    setup.maxSessions = 10;
    plan::InitialMailbox few;
    few.inbox = few.messagesPerFolder = 1;
    few.folders = 1;
    few.appointments = few.contacts = 1;
    setup.plan.workload.initial = few;
    if (setup.plan.workload.profile)
        setup.plan.workload.profile->initial = few;
    for (plan::Step& step : setup.plan.workload.steps)
        step.hold = std::min<Nanoseconds>(step.hold, std::chrono::microseconds(50));
    setup.purpose = RunPurpose::initialise; // so that there are initial messages
    if (const auto finished = setup.finish(); !finished)
        found(finished.error().message);
    using asio::ssl::context;
    setup.smtpTls = setup.pop3Tls = setup.imapTls = std::make_shared<context>(context::tls_client);
    blockBrokenPipeSignal();
    m_state->context = std::make_unique<mail::WorkerContext>(setup);
    m_state->context->mailboxes = static_cast<std::uint32_t>(setup.plan.largestMix());
    m_state->context->origin = monoNow();
}

SessionStage::~SessionStage() = default;

mail::MailSetup& SessionStage::setup() noexcept
{
    return m_state->setup;
}

SessionInput::SessionInput(const std::uint8_t* data, std::size_t size)
    : server(reinterpret_cast<const char*>(data), size)
{
    constexpr std::size_t kMostLetters = 24;
    const std::size_t end = std::min(server.find('\x1e'), server.size());
    head = server.substr(0, std::min(end, kMostLetters));
    server.remove_prefix(std::min(end + 1, server.size()));
}

void chooseMechanism(const SessionInput& input, protocol::SaslOptions& sasl, protocol::SaslMechanism usual)
{
    using protocol::SaslMechanism;
    sasl.mechanism = input.has('M') ? SaslMechanism::cramMd5
        : input.has('S')            ? SaslMechanism::scramSha256
                                    : usual;
    sasl.nonce = "n";
}

Played SessionStage::play(std::string_view script, const Session& session)
{
    mail::WorkerContext& context = *m_state->context;
    Server own(script, m_smallBuffers);
    own.timePasses = [&] { asio::post(context.io, [&] { context.connections.expire(MonoTime::max()); }); };
    own.rests = [&] { return !context.holds.empty(); };
    own.stops = [&] {
        asio::post(context.io, [&] {
            context.stopping = true;
            context.connections.abortAll();
            for (asio::steady_timer* hold : context.holds)
                hold->cancel();
        });
    };
    server = &own;
    bool over = false;
    asio::co_spawn(context.io, session(context), [&](const std::exception_ptr& broken) {
        over = true;
        if (broken)
            std::rethrow_exception(broken);
    });
    context.io.restart();
    context.io.run();
    if (!over)
        found("a session that waits for nothing");
    context.users.clear();
    context.kept.clear();
    server = nullptr;

    context.atWork.clear();
    context.warned.clear();
    context.transcripts = {};
    context.damages = 0;
    context.stopping = false;
    Played played;
    metrics::Slab counted = metrics::Slab::of(context.series.list());
    context.recorder.collect(counted);
    played.prepared = context.series.preparationIn(counted);
    context.journal.collect([&](mail::JournalPages& pages) { played.pages = std::exchange(pages, {}); });
    own.hearRest();
    played.dots = own.dots;
    played.bytes = own.bytes;
    if (script.find(kPassword) == std::string_view::npos) {
        for (const Transcript& transcript : played.pages.transcripts)
            if (transcript.text.find(kPassword) != std::string::npos)
                found("a password in a transcript: " + transcript.text);
        for (const metrics::ErrorCount& error : played.pages.errors)
            if (error.text.find(kPassword) != std::string::npos)
                found("a password in an error: " + error.text);
    }
    if (showing()) {
        for (const metrics::ErrorCount& error : played.pages.errors)
            std::fprintf(stderr, "error: %s, %s\n", error.where.c_str(), toString(error.kind));
        for (const Transcript& transcript : played.pages.transcripts)
            std::fprintf(stderr, "--\n%s\n--\n", transcript.text.c_str());
    }
    return played;
}

void SessionStage::preflight(std::string_view script)
{
    Server own(script, m_smallBuffers);
    server = &own;
    mail::ProbeOptions options;
    options.limits = false;
    for (const PreflightFinding& finding : mail::probeServers(m_state->setup, options))
        show("P", 0, finding.found);
    server = nullptr;
}

} // namespace loadstone::fuzz

// The client's calls, while a session plays.

extern "C" int socket(int domain, int type, int protocol) noexcept
{
    if (loadstone::fuzz::server != nullptr)
        return loadstone::fuzz::server->socket();
    return static_cast<int>(::syscall(SYS_socket, domain, type, protocol));
}

extern "C" int connect(int fd, const sockaddr* address, socklen_t size)
{
    if (loadstone::fuzz::server != nullptr && loadstone::fuzz::server->connect(fd))
        return 0;
    return static_cast<int>(::syscall(SYS_connect, fd, address, size));
}

extern "C" int epoll_wait(int set, epoll_event* events, int most, int timeout)
{
    using namespace loadstone::fuzz;
    for (;;) {
        const int n = wait(set, events, most, server != nullptr ? 0 : timeout);
        if (n != 0 || timeout == 0 || server == nullptr)
            return n;
        const bool rests = server->rests && server->rests();
        if (!rests && server->turn())
            continue;
        constexpr int kLongest = 5000; // ms: timers of the session are short
        const int late = wait(set, events, most, kLongest);
        if (late == 0)
            found("a session that waits for ever");
        return late;
    }
}
