// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/embedded/target_process.h"

#include <loadstone/result.h>

#include <openssl/ssl.h>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace loadstone::test {

namespace {

constexpr int kPatienceMs = 10'000;

[[noreturn]] void broken(const std::string& what)
{
    throw std::runtime_error(what);
}

void awaitInput(int fd)
{
    pollfd wanted { fd, POLLIN, 0 };
    if (::poll(&wanted, 1, kPatienceMs) != 1)
        broken("nothing came for ten seconds");
}

/// The number after "name": in one line of JSON, or -1.
std::int64_t numberIn(const std::string& json, const std::string& name)
{
    const auto at = json.find("\"" + name + "\":");
    return at == std::string::npos ? -1 : std::stoll(json.substr(at + name.size() + 3));
}

} // namespace

TargetProcess::TargetProcess(const std::vector<std::string>& options)
{
    std::vector<std::string> words { LOADSTONE_BIN_DIR "/loadstone-target-host", "--smtp-port", "0",
        "--lmtp-port", "0", "--pop3-port", "0", "--imap-port", "0" };
    words.insert(words.end(), options.begin(), options.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::array<int, 2> in {};
    std::array<int, 2> out {};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0)
        broken("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    const int started = ::posix_spawn(&m_pid, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    m_input = FileDescriptor(in[1]);
    m_output = FileDescriptor(out[0]);
    if (started != 0)
        broken(words[0] + " cannot be started");
    for (char c = 0; c != '\n'; m_ready += c) {
        awaitInput(m_output.get());
        if (::read(m_output.get(), &c, 1) != 1)
            broken("the target ended before it was ready");
    }
}

std::string TargetProcess::command(const std::string& line)
{
    const std::string sent = line + "\n";
    if (::write(m_input.get(), sent.data(), sent.size()) != static_cast<ssize_t>(sent.size()))
        broken("the target reads no commands");
    std::string answer;
    for (char c = 0; c != '\n'; answer += c) {
        awaitInput(m_output.get());
        if (::read(m_output.get(), &c, 1) != 1)
            broken("the target ended");
    }
    return answer;
}

TargetProcess::~TargetProcess()
{
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
}

std::uint16_t TargetProcess::port(const std::string& service) const
{
    return static_cast<std::uint16_t>(numberIn(m_ready, service));
}

int TargetProcess::stop()
{
    ::kill(m_pid, SIGTERM);
    return wait();
}

int TargetProcess::wait()
{
    std::array<char, 4096> block;
    for (;;) {
        awaitInput(m_output.get());
        const ssize_t n = ::read(m_output.get(), block.data(), block.size());
        if (n <= 0)
            break;
        m_end.append(block.data(), static_cast<std::size_t>(n));
    }
    int status = -1;
    ::waitpid(std::exchange(m_pid, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::int64_t TargetProcess::total(const std::string& name) const
{
    return numberIn(m_end, name);
}

Client::Client(std::uint16_t port)
    : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(m_socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(m_socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        broken("cannot connect to the target");
}

Client::~Client()
{
    SSL_free(m_ssl);
}

void Client::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = m_ssl != nullptr ? SSL_write(m_ssl, bytes.data(), static_cast<int>(bytes.size()))
                                           : ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0)
            return; // the server has gone: line() says so
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

bool Client::fill()
{
    std::array<char, 65536> block;
    if (m_ssl == nullptr || SSL_pending(m_ssl) == 0)
        awaitInput(m_socket.get());
    const ssize_t n = m_ssl != nullptr ? SSL_read(m_ssl, block.data(), static_cast<int>(block.size()))
                                       : ::recv(m_socket.get(), block.data(), block.size(), 0);
    if (n > 0)
        m_buffer.append(block.data(), static_cast<std::size_t>(n));
    return n > 0;
}

std::string Client::line()
{
    std::size_t end = 0;
    while ((end = m_buffer.find("\r\n")) == std::string::npos)
        if (!fill())
            return {};
    std::string text = m_buffer.substr(0, end);
    m_buffer.erase(0, end + 2);
    return text;
}

std::string Client::bytes()
{
    if (m_buffer.empty())
        fill();
    return std::exchange(m_buffer, {});
}

std::string Client::reply()
{
    std::string text = line();
    while (text.size() > 3 && text[3] == '-' && text[0] != '-')
        text = line();
    return text;
}

std::string Client::say(std::string_view command)
{
    send(std::string(command) + "\r\n");
    return reply();
}

std::string Client::text()
{
    std::string content;
    for (;;) {
        std::string next = line();
        if (next.empty() && m_buffer.empty() && !fill())
            broken("the connection was closed in a multi-line reply");
        if (next == ".")
            return content;
        content += next.starts_with(".") ? next.substr(1) : next;
        content += "\r\n";
    }
}

void Client::beginTls()
{
    SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
    m_ssl = SSL_new(context);
    SSL_CTX_free(context);
    SSL_set_fd(m_ssl, m_socket.get());
    if (SSL_connect(m_ssl) != 1)
        broken("the TLS handshake failed");
}

void Client::closeWriting()
{
    ::shutdown(m_socket.get(), SHUT_WR);
}

LogFile::LogFile()
    : m_name((std::filesystem::temp_directory_path() / "loadstone-test-XXXXXX").string())
{
    const int fd = ::mkstemp(m_name.data());
    if (fd < 0)
        broken("mkstemp");
    ::close(fd);
}

LogFile::~LogFile()
{
    ::unlink(m_name.c_str());
}

std::vector<std::map<std::string, std::string>> LogFile::rows() const
{
    const std::string content = readFile(m_name).value();
    std::vector<std::map<std::string, std::string>> rows;
    std::vector<std::string> names;
    for (std::size_t at = 0; at < content.size();) {
        const auto end = content.find('\n', at);
        if (end == std::string::npos)
            broken("the log ends in the middle of a line");
        std::vector<std::string> fields(1);
        for (; at < end; ++at)
            if (content[at] == ',')
                fields.emplace_back();
            else
                fields.back() += content[at];
        at = end + 1;
        if (names.empty()) {
            names = fields;
            continue;
        }
        if (fields.size() != names.size())
            broken("a line of the log has another number of columns than its header");
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            row[names[i]] = fields[i];
    }
    return rows;
}

} // namespace loadstone::test
