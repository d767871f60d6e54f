// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/dav_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace loadstone::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDavScript = LOADSTONE_SOURCE_DIR "/tests/support/dav_server.sh";

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
    constexpr std::uint16_t kFirst = 21200, kLast = 32000; // the kernel gives clients others
    for (auto port = static_cast<std::uint16_t>(kFirst + ::getpid() * 7 % (kLast - kFirst - 1000));
         port < kLast; ++port) {
        const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = loopback(port);
        const bool free =
            ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::close(descriptor);
        if (free)
            return port;
    }
    throw std::runtime_error("no free port on 127.0.0.1");
}

bool answers(std::uint16_t port)
{
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const bool open = ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(descriptor);
    return open;
}

bool isObject(const fs::path& file)
{
    return !file.filename().string().starts_with('.')
        && file.string().find("/.Radicale.") == std::string::npos;
}

std::string textOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>() };
}

} // namespace

std::string DavServer::whyNot()
{
    const ProgramEnd end = runProgram({ "bash", kDavScript, "check" }, std::chrono::seconds(10));
    if (end.exitCode == 0)
        return {};
    return end.output.empty() ? "dav_server.sh check failed: " + end.errors
                              : end.output.substr(0, end.output.find('\n'));
}

DavServer::DavServer(unsigned users, bool keeps, unsigned loses)
    : m_port(freePort())
{
    const std::string folder = m_folder.path().string(), port = std::to_string(m_port),
                      count = std::to_string(users), lost = std::to_string(loses);
    m_process = ::fork();
    if (m_process == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // also when this test is killed
        ::setenv("PORT", port.c_str(), 1);
        ::setenv("KEEP", keeps ? "yes" : "no", 1);
        ::setenv("LOSE", lost.c_str(), 1);
        ::setenv("USERS", count.c_str(), 1);
        ::execlp("bash", "bash", kDavScript, "run", folder.c_str(), nullptr);
        ::_exit(127);
    }
    if (m_process < 0)
        throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (m_looks = 1; !answers(m_port); ++m_looks) {
        const bool ended = ::waitpid(m_process, nullptr, WNOHANG) != 0;
        if (ended)
            m_process = -1;
        if (ended || std::chrono::steady_clock::now() > end)
            throw std::runtime_error("Radicale did not start: " + log());
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

DavServer::~DavServer()
{
    if (m_process <= 0)
        return;
    ::kill(m_process, SIGKILL); // nothing of it is needed any more
    ::waitpid(m_process, nullptr, 0);
}

std::string DavServer::log() const
{
    return textOf(m_folder / "radicale.log");
}

std::uint64_t DavServer::connections() const
{
    const std::string lines = textOf(m_folder / "connections");
    return static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

std::map<std::string, std::string> DavServer::texts() const
{
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder / "store"))
        if (entry.is_regular_file() && isObject(entry.path()))
            texts[entry.path().filename().string()] = textOf(entry.path());
    return texts;
}

std::size_t DavServer::size() const
{
    std::size_t size = 0;
    std::error_code ignored; // what is being written or removed
    fs::recursive_directory_iterator entry(m_folder / "store", ignored);
    for (; entry != fs::recursive_directory_iterator(); entry.increment(ignored))
        size += entry->is_regular_file(ignored) && isObject(entry->path()) ? 1 : 0;
    return size;
}

void DavServer::add(const std::string& path, const std::string& text)
{
    const fs::path file = m_folder / "store" / "collection-root" / path;
    if (!(std::ofstream(file, std::ios::binary) << text))
        throw std::runtime_error("there is no collection for " + file.string());
}

StoredObjects DavServer::stored() const
{
    StoredObjects objects;
    for (const auto& [name, text] : texts())
        for (const char* component : { "VEVENT", "VJOURNAL", "VCARD" })
            if (text.find(std::string("BEGIN:") + component) != std::string::npos)
                ++objects[component];
    return objects;
}

} // namespace loadstone::test
