// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counters over a real ssh from a real sshd, with keys of the test's own on a port of its own.
#include "base/posix_file.h"
#include "counters/live/make_source.h"
#include "support/catch.h"
#include "support/child.h"
#include "support/program.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <netinet/in.h>
#include <optional>
#include <pwd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr const char* kServer = "/usr/sbin/sshd";

bool waitFor(const std::function<bool()>& happened)
{
    const MonoTime limit = monoNow() + 30s;
    while (!happened() && monoNow() < limit)
        std::this_thread::yield();
    return happened();
}

std::string firstLineOf(const fs::path& file)
{
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

sockaddr_in loopback(std::uint16_t port)
{
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

std::uint16_t freePort()
{
    const FileDescriptor probe(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    REQUIRE(::bind(probe.get(), reinterpret_cast<sockaddr*>(&address), size) == 0); // NOLINT: so sockets are
    REQUIRE(::getsockname(probe.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0); // NOLINT
    return ntohs(address.sin_port);
}

bool listens(std::uint16_t port)
{
    const FileDescriptor probe(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in address = loopback(port);
    return ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0; // NOLINT
}

/// Why no sshd can be run here; empty: one can.
std::string hindrance()
{
    if (::access(kServer, X_OK) != 0)
        return "there is no sshd (apt-get install openssh-server)";
    for (const char* program : { "ssh", "ssh-keygen" })
        if (test::runProgram({ "/bin/sh", "-c", std::string("command -v ") + program }, 60s).exitCode != 0)
            return std::string("there is no program ") + program;
    if (::getuid() == 0)
        fs::create_directories("/run/sshd"); // where it separates privileges; else its init script makes it
    return {};
}

bool skipped()
{
    const std::string reason = hindrance();
    if (!reason.empty())
        fmt::print("SKIPPED: {}\n", reason);
    return !reason.empty();
}

/// An sshd that lets this user in with a key of the test's own, and an "ssh" in PATH that knows of both.
class Sshd {
public:
    Sshd()
        : m_port(freePort())
    {
        for (const char* key : { "host", "user", "stranger" })
            REQUIRE(test::runProgram(
                        { "/bin/sh", "-c", fmt::format("ssh-keygen -q -t ed25519 -N '' -f '{}'", file(key)) },
                        60s)
                        .exitCode
                == 0);
        fs::copy_file(file("user.pub"), file("authorized"));
        write("config",
            fmt::format("Port {}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile "
                        "none\nUsePAM no\n"
                        "StrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n",
                m_port, file("host"), file("authorized")));
        m_server.emplace(std::vector<std::string> { kServer, "-D", "-f", file("config"), "-E", file("log") });
        REQUIRE(waitFor([this] { return listens(m_port); }));
        know(true);
        write("ssh", fmt::format("#!/bin/sh\nexec /usr/bin/ssh -F '{}' \"$@\"\n", file("client")));
        fs::permissions(m_folder / "ssh", fs::perms::owner_all);
        useKey("user");
        const char* path = std::getenv("PATH");
        m_path = path != nullptr ? path : "";
        ::setenv("PATH", (m_folder.path().string() + ":" + m_path).c_str(), 1);
    }
    Sshd(const Sshd&) = delete;
    Sshd& operator=(const Sshd&) = delete;
    ~Sshd() { ::setenv("PATH", m_path.c_str(), 1); }

    void useKey(const char* key) const
    {
        write("client",
            fmt::format(
                "Host server\nHostName 127.0.0.1\nPort {}\nUser {}\nIdentityFile {}\nIdentitiesOnly yes\n"
                "UserKnownHostsFile {}\nGlobalKnownHostsFile /dev/null\n",
                m_port, ::getpwuid(::getuid())->pw_name, file(key), file("known")));
    }
    /// `is`: the host's key is the one that is known.
    void know(bool is) const
    {
        write("known",
            fmt::format(
                "[127.0.0.1]:{} {}\n", m_port, firstLineOf(m_folder / (is ? "host.pub" : "stranger.pub"))));
    }
    /// The processes that serve connections.
    [[nodiscard]] std::vector<pid_t> connections() const
    {
        std::vector<pid_t> children;
        std::ifstream in(fmt::format("/proc/{0}/task/{0}/children", m_server->pid()));
        for (pid_t child = 0; in >> child;)
            children.push_back(child);
        return children;
    }

private:
    [[nodiscard]] std::string file(const std::string& name) const { return m_folder / name; }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
    }

    test::ScratchFolder m_folder;
    std::uint16_t m_port;
    std::optional<test::Child> m_server;
    std::string m_path;
};

std::unique_ptr<LiveSource> sourceOf(plan::HostCounters wanted = {})
{
    plan::CounterSourceSpec spec;
    spec.name = "server";
    spec.timeLimit = 30s;
    spec.from = plan::SshSource { "server", std::move(wanted) };
    auto source = makeLinuxSource(spec);
    REQUIRE(source);
    return *std::move(source);
}

double valueOf(const LiveSource& source, const LiveReading& reading, const SeriesKey& key)
{
    for (std::size_t i = 0; i < reading.values.size(); ++i)
        if (source.counters()[i].key == key)
            return reading.values[i];
    FAIL("no such counter");
    return 0;
}

SeriesKey of(Quantity quantity, Subject subject = {})
{
    subject.host = "server";
    return { quantity, std::move(subject) };
}

} // namespace

TEST_CASE("a server is read over one session of ssh, which ends with the source")
{
    if (skipped())
        return;
    const Sshd sshd;
    plan::HostCounters wanted;
    wanted.processes = { "sshd" };
    auto source = sourceOf(wanted);
    const auto first = source->read({});
    INFO((first ? std::string() : first.error().message));
    REQUIRE(first);
    REQUIRE(sshd.connections().size() == 1);
    const auto second = source->read({});
    REQUIRE(second);
    CHECK(second->begin == first->end);
    CHECK(valueOf(*source, *second, of(Quantity::contextSwitches)) > 0);
    CHECK(valueOf(*source, *second, of(Quantity::availableMemory)) > 1);
    const Subject daemon = Subject::ofProcess("sshd");
    CHECK(valueOf(*source, *second, of(Quantity::processInstances, daemon))
        >= 2); // it, and what serves this connection
    CHECK(valueOf(*source, *second, of(Quantity::processWorkingSet, daemon)) > 1e6);
    CHECK_FALSE(std::isnan(valueOf(*source, *second, of(Quantity::processProcessorTime, daemon))));
    CHECK(sshd.connections().size() == 1);
    source.reset();
    CHECK(waitFor([&] { return sshd.connections().empty(); }));
}

TEST_CASE("a connection that breaks is one failed reading")
{
    if (skipped())
        return;
    const Sshd sshd;
    const auto source = sourceOf();
    REQUIRE(source->read({}));
    for (const pid_t connection : sshd.connections())
        ::kill(connection, SIGKILL);
    const auto failed = source->read({});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message.starts_with("the connection ended"));
    const auto again = source->read({});
    REQUIRE(again);
    CHECK(again->begin == again->end);
    CHECK(std::isnan(valueOf(*source, *again, of(Quantity::contextSwitches))));
}

TEST_CASE("a host key that is not the known one, and a key that the server does not know, are refused in "
          "ssh's words")
{
    if (skipped())
        return;
    const Sshd sshd;
    const auto source = sourceOf();
    sshd.know(false);
    auto reading = source->read({});
    REQUIRE_FALSE(reading);
    CHECK(reading.error().message == "no connection: Host key verification failed");
    sshd.know(true);
    sshd.useKey("stranger");
    reading = source->read({});
    REQUIRE_FALSE(reading);
    CHECK(reading.error().message.find("Permission denied (publickey)") != std::string::npos);
    sshd.useKey("user");
    CHECK(source->read({}));
}
