// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/shell_command.h"

#include "base/posix_file.h"
#include "counters/live/process_group.h"

#include <loadstone/units.h>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace loadstone::counters {

namespace {

using namespace std::chrono_literals;

constexpr auto kGrace = 200ms; // between the request to end and the end
constexpr std::size_t kKeptComplaint = 4096;
constexpr std::size_t kLongestComplaint = 200;

/// The command is not the shell itself, so that a syntax error in it is its own end and not that of the guard.
constexpr const char* kScript = "/bin/sh -c \"$1\"\n"
                                "status=$?\n"
                                "{ kill -KILL $guard; wait $guard; } 2>/dev/null\n"
                                "exit $status\n";

/// Wakes whoever polls its descriptor when a stop is asked for.
class StopBell {
public:
    explicit StopBell(const std::stop_token& stop)
        : m_bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
        , m_callback(stop, Ring { m_bell.get() })
    {
    }
    [[nodiscard]] int descriptor() const { return m_bell.get(); }

private:
    struct Ring {
        int bell;
        void operator()() const
        {
            const std::uint64_t one = 1;
            [[maybe_unused]] const ssize_t written = ::write(bell, &one, sizeof one);
        }
    };
    FileDescriptor m_bell;
    std::stop_callback<Ring> m_callback;
};

/// The first line of what was printed as a message may show it.
std::string firstComplaint(const std::string& text)
{
    std::string line = text.substr(0, std::min(text.find('\n'), kLongestComplaint));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
            c = ' ';
    return line;
}

/// One command from its start to its end.
class CommandRun {
public:
    CommandRun(ProcessGroup& group, Pipe& output, Pipe& complaint, const CommandLimits& limits)
        : m_group(group)
        , m_output(output.read)
        , m_complaint(complaint.read)
        , m_limits(limits)
        , m_deadline(monoNow() + limits.time)
    {
    }

    /// Until it has ended, or a limit is passed, or a stop is asked for.
    Result<void> follow(const StopBell& bell, const std::stop_token& stop)
    {
        for (;;) {
            if (stop.stop_requested())
                return fail("stopped", make_error_code(boost::system::errc::operation_canceled));
            const Nanoseconds left = m_deadline - monoNow();
            if (left <= 0ns)
                return fail("no end within " + formatDuration(m_limits.time));
            std::array<pollfd, 4> waiting { { { m_output.get(), POLLIN, 0 }, { m_complaint.get(), POLLIN, 0 },
                { m_group.handle(), POLLIN, 0 }, { bell.descriptor(), POLLIN, 0 } } };
            // Without a handle of the process its end is looked for now and then.
            const auto most = m_group.handle() >= 0 ? left : std::min<Nanoseconds>(left, 50ms);
            const auto wait = std::chrono::ceil<std::chrono::milliseconds>(most).count();
            if (::poll(waiting.data(), waiting.size(), static_cast<int>(wait)) < 0 && errno != EINTR)
                return systemError("poll");
            // Looked at first: what it printed before its end is in the pipes by then.
            const bool over = m_group.over();
            if (auto read = drain(over); !read)
                return read;
            if (over)
                return {};
        }
    }
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::string complaint() const { return firstComplaint(m_said); }

private:
    /// What is there to be read; `all`: until nothing is.
    Result<void> drain(bool all)
    {
        for (bool more = true; more;) {
            more = readSome(m_output, m_text, m_limits.bytes + 1) && all;
            if (m_text.size() > m_limits.bytes)
                return fail(fmt::format("it printed more than {}", formatBytes(m_limits.bytes)));
        }
        while (readSome(m_complaint, m_said, kKeptComplaint) && all && m_said.size() < kKeptComplaint) { }
        return {};
    }

    /// One block, of which no more is kept than `most` in all; false: there is nothing now.
    static bool readSome(FileDescriptor& from, std::string& to, std::size_t most)
    {
        if (!from)
            return false;
        std::array<char, 65536> block;
        const ssize_t n = ::read(from.get(), block.data(), block.size());
        if (n > 0)
            to.append(block.data(), std::min(static_cast<std::size_t>(n), most - to.size()));
        const bool closed = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
        if (closed)
            from.reset(); // poll() passes over a descriptor of -1
        return n > 0;
    }

    ProcessGroup& m_group;
    FileDescriptor &m_output, &m_complaint;
    CommandLimits m_limits;
    MonoTime m_deadline;
    std::string m_text, m_said;
};

/// Gives the group a moment to end by itself.
void endGently(ProcessGroup& group)
{
    group.askToEnd();
    const MonoTime end = monoNow() + kGrace;
    while (!group.over() && monoNow() < end) {
        pollfd waiting { group.handle(), POLLIN, 0 };
        ::poll(&waiting, 1, 10);
    }
}

} // namespace

Result<CommandOutput> runShellCommand(
    const std::string& command, const CommandLimits& limits, const std::stop_token& stop)
{
    auto output = makePipe();
    auto complaint = makePipe();
    for (const auto* pipe : { &output, &complaint })
        if (!*pipe)
            return pipe->error();
    for (const int end : { output->read.get(), complaint->read.get() })
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    const StopBell bell(stop);
    auto group =
        ProcessGroup::start(kScript, { command }, { -1, output->write.get(), complaint->write.get() });
    if (!group)
        return group.error();
    output->write.reset();
    complaint->write.reset();
    CommandRun run(*group, *output, *complaint, limits);
    if (const auto followed = run.follow(bell, stop); !followed) {
        endGently(*group);
        const std::string said = run.complaint();
        return fail(followed.error().message + (said.empty() ? "" : ": " + said), followed.error().code);
    }
    const MonoTime ended = monoNow();
    const int status = group->end();
    const std::string said = run.complaint().empty() ? std::string() : ": " + run.complaint();
    if (WIFSIGNALED(status))
        return fail(fmt::format("it was ended by signal {}{}", WTERMSIG(status), said));
    if (WEXITSTATUS(status) != 0)
        return fail(fmt::format("it ended with status {}{}", WEXITSTATUS(status), said));
    return CommandOutput { run.text(), ended };
}

} // namespace loadstone::counters
