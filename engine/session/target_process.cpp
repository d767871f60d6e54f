// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/target_process.h"

#include "base/json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ; // NOLINT: POSIX names it so

namespace loadstone::session {

namespace {

constexpr auto kStartLimit = std::chrono::seconds(10);
constexpr auto kEndLimit = std::chrono::seconds(3);

std::vector<std::string> argumentsFor(const plan::Target& target, bool hasPassword, std::uint64_t seed)
{
    const plan::EmbeddedTarget& embedded = target.embedded;
    std::vector<std::string> arguments { "target", "--stop-with-parent", "--domain", target.domain, "--seed",
        std::to_string(seed), "--service-time", embedded.serviceTime };
    if (target.smtp.present)
        arguments.insert(arguments.end(), { target.smtp.lmtp ? "--lmtp-port" : "--smtp-port", "0" });
    if (target.pop3.present)
        arguments.insert(arguments.end(), { "--pop3-port", "0" });
    if (target.imap.present)
        arguments.insert(arguments.end(), { "--imap-port", "0" });
    if (hasPassword) // read from its input: anybody can see a command line
        arguments.insert(arguments.end(), { "--password", "-" });
    constexpr const char* kConnections =
        "100000"; // as many as the generator's own limit of open files lets it
    arguments.insert(arguments.end(), { "--max-connections", kConnections });
    if (embedded.capacity > 0)
        arguments.insert(arguments.end(), { "--capacity", std::to_string(embedded.capacity) });
    if (embedded.deliveryDelay > Nanoseconds(0))
        arguments.insert(
            arguments.end(), { "--delivery-delay", std::to_string(embedded.deliveryDelay.count()) + " ns" });
    for (const std::string& fault : embedded.faults)
        arguments.insert(arguments.end(), { "--fault", fault });
    if (target.smtp.tls == plan::TlsMode::starttls || target.pop3.tls == plan::TlsMode::starttls
        || target.imap.tls == plan::TlsMode::starttls)
        arguments.emplace_back("--tls");
    return arguments;
}

} // namespace

Result<std::filesystem::path> TargetProcess::find(
    const std::filesystem::path& chosen, const std::filesystem::path& self)
{
    if (!chosen.empty())
        return chosen;
    const auto beside = self.parent_path() / "loadstone";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(beside, ignored) && ::access(beside.c_str(), X_OK) == 0)
        return beside;
    return fail("the embedded target is the program \"loadstone\", which is not at " + beside.string()
        + "; name its file (RunOptions::targetProgram)");
}

Result<std::unique_ptr<TargetProcess>> TargetProcess::start(const std::filesystem::path& program,
    const plan::Target& target, const std::string& password, std::uint64_t seed)
{
    std::array<int, 2> input {};
    std::array<int, 2> output {};
    if (::pipe2(input.data(), O_CLOEXEC) != 0)
        return systemError("the embedded target: pipe");
    FileDescriptor childInput(input[0]);
    FileDescriptor ourInput(input[1]);
    if (::pipe2(output.data(), O_CLOEXEC) != 0)
        return systemError("the embedded target: pipe");
    FileDescriptor ourOutput(output[0]);
    FileDescriptor childOutput(output[1]);

    std::vector<std::string> arguments = argumentsFor(target, !password.empty(), seed);
    const std::string name = program.string();
    std::vector<char*> argv { const_cast<char*>(name.c_str()) };
    for (std::string& argument : arguments)
        argv.push_back(argument.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, childInput.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, childOutput.get(), STDOUT_FILENO);
    posix_spawnattr_t
        attributes; // a group of its own: Ctrl+C is for us, the target must live until the drain ends
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::unique_ptr<TargetProcess> process(new TargetProcess);
    const int spawned =
        ::posix_spawn(&process->m_pid, name.c_str(), &actions, &attributes, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (spawned != 0) {
        process->m_pid = -1;
        return fail("the embedded target could not be started: " + name + ": "
            + boost::system::error_code(spawned, boost::system::system_category()).message());
    }
    process->m_input = std::move(ourInput);
    process->m_output = std::move(ourOutput);
    childOutput.reset(); // or its end would never be seen
    const std::string secret = password + "\n"; // a pipe takes 4 KB at once, whether it is read or not
    if (!password.empty()
        && ::write(process->m_input.get(), secret.data(), secret.size())
            != static_cast<ssize_t>(secret.size()))
        return systemError("the embedded target: handing over the password");

    const auto line = process->readLine(kStartLimit);
    if (!line)
        return line.error().within("the embedded target did not start");
    const auto ready = parsedJson(*line);
    const auto portOf = [&ready](const char* service) {
        const auto port = ready.find(service);
        return port != ready.end() && port->is_number_unsigned() ? port->get<std::uint16_t>()
                                                                 : std::uint16_t { 0 };
    };
    const bool isReady = ready.is_object() && ready.contains("event") && ready["event"] == "ready";
    process->m_smtpPort = isReady ? portOf(target.smtp.lmtp ? "lmtp" : "smtp") : std::uint16_t { 0 };
    process->m_pop3Port = isReady ? portOf("pop3") : std::uint16_t { 0 };
    process->m_imapPort = isReady ? portOf("imap") : std::uint16_t { 0 };
    const bool listens = (!target.smtp.present || process->m_smtpPort != 0)
        && (!target.pop3.present || process->m_pop3Port != 0)
        && (!target.imap.present || process->m_imapPort != 0);
    if (!isReady || !listens)
        return fail("the embedded target sent something unexpected: " + line->substr(0, 200));
    return process;
}

Result<std::string> TargetProcess::readLine(Nanoseconds limit)
{
    const MonoTime deadline = monoNow() + limit;
    for (;;) {
        if (const auto end = m_pending.find('\n'); end != std::string::npos) {
            std::string line = m_pending.substr(0, end);
            m_pending.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - monoNow()).count();
        pollfd waiting { m_output.get(), POLLIN, 0 };
        if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) == 0)
            return fail("no answer within "
                + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limit).count()) + " s");
        std::array<char, 1024> block;
        const ssize_t n = ::read(m_output.get(), block.data(), block.size());
        if (n == 0)
            return fail("it ended at once; run \"loadstone target\" with the plan's settings to see why");
        if (n > 0)
            m_pending.append(block.data(), static_cast<std::size_t>(n));
        if (n < 0 && errno != EINTR)
            return systemError("reading its output");
        if (m_pending.size() > 65536)
            return fail("its output cannot be understood");
    }
}

std::string TargetProcess::stop()
{
    if (m_pid < 0)
        return {};
    ::kill(m_pid, SIGTERM);
    const auto totals = readLine(kEndLimit);
    m_input.reset();
    if (!totals) // it should have ended long ago
        ::kill(m_pid, SIGKILL);
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
    m_pid = -1;
    return totals ? *totals : std::string();
}

TargetProcess::~TargetProcess()
{
    stop();
}

} // namespace loadstone::session
