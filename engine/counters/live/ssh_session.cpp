// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/ssh_session.h"

#include <loadstone/units.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace loadstone::counters {

namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLook = 50ms; // for a stop, while nothing comes
constexpr Nanoseconds kLastWords = 200ms; // for what ssh says while it ends
constexpr std::size_t kKeptWords = 4096, kLongestWords = 200;
constexpr const char* kGreeting = "loadstone-connected"; // a line of the other machine's shell

/// A socket, for a pipe whose reader has ended would be a signal to this whole process. Ours is `write`.
Result<Pipe> inputFor()
{
    std::array<int, 2> ends {};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return systemError("socketpair");
    return Pipe { FileDescriptor(ends[0]), FileDescriptor(ends[1]) };
}

/// ssh takes the shell's place. No terminal, no questions, nothing forwarded, no commands on this machine, no session for others to
/// share, which would outlive this one; silent peers are noticed between readings, too.
std::vector<std::string> argumentsFor(const std::string& destination)
{
    return { "-T", "-a", "-x", "-oBatchMode=yes", "-oServerAliveInterval=5", "-oServerAliveCountMax=3",
        "-oClearAllForwardings=yes", "-oPermitLocalCommand=no", "-oRemoteCommand=none", "-oControlMaster=no",
        "-oLogLevel=ERROR", "--", destination, "exec sh" };
}

int millisecondsTo(MonoTime deadline)
{
    const Nanoseconds left = std::clamp<Nanoseconds>(deadline - monoNow(), 0ns, kLook);
    return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

/// The last line that says something, which of several is ssh's own verdict.
std::string lastWords(std::string_view text)
{
    const auto end = text.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos)
        return {};
    text = text.substr(0, end + 1);
    std::string line(text.substr(text.find_last_of('\n') + 1).substr(0, kLongestWords));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
            c = ' ';
    if (line.ends_with('.'))
        line.pop_back();
    return line;
}

} // namespace

bool isDestination(const std::string& text)
{
    constexpr std::size_t kLongest = 255;
    constexpr std::string_view kMarks = "._-@:%+[]/";
    const auto plain = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || kMarks.find(c) != std::string_view::npos;
    };
    return !text.empty() && text.size() <= kLongest && std::ranges::all_of(text, plain) && text[0] != '-'
        && text.find("@-") == std::string::npos && text.find("/-") == std::string::npos;
}

SshSession::SshSession(std::string destination, std::string preamble, Nanoseconds longestConnecting)
    : m_destination(std::move(destination))
    , m_preamble(std::move(preamble))
    , m_longestConnecting(longestConnecting)
{
}

SshSession::~SshSession()
{
    close();
}

void SshSession::close()
{
    m_group.reset();
    for (FileDescriptor* end : { &m_input, &m_output, &m_complaints })
        end->reset();
}

Result<void> SshSession::start()
{
    if (!isDestination(m_destination))
        return fail("\"" + m_destination + "\" is not a destination for ssh");
    auto input = inputFor(), output = makePipe(), complaints = makePipe();
    for (const auto* pipe : { &input, &output, &complaints })
        if (!*pipe)
            return pipe->error().within("ssh");
    auto group = ProcessGroup::start("exec ssh \"$@\"\n", argumentsFor(m_destination),
        { input->read.get(), output->write.get(), complaints->write.get() });
    if (!group)
        return group.error();
    m_group.emplace(*std::move(group));
    m_input = std::move(input->write);
    m_output = std::move(output->read);
    m_complaints = std::move(complaints->read);
    for (const auto* end : { &m_input, &m_output, &m_complaints })
        ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
    m_said.clear();
    m_toSend = m_preamble + "echo " + kGreeting + "\n";
    m_received = "\n"; // so that the last line is found as the first one, too
    m_begun = monoNow();
    m_isConnected = false;
    return {};
}

Result<void> SshSession::connect(const ReadingLimits& limits)
{
    if (!m_group)
        if (const auto started = start(); !started)
            return started;
    if (m_isConnected)
        return {};
    // Before that nothing is asked, so that no answer is older than its reading, and none is asked for twice.
    if (const auto greeting = talk(kGreeting, limits); !greeting) {
        const bool isLate = greeting.error().code == boost::system::errc::timed_out;
        if (!isLate || monoNow() - m_begun >= m_longestConnecting)
            close();
        return greeting.error();
    }
    m_isConnected = true;
    return {};
}

Result<std::string> SshSession::exchange(
    const std::string& script, const std::string& last, const ReadingLimits& limits)
{
    if (const auto connected = connect(limits); !connected)
        return connected.error();
    m_toSend = script;
    m_received = "\n";
    auto answer = talk(last, limits);
    if (!answer)
        close();
    return answer;
}

Result<std::string> SshSession::talk(const std::string& last, const ReadingLimits& limits)
{
    const std::string end = "\n" + last + "\n";
    for (;;) {
        if (limits.stop.stop_requested())
            return fail("stopped", make_error_code(boost::system::errc::operation_canceled));
        if (monoNow() >= limits.deadline)
            return lateness();
        const auto out = static_cast<short>(m_toSend.empty() ? 0 : POLLOUT);
        std::array<pollfd, 3> waiting { { { m_output.get(), POLLIN, 0 }, { m_complaints.get(), POLLIN, 0 },
            { out != 0 ? m_input.get() : -1, out, 0 } } };
        if (::poll(waiting.data(), waiting.size(), millisecondsTo(limits.deadline)) < 0 && errno != EINTR)
            return systemError("ssh: poll");
        if (out != 0) {
            const ssize_t n =
                ::send(m_input.get(), m_toSend.data(), m_toSend.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n > 0)
                m_toSend.erase(0, static_cast<std::size_t>(n));
            else if (n < 0 && errno != EAGAIN && errno != EINTR)
                m_toSend.clear(); // it has ended, and what it said is still to be read
        }
        readComplaint();
        std::array<char, 65536> block;
        const ssize_t n = ::read(m_output.get(), block.data(), block.size());
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
            return ending();
        if (n <= 0)
            continue;
        const std::size_t from = m_received.size() - std::min(m_received.size(), end.size());
        m_received.append(block.data(), static_cast<std::size_t>(n));
        if (const auto found = m_received.find(end, from); found != std::string::npos) {
            m_received.resize(found + end.size());
            return std::exchange(m_received, {});
        }
        if (m_received.size() > kLargestAnswer)
            return fail("the answer is larger than " + formatBytes(kLargestAnswer));
    }
}

Error SshSession::lateness()
{
    while (readComplaint()) { }
    std::string what = "no answer in time (time_limit)";
    if (!m_isConnected)
        what = monoNow() - m_begun < m_longestConnecting
            ? "no connection in time (time_limit); the next reading goes on with it"
            : "no connection in time, nor within " + formatDuration(m_longestConnecting);
    const std::string said = lastWords(m_said);
    return fail(
        what + (said.empty() ? std::string() : ": " + said), make_error_code(boost::system::errc::timed_out));
}

bool SshSession::readComplaint()
{
    std::array<char, kKeptWords> block;
    const ssize_t n = m_complaints ? ::read(m_complaints.get(), block.data(), block.size()) : 0;
    if (n > 0)
        m_said.append(block.data(), static_cast<std::size_t>(n));
    else if (n == 0 || (errno != EAGAIN && errno != EINTR))
        m_complaints.reset(); // poll() passes over a descriptor of -1
    if (m_said.size() > kKeptWords)
        m_said.erase(0, m_said.size() - kKeptWords);
    return n > 0;
}

Error SshSession::ending()
{
    const MonoTime end = monoNow() + kLastWords;
    while (m_complaints && monoNow() < end) {
        pollfd waiting { m_complaints.get(), POLLIN, 0 };
        ::poll(&waiting, 1, millisecondsTo(end));
        readComplaint();
    }
    std::string said = lastWords(m_said);
    if (said.ends_with("ssh: not found"))
        said = "the program ssh is not installed here";
    return fail((m_isConnected ? "the connection ended" : "no connection")
        + (said.empty() ? std::string() : ": " + said));
}

} // namespace loadstone::counters
