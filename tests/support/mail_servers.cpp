// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/mail_servers.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace loadstone::test {

namespace {

using std::chrono::seconds;

constexpr const char* kScript = LOADSTONE_SOURCE_DIR "/tests/support/mail_servers.sh";

bool isFree(std::uint16_t port)
{
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool free = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(descriptor);
    return free;
}

/// Below the range from which the kernel takes ports for clients, and elsewhere for each process that asks.
std::array<std::uint16_t, 7> freePorts()
{
    constexpr std::uint16_t kFirst = 21200, kLast = 32000;
    std::array<std::uint16_t, 7> ports {};
    std::size_t found = 0;
    auto port = static_cast<std::uint16_t>(kFirst + ::getpid() * 7 % (kLast - kFirst - 1000));
    for (; found < ports.size() && port < kLast; ++port) {
        if (isFree(port))
            ports[found++] = port;
    }
    if (found < ports.size())
        throw std::runtime_error("no free ports on 127.0.0.1");
    return ports;
}

const char* nameOf(MailServers::Logins logins)
{
    return logins == MailServers::Logins::every ? "every" : "simple";
}

} // namespace

std::string MailServers::whyNot(Logins logins, Folders folders)
{
    const ProgramEnd end = runProgram({ "bash", kScript, "check" }, seconds(10),
        { { "LOGINS", nameOf(logins) }, { "KEPT_FOLDER", folders == Folders::plain ? "" : kKeptFolder } });
    if (end.exitCode == 0)
        return {};
    return end.output.empty() ? "mail_servers.sh check failed: " + end.errors
                              : end.output.substr(0, end.output.find('\n'));
}

MailServers::MailServers(Logins logins, Folders folders, Names names, std::map<std::string, std::string> more)
    : m_logins(logins)
    , m_folders(folders)
    , m_names(names)
    , m_more(std::move(more))
{
    const auto ports = freePorts();
    m_smtpPort = ports[0];
    m_pop3Port = ports[1];
    m_lmtpPort = ports[2];
    m_imapPort = ports[3];
    m_smtpsPort = ports[4];
    m_pop3sPort = ports[5];
    m_imapsPort = ports[6];
    const ProgramEnd end = script("start");
    if (end.exitCode != 0) {
        (void)script("stop"); // a script that was killed at its limit leaves what it had started
        throw std::runtime_error("the mail servers did not start: " + end.errors + end.output);
    }
    m_running = true;
}

MailServers::~MailServers()
{
    try {
        stop();
    } catch (const std::exception&) {
        m_folder.keep(); // a server that could not be stopped still writes there
    }
}

void MailServers::stop()
{
    if (!m_running)
        return;
    const ProgramEnd end = script("stop");
    if (end.exitCode != 0)
        throw std::runtime_error("the mail servers could not be stopped: " + end.errors);
    m_running = false;
}

ServerCounts MailServers::counts() const
{
    const ProgramEnd end = script("counts");
    ServerCounts counts;
    const std::map<std::string, std::uint64_t*> fields { { "accepted", &counts.accepted },
        { "delivered", &counts.delivered }, { "deferred", &counts.deferred }, { "bounced", &counts.bounced },
        { "saved", &counts.saved }, { "retrieved", &counts.retrieved }, { "deleted", &counts.deleted },
        { "fetched", &counts.fetched }, { "expunged", &counts.expunged } };
    std::istringstream lines(end.output);
    std::size_t read = 0;
    std::uint64_t value = 0;
    for (std::string name; lines >> name >> value; ++read)
        *fields.at(name) = value;
    if (end.exitCode != 0 || read != fields.size())
        throw std::runtime_error("the mail servers' logs could not be read: " + end.errors);
    return counts;
}

ProgramEnd MailServers::script(const std::string& command) const
{
    const bool plain = m_folders == Folders::plain;
    // To start, the script waits up to four times 20 s; it must get to its own end, for it clears up then.
    std::map<std::string, std::string> variables { { "SMTP_PORT", std::to_string(m_smtpPort) },
        { "POP3_PORT", std::to_string(m_pop3Port) }, { "IMAP_PORT", std::to_string(m_imapPort) },
        { "LMTP_PORT", std::to_string(m_lmtpPort) }, { "SMTPS_PORT", std::to_string(m_smtpsPort) },
        { "POP3S_PORT", std::to_string(m_pop3sPort) }, { "IMAPS_PORT", std::to_string(m_imapsPort) },
        { "LOGINS", nameOf(m_logins) }, { "USER_NAMES", m_names == Names::address ? "address" : "name" },
        { "FOLDER_PREFIX", plain ? "" : "INBOX." }, { "FOLDER_SEPARATOR", plain ? "/" : "." },
        { "KEPT_FOLDER", plain ? "" : kKeptFolder }, { "FSYNC", "never" } };
    variables.insert(m_more.begin(), m_more.end());
    return runProgram({ "bash", kScript, command, m_folder.path().string() }, seconds(90), variables);
}

} // namespace loadstone::test
